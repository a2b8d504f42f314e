// What the module finds beside what the native receiver does; for Node and for pages.

/**
 * How far from the native figures those of the module may be: by rounding and another transform, and where these tip the search
 * for a chirp's time and speed to the next points of its grid, 0.008 of a symbol and 0.0003 away each: two of them where a sender's symbols
 * are not equally long. Near the limit of reception such a step moves the tuning by 0.3 cents and the ratio to the noise by 0.1 dB at most.
 */
const tolerances = [
  ["start", "start", 0.0002, 0.0007], ["duration", "duration", 0.0005, 0.0015], ["snrDb", "snr_db", 0.06, 0.1],
  ["confidence", "confidence", 0.001, 0.001], ["tuningCents", "tuning_cents", 0.1, 0.3], ["speed", "speed", 0.0002, 0.0008],
  ["corrected", "corrected", 0, 0],
];

/** In what the module's chirps are others than the native ones, in words; nothing where they are the same. */
export function differences(found, expected, mayBeTipped = false) {
  const words = (chirps) => chirps.map(({ longcode }) => longcode).join(", ") || "nothing";
  if (words(found) !== words(expected)) return [`${words(found)}, natively ${words(expected)}`];
  return found.flatMap((chirp, index) => tolerances
    .filter(([own, native, rounding, step]) => !(Math.abs(chirp[own] - expected[index][native]) <= (mayBeTipped ? step : rounding)))
    .map(([own, native]) => `${chirp.code}: ${own} ${chirp[own]}, natively ${expected[index][native]}`));
}

/** Trials from a stream of bytes as gate-trials writes them. */
async function* trials(stream) {
  let kept = [], length = 0;
  const chunks = stream[Symbol.asyncIterator]();
  /** Waits for so many bytes, or until a byte that ends a line; null at the end of the stream. */
  async function take(isEnough) {
    for (;;) {
      const count = isEnough();
      if (count !== null) {
        const all = new Uint8Array(length);
        kept.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0);
        kept = [all.subarray(count)];
        length -= count;
        return all.subarray(0, count);
      }
      const { value, done } = await chunks.next();
      if (done) return null;
      kept.push(value);
      length += value.length;
    }
  }
  const lineEnd = () => {
    let before = 0;
    for (const chunk of kept) {
      const at = chunk.indexOf(10);
      if (at >= 0) return before + at + 1;
      before += chunk.length;
    }
    return null;
  };
  for (let line; (line = await take(lineEnd));) {
    const trial = JSON.parse(new TextDecoder().decode(line));
    const bytes = await take(() => length >= 4 * trial.count ? 4 * trial.count : null);
    if (!bytes) throw new Error(`the sound of ${trial.name} is cut off`);
    yield { ...trial, samples: new Float32Array(bytes.slice().buffer) };
  }
  if (length > 0) throw new Error("a trial is cut off");
}

/**
 * Receives every trial of a stream; gives back how many there were, how many chirps in them, the differences, and those of
 * the search's grid.
 */
export async function compareAll(chirp, stream) {
  const result = { trials: 0, chirps: 0, differences: [], tipped: [] };
  for await (const { name, rate, samples, expected } of trials(stream)) {
    const receiver = new chirp.Receiver(rate);
    const found = [...receiver.process(samples), ...receiver.finish()];
    receiver.free();
    result.trials++;
    result.chirps += expected.length;
    const [other, all] = [true, false].map((mayBeTipped) => differences(found, expected, mayBeTipped));
    result.differences.push(...other.map((text) => `${name}: ${text}`));
    if (other.length === 0 && all.length > 0) result.tipped.push(name);
  }
  return result;
}
