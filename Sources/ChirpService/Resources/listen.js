// Listens with the microphone and has the service decode what is heard.

import { Pieces, Sightings, waveFile } from "./pieces.js";

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

/** What a listener is told: onChirp(chirp), onLevel(0–1), onTrouble(text or null), onEnd(text or null). */
export class Listener {
  #told;
  #stream;
  #context;
  #sightings = new Sightings();
  #posting = 0;
  #blockedUntil = 0;

  constructor(told) {
    this.#told = told;
  }

  /** Begins to listen, or throws an Error whose message says what to do. */
  async start() {
    const reason = obstacle();
    if (reason) throw new Error(reason);
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 },
      });
      this.#context = new AudioContext({ latencyHint: "playback" });
      await this.#context.audioWorklet.addModule("/assets/microphone.js");
      await this.#context.resume();
    } catch (error) {
      this.#close();
      throw new Error(explain(error));
    }
    const source = new MediaStreamAudioSourceNode(this.#context, { mediaStream: this.#stream });
    const node = new AudioWorkletNode(this.#context, "microphone", { numberOfOutputs: 0, channelCount: 1,
      channelCountMode: "explicit" });
    const pieces = new Pieces(this.#context.sampleRate);
    node.port.onmessage = ({ data }) => {
      let peak = 0;
      for (const sample of data) peak = Math.max(peak, Math.abs(sample));
      this.#told.onLevel(peak);
      for (const piece of pieces.add(data)) this.#post(piece, this.#context.sampleRate);
    };
    source.connect(node);
    this.#stream.getAudioTracks()[0].addEventListener("ended", () => this.stop("The microphone is gone."));
  }

  stop(reason = null) {
    if (!this.#stream) return;
    this.#close();
    this.#told.onEnd(reason);
  }

  #close() {
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#context?.close();
    this.#stream = this.#context = undefined;
  }

  /** Sends a piece; when the service is slower than the sound, the ear is closed for a moment rather than late. */
  async #post(piece, rate) {
    if (this.#posting >= 4 || performance.now() < this.#blockedUntil) return;
    this.#posting++;
    try {
      const answer = await fetch("/decode", {
        method: "POST", headers: { "Content-Type": "audio/wav" }, body: waveFile(piece.samples, rate),
      });
      if (answer.status === 429 || answer.status === 503) {
        this.#blockedUntil = performance.now() + 1000 * Number(answer.headers.get("Retry-After") || 2);
        throw new Error("The service is busy, and some sound goes unheard.");
      }
      if (!answer.ok) throw new Error(`The service answers with ${answer.status}.`);
      const { chirps } = await answer.json();
      this.#told.onTrouble(null);
      for (const chirp of chirps) {
        if (this.#sightings.isNew(chirp.code, piece.start + chirp.start)) this.#told.onChirp(chirp);
      }
    } catch (error) {
      const text = error instanceof TypeError ? "The service is out of reach. Listening goes on." : error.message;
      this.#told.onTrouble(text);
    } finally {
      this.#posting--;
    }
  }
}
