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

/** The formats that can be sent from here: all of the module's, or none but the original where there is no module. */
export const formats = maker.then((chirp) => chirp?.formats ?? [{ name: "original" }]);

/** What keeps a format from being heard from this device, in words, or null. */
export async function filtered(name) {
  const format = (await formats).find((format) => format.name === name), rate = audioContext().sampleRate;
  if (!format?.pitches || rate > 2 * Math.max(...format.pitches)) return null;
  return `This device plays at ${rate / 1000} kHz, which filters the ${name} format away: choose another.`;
}

/** The sound of a code, decoded; the page listens to nothing for it. */
export function load(code, format = "original") {
  const key = `${code} ${format}`;
  if (!sounds.has(key)) {
    const sound = (async () => {
      const chirp = await maker;
      if (chirp) {
        const samples = chirp.synthesise(code, 44100, 0.8, format);
        const buffer = new AudioBuffer({ length: samples.length, sampleRate: 44100 });
        buffer.copyToChannel(samples, 0);
        return buffer;
      }
      const answer = await fetch(`/${code}.wav`);
      if (!answer.ok) throw new Error(`The sound could not be loaded (status ${answer.status}).`);
      return new OfflineAudioContext(1, 1, 44100).decodeAudioData(await answer.arrayBuffer());
    })();
    sounds.set(key, sound);
    sound.catch(() => sounds.delete(key));
  }
  return sounds.get(key);
}

/** The pitches of a format's tones, or null where there is no module to tell them. */
export async function pitchesOf(name = "original") {
  return (await formats).find((format) => format.name === name)?.pitches ?? null;
}

/** Draws a code's spectrogram, or the service's picture of it without the module; gives back what marks a time in it. */
export async function draw(canvas, code, format = "original") {
  const pitches = await pitchesOf(format);
  if (pitches) {
    const sound = await load(code, format);
    return drawSpectrogram(canvas, sound.getChannelData(0), sound.sampleRate, pitches);
  }
  const picture = new Image();
  picture.src = `/${code}.svg`;
  await picture.decode();
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return () => {};
}

/** Plays a code from its start, ending what plays; the promise ends with the sound. */
export async function play(code, mark = () => {}, format = "original") {
  // At once: some browsers allow it only within what a person does.
  const session = navigator.audioSession;
  // An iPhone whose switch is on silent plays nothing else.
  if (session?.type === "auto") session.type = "playback";
  const context = audioContext(), resumed = context.resume();
  const reason = await filtered(format);
  if (reason) throw new Error(reason);
  const [sound] = await Promise.all([load(code, format), resumed]);
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
