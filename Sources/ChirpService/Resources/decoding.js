// Decodes the microphone's sound as it comes, and channels of files: in a worker, or in the page where there is none.

/** The names of the formats that are heard at a rate; the original, whose error then tells the rates, where none is. */
export function formatsAt(chirp, rate) {
  const fitting = chirp.formats.filter(({ receptionRates: [lowest, highest] }) => lowest <= rate && rate <= highest);
  return fitting.length > 0 ? fitting.map(({ name }) => name) : ["original"];
}

/** Follows the microphone's samples, which a port brings from the audio thread, and draws their tones where there is a waterfall. */
export function follow(chirp, { port, rate, waterfall }, tell) {
  const receiver = new chirp.Receiver(rate, formatsAt(chirp, rate));
  let [samples, told, peak] = [0, 0, 0];
  port.onmessage = ({ data }) => {
    try {
      const chirps = receiver.process(data);
      for (const sample of data) peak = Math.max(peak, Math.abs(sample));
      waterfall?.process(data);
      samples += data.length;
      // A code is told at once; what people look at four times a second, as drawing it is what costs.
      if (chirps.length === 0 && samples - told < rate / 4) return;
      waterfall?.show();
      tell({ samples, peak, chirps });
      [told, peak] = [samples, 0];
    } catch (error) {
      port.onmessage = null;
      tell({ error: error.message });
    }
  };
}

/** The chirps of one channel. Between a second and the next, a page does what else it has to do: `pause` gives a promise of it. */
export async function chirpsOf(chirp, { channel, rate }, pause = () => {}) {
  const receiver = new chirp.Receiver(rate, formatsAt(chirp, rate)), found = [];
  try {
    for (let from = 0; from < channel.length; from += rate) {
      found.push(...receiver.process(channel.subarray(from, from + rate)));
      await pause();
    }
    return [...found, ...receiver.finish()];
  } finally {
    receiver.free();
  }
}
