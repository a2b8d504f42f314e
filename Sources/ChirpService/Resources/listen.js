// Listens with the microphone. What is heard is decoded here, in a worker, and by the service where the browser cannot.

import { compile } from "./chirp.js";
import { Pieces, Sightings, waveFile } from "./pieces.js";
import { ask } from "./share.js";

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

/** A worker with the receiver in it. */
function worker(module) {
  const worker = new Worker(new URL("./decoder.js", import.meta.url), { type: "module" });
  worker.postMessage({ module });
  return worker;
}

/** The chirps of an answer; without links where the service could not look them all up. */
function heard({ chirps, warning }) {
  return warning ? chirps.map(({ link, ...chirp }) => link ? { ...chirp, link } : chirp) : chirps;
}

/** Every chirp in a sound file, and its sound; by the service where the browser cannot decode them. */
export async function decodeFile(file) {
  const bytes = await file.arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes).catch(() => {
    throw new Error(`${file.name} is not a sound file that this browser can read.`);
  });
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index).slice());
  const samples = sound.getChannelData(0);
  const module = await receiver;
  if (!module) {
    const answer = await ask("/decode", { method: "POST", body: file });
    if (!answer.ok) throw new Error(`The service answered with status ${answer.status}.`);
    return { chirps: heard(await answer.json()), samples, rate: sound.sampleRate };
  }
  const decoder = worker(module);
  try {
    const chirps = await new Promise((resolve, reject) => {
      decoder.onmessage = ({ data }) => data.error ? reject(new Error(data.error)) : resolve(data.decoded);
      decoder.onerror = () => reject(new Error(`The file is not decoded: ${unloaded}`));
      decoder.postMessage({ channels, rate: sound.sampleRate }, channels.map((channel) => channel.buffer));
    });
    return { chirps, samples, rate: sound.sampleRate };
  } finally {
    decoder.terminate();
  }
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
    if (module) this.#decodeHere(module, node);
    else this.#decodeThere(node);
    source.connect(node);
  }

  /** Says what is wrong now, or what is weaker than it could be. */
  #tell(trouble) {
    this.#told.onTrouble(trouble ?? this.#warning);
  }

  /** Sound goes from the audio thread to the worker, and nowhere else. */
  #decodeHere(module, node) {
    this.#worker = worker(module);
    this.#worker.onmessage = ({ data }) => {
      if (data.error) return this.stop(`Listening does not work: ${data.error}`);
      this.#told.onLevel(data.peak);
      for (const chirp of data.chirps) this.#told.onChirp(chirp);
    };
    this.#worker.onerror = () => this.stop(`Listening has ended: ${unloaded}`);
    const { port1, port2 } = new MessageChannel();
    node.port.postMessage(port1, [port1]);
    // Older browsers can only draw in the page, which takes more than it is worth.
    const canvas = this.#canvas.transferControlToOffscreen?.();
    this.#canvas.hidden = !canvas;
    const { sampleRate: rate } = this.#context;
    this.#worker.postMessage({ port: port2, rate, canvas }, canvas ? [port2, canvas] : [port2]);
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
