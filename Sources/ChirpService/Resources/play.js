// Plays codes: their sound is made here, or fetched where the browser cannot, and kept, so that it is there when asked for.

import { load as loadChirp } from "./chirp.js";
import { drawSpectrogram } from "./spectrogram.js";

let context;
let playing;
const sounds = new Map();
const maker = loadChirp().catch(() => null);

/** The context starts when a person does something; browsers allow no earlier. */
function audioContext() {
  context ??= new AudioContext();
  return context;
}

/** The sound of a code, decoded; the page listens to nothing for it. */
export function load(code) {
  if (!sounds.has(code)) {
    const sound = (async () => {
      const chirp = await maker;
      if (chirp) {
        const samples = chirp.synthesise(code, 44100);
        const buffer = new AudioBuffer({ length: samples.length, sampleRate: 44100 });
        buffer.copyToChannel(samples, 0);
        return buffer;
      }
      const answer = await fetch(`/${code}.wav`);
      if (!answer.ok) throw new Error(`The sound cannot be had (${answer.status}).`);
      return new OfflineAudioContext(1, 1, 44100).decodeAudioData(await answer.arrayBuffer());
    })();
    sounds.set(code, sound);
    sound.catch(() => sounds.delete(code));
  }
  return sounds.get(code);
}

/** Draws a code's spectrogram; gives back what marks a time in it. */
export async function draw(canvas, code) {
  const sound = await load(code);
  return drawSpectrogram(canvas, sound.getChannelData(0), sound.sampleRate);
}

/** Plays a code from its start, ending what plays; the promise ends with the sound. */
export async function play(code, mark = () => {}) {
  const context = audioContext();
  const [sound] = await Promise.all([load(code), context.resume()]);
  playing?.stop();
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  playing = source;
  source.connect(context.destination);
  const ended = new Promise((resolve) => source.addEventListener("ended", resolve, { once: true }));
  const start = context.currentTime;
  source.start();
  const step = () => {
    if (playing !== source) return;
    mark(context.currentTime - start);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  await ended;
  if (playing === source) playing = undefined;
  mark(null);
}
