// Runs in a worker: decodes the microphone's sound as it comes, and whole files.

import { load } from "./chirp.js";
import { areOne } from "./pieces.js";
import { Waterfall } from "./waterfall.js";

let ready;

/** The names of the formats that are heard at a rate; the original, whose error then tells the rates, where none is. */
function heard(chirp, rate) {
  const fitting = chirp.formats.filter(({ receptionRates: [lowest, highest] }) => lowest <= rate && rate <= highest);
  return fitting.length > 0 ? fitting.map(({ name }) => name) : ["original"];
}

/** Follows the microphone's samples, which come from the audio thread, and draws their tones where there is a canvas. */
async function listen({ port, rate, canvas }) {
  const chirp = await ready, names = heard(chirp, rate), receiver = new chirp.Receiver(rate, names);
  const waterfall = canvas && new Waterfall(canvas, chirp, rate, names);
  let [samples, told, peak] = [0, 0, 0];
  port.onmessage = ({ data }) => {
    const chirps = receiver.process(data);
    for (const sample of data) peak = Math.max(peak, Math.abs(sample));
    waterfall?.process(data);
    samples += data.length;
    // A code is told at once; what people look at four times a second, as drawing it is what costs.
    if (chirps.length === 0 && samples - told < rate / 4) return;
    waterfall?.show();
    postMessage({ samples, peak, chirps });
    [told, peak] = [samples, 0];
  };
}

/** Decodes every channel of a sound; a chirp that several have is told once. */
async function decode({ channels, rate }) {
  const chirp = await ready, found = [];
  for (const channel of channels) {
    const receiver = new chirp.Receiver(rate, heard(chirp, rate));
    for (const one of [...receiver.process(channel), ...receiver.finish()]) {
      if (!found.some((other) => areOne(other, one))) found.push(one);
    }
    receiver.free();
  }
  postMessage({ decoded: found.sort((a, b) => a.start - b.start) });
}

onmessage = ({ data }) => {
  const work = data.module ? (ready = load(data.module)) : data.port ? listen(data) : decode(data);
  work.catch((error) => postMessage({ error: error.message }));
};
