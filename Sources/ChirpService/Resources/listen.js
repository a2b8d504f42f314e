// Listens with the microphone, and reads files. They are decoded here, in a worker, in the page where no worker begins, and by the
// service where the browser has no receiver.

import { compile, load } from "./chirp.js";
import { chirpsOf, follow } from "./decoding.js";
import { areOne, Pieces, Sightings, waveFile } from "./pieces.js";
import { ask } from "./share.js";
import { soundOf } from "./soundfile.js";

/** Why listening is impossible here, in words that say what to do. */
export function obstacle() {
  if (!window.isSecureContext) {
    return "Browsers let only pages on https use the microphone. Open this page by its https:// address.";
  }
  if (!navigator.mediaDevices?.getUserMedia || !window.AudioWorkletNode) {
    return "This browser cannot listen. A current Firefox, Chrome, Edge or Safari can.";
  }
  return null;
}

function explain(error) {
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "The microphone was refused. Allow it in the browser’s settings for this page (the symbol beside the "
        + "address), then try again.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "There is no microphone. Connect one, then try again.";
    case "NotReadableError":
    case "AbortError":
      return "The microphone does not answer: another program may be using it.";
    default:
      return `Listening does not work: ${error.message}`;
  }
}

/** What is said where the network fails while a part of the page is loaded. */
const unloaded = "a part of this page could not be loaded. Reload it, and try again.";

/** The highest rate, in hertz, that the receiver takes. */
const highestRate = 192000;

function context() {
  // Of an iPhone, else what plays is silent where its switch says so.
  if (navigator.audioSession) navigator.audioSession.type = "play-and-record";
  const own = new AudioContext({ latencyHint: "playback" });
  if (own.sampleRate <= highestRate) return own;
  own.close();
  return new AudioContext({ latencyHint: "playback", sampleRate: 48000 });
}

/** The receiver compiled, once for the page, or null where it is not to be had: the service then decodes. */
export const receiver = compile().catch(() => null);

/** How long a worker may take to begin, in milliseconds: one whose script never comes does not hold up the page. */
const workerPatience = 10000;

/** A worker with the receiver in it, ready; fails where a policy, the network or the browser lets none begin. */
async function startWorker(module) {
  const worker = new Worker(new URL("./decoder.js", import.meta.url), { type: "module" });
  try {
    await answer(worker, { module }, [], workerPatience);
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** What a worker answers to a message; fails where it tells of an error, ends, or takes longer than it may. */
async function answer(worker, message, transfer = [], patience = Infinity) {
  let timer;
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => data.error ? reject(new Error(data.error)) : resolve(data);
      worker.onerror = worker.onmessageerror = () => reject(new Error("the worker has ended"));
      if (patience < Infinity) timer = setTimeout(() => reject(new Error("the worker does not begin")), patience);
      worker.postMessage(message, transfer);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Ends when the page has done what waited. Unlike timers, which are slowed down in a page that is not shown, messages come at once. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The chirps of an answer; without links where the service could not look them all up. */
function heard({ chirps, warning }) {
  return warning ? chirps.map(({ link, ...chirp }) => link ? { ...chirp, link } : chirp) : chirps;
}

/** Decodes each channel of a sound by itself; a chirp that several have is told once. Gives back the first channel, too. */
async function decodeChannels(sound, decode) {
  const rate = sound.sampleRate, found = [];
  let samples;
  for (let index = 0; index < sound.numberOfChannels; index++) {
    const { chirps, channel } = await decode({ channel: sound.getChannelData(index), rate });
    for (const one of chirps) if (!found.some((other) => areOne(other, one))) found.push(one);
    samples ??= channel;
  }
  return { chirps: found.sort((a, b) => a.start - b.start), samples, rate };
}

/** Decodes a sound in a worker. Channels are handed over, one at a time, and not copied: afterwards the sound is empty. */
async function decodeInWorker(sound, module) {
  const worker = await startWorker(module);
  try {
    return await decodeChannels(sound, (task) => answer(worker, task, [task.channel.buffer]));
  } finally {
    worker.terminate();
  }
}

async function decodeInPage(sound, module) {
  const chirp = await load(module);
  return decodeChannels(sound, async (task) => ({ ...task, chirps: await chirpsOf(chirp, task, pause) }));
}

/** Every chirp in a sound file, and the sound of its first channel; by the service where the browser cannot decode them. */
export async function decodeFile(file) {
  const module = await receiver, sound = await soundOf(file);
  if (!module) {
    const answer = await ask("/decode", { method: "POST", body: file });
    if (!answer.ok) throw new Error(`The service answered with status ${answer.status}.`);
    return { chirps: heard(await answer.json()), samples: sound.getChannelData(0), rate: sound.sampleRate };
  }
  // What a worker took with it when it ended is read again.
  return await decodeInWorker(sound, module).catch(async () => decodeInPage(await soundOf(file), module));
}

/** What a listener is told: onChirp(chirp), onLevel(0–1), onTrouble(text or null), onEnd(text or null). */
export class Listener {
  #told;
  #canvas;
  #stream;
  #context;
  #worker;
  #sightings = new Sightings();
  #posting = 0;
  #blockedUntil = 0;
  /** What is weaker here than it could be, for as long as there is nothing worse. */
  #warning = null;
  /** Why it has ended. */
  #reason = null;

  /** The tones are drawn on a canvas, which nothing else has drawn on. */
  constructor(told, canvas) {
    this.#told = told;
    this.#canvas = canvas;
  }

  /** Begins to listen, or throws an Error whose message says what to do. */
  async start() {
    const reason = obstacle();
    if (reason) throw new Error(reason);
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 },
      });
      this.#context = context();
      await this.#context.audioWorklet.addModule("/assets/microphone.js").catch(() => { throw new Error(unloaded); });
      await this.#context.resume();
      await this.#connect();
    } catch (error) {
      // Whatever fails, the microphone is not left on.
      this.#close();
      throw new Error(this.#reason ?? explain(error));
    }
  }

  async #connect() {
    const source = new MediaStreamAudioSourceNode(this.#context, { mediaStream: this.#stream });
    const node = new AudioWorkletNode(this.#context, "microphone", { numberOfOutputs: 0, channelCount: 1,
      channelCountMode: "explicit" });
    const context = this.#context;
    context.addEventListener("statechange", () => this.#stateChanged(context));
    document.addEventListener("visibilitychange", this.#resume);
    const track = this.#stream.getAudioTracks()[0];
    track.addEventListener("ended", () => this.stop("The microphone is gone. Connect it, then listen again."));
    track.addEventListener("mute", () => this.#tell("The microphone is muted."));
    track.addEventListener("unmute", () => this.#tell(null));
    const settings = track.getSettings();
    const rate = Math.min(settings.sampleRate ?? Infinity, context.sampleRate);
    if (rate < 22000) {
      this.#warning = `Sound comes in at ${rate / 1000} kHz, too little for the highest tones: weak chirps are missed.`;
    } else if (rate < 44100) {
      this.#warning = `Sound comes in at ${rate / 1000} kHz: ultrasonic chirps do not come through, others do.`;
    } else if (settings.noiseSuppression || settings.echoCancellation) {
      this.#warning = "This device filters the sound for speech, which weakens chirps, ultrasonic ones most.";
    }
    if (track.muted) this.#tell("The microphone is muted.");
    else if (this.#warning) this.#tell(null);
    const module = await receiver;
    if (context !== this.#context) throw new Error("it has ended");
    if (module) await this.#decodeHere(module, node);
    else this.#decodeThere(node);
    source.connect(node);
  }

  /** Says what is wrong now, or what is weaker than it could be. */
  #tell(trouble) {
    this.#told.onTrouble(trouble ?? this.#warning);
  }

  /** Sound goes from the audio thread to the worker, and nowhere else. */
  async #decodeHere(module, node) {
    const context = this.#context, worker = await startWorker(module).catch(() => null);
    if (context !== this.#context) {
      worker?.terminate();
      throw new Error("it has ended");
    }
    if (!worker) return this.#decodeInPage(module, node);
    this.#worker = worker;
    worker.onmessage = ({ data }) => data.error ? this.#replaceWorker(module, node) : this.#hear(data);
    worker.onerror = worker.onmessageerror = () => this.#replaceWorker(module, node);
    // Older browsers can only draw in the page, which takes more than it is worth.
    const canvas = this.#canvas.transferControlToOffscreen?.(), port = this.#portOf(node), { sampleRate: rate } = context;
    this.#canvas.hidden = !canvas;
    worker.postMessage({ port, rate, canvas }, canvas ? [port, canvas] : [port]);
  }

  /** The page goes on where the worker has ended. */
  #replaceWorker(module, node) {
    if (!this.#worker) return;
    this.#worker.terminate();
    this.#worker = undefined;
    this.#canvas.hidden = true;
    this.#decodeInPage(module, node).catch((error) => this.stop(`Listening does not work: ${error.message}`));
  }

  async #decodeInPage(module, node) {
    const context = this.#context, chirp = await load(module);
    if (context !== this.#context) throw new Error("it has ended");
    const inPage = "Tones are not drawn, and the page may react late, as this browser lets it decode nothing in the background.";
    this.#warning = [this.#warning, inPage].filter(Boolean).join(" ");
    if (!this.#stream.getAudioTracks()[0].muted) this.#tell(null);
    follow(chirp, { port: this.#portOf(node), rate: context.sampleRate }, (told) => {
      if (context !== this.#context) return;
      if (told.error) this.stop(`Listening does not work: ${told.error}`);
      else this.#hear(told);
    });
  }

  /** Where the microphone's samples come out from now on. */
  #portOf(node) {
    const { port1, port2 } = new MessageChannel();
    node.port.postMessage(port1, [port1]);
    return port2;
  }

  #hear({ peak, chirps }) {
    this.#told.onLevel(peak);
    for (const chirp of chirps) this.#told.onChirp(chirp);
  }

  #decodeThere(node) {
    const pieces = new Pieces(this.#context.sampleRate);
    node.port.onmessage = ({ data }) => {
      let peak = 0;
      for (const sample of data) peak = Math.max(peak, Math.abs(sample));
      this.#told.onLevel(peak);
      for (const piece of pieces.add(data)) this.#post(piece, this.#context.sampleRate);
    };
  }

  #resume = () => {
    if (!document.hidden) this.#context?.resume();
  };

  #stateChanged(context) {
    if (context !== this.#context || context.state === "closed") return;
    this.#tell(context.state === "running" ? null : "The browser has paused listening. Bring this page to the front to continue.");
  }

  stop(reason = null) {
    if (!this.#stream) return;
    this.#reason = reason;
    this.#close();
    this.#told.onEnd(reason);
  }

  #close() {
    this.#stream?.getTracks().forEach((track) => track.stop());
    document.removeEventListener("visibilitychange", this.#resume);
    this.#worker?.terminate();
    this.#context?.close();
    if (navigator.audioSession) navigator.audioSession.type = "auto";
    this.#stream = this.#context = this.#worker = undefined;
  }

  /** Sends a piece; when the service is slower than the sound, the ear is closed for a moment rather than late. */
  async #post(piece, rate) {
    if (this.#posting >= 4 || performance.now() < this.#blockedUntil) return;
    this.#posting++;
    try {
      const answer = await fetch("/decode", {
        method: "POST", headers: { "Content-Type": "audio/wav" }, body: waveFile(piece.samples, rate),
      }).catch(() => { throw new Error("The service is unreachable. Listening continues."); });
      if (!this.#stream) return;
      if (answer.status === 429 || answer.status === 503) {
        this.#blockedUntil = performance.now() + 1000 * Number(answer.headers.get("Retry-After") || 2);
        throw new Error("The service is busy: some sound was not decoded.");
      }
      if (!answer.ok) throw new Error(`The service answered with status ${answer.status}.`);
      const chirps = heard(await answer.json());
      this.#tell(null);
      for (const chirp of chirps) {
        if (this.#sightings.isNew(chirp.code, piece.start + chirp.start, chirp.duration)) this.#told.onChirp(chirp);
      }
    } catch (error) {
      // After the end nothing is told of it any more.
      if (this.#stream) this.#tell(error.message);
    } finally {
      this.#posting--;
    }
  }
}
