// Sound cut into short pieces that overlap, so that every chirp lies whole within one of them.

/** A chirp lasts 1.744 s, 2.5 % more when it is slow; pieces overlap by 2.2 s. */
export const pieceSeconds = 3.6;
export const stepSeconds = 1.4;

export class Pieces {
  constructor(rate) {
    this.rate = rate;
    this.piece = new Float32Array(Math.round(pieceSeconds * rate));
    this.step = Math.round(stepSeconds * rate);
    this.filled = 0;
    this.position = 0;
  }

  /** Takes samples; gives back { start, samples } whenever a piece is full, its start in seconds of listening. */
  add(samples) {
    const complete = [];
    for (let from = 0; from < samples.length;) {
      const count = Math.min(samples.length - from, this.piece.length - this.filled);
      this.piece.set(samples.subarray(from, from + count), this.filled);
      this.filled += count;
      from += count;
      if (this.filled === this.piece.length) {
        complete.push({ start: this.position / this.rate, samples: this.piece.slice() });
        this.piece.copyWithin(0, this.step);
        this.filled -= this.step;
        this.position += this.step;
      }
    }
    return complete;
  }
}

/** Samples as a WAV file of 16 bits. */
export function waveFile(samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, i) => view.setInt16(44 + 2 * i, Math.max(-1, Math.min(1, sample)) * 32767, true));
  return view.buffer;
}

/** Whether two chirps are the same one: the next one of a code begins where the first has ended. */
export function areOne(one, other) {
  const first = one.start < other.start ? one : other;
  return one.code === other.code && Math.abs(one.start - other.start) < 0.9 * first.duration;
}

/** Tells a chirp that is heard in two pieces from one that is sent twice. */
export class Sightings {
  #seen = [];

  /** Whether a chirp of a code that begins at so many seconds of listening, and lasts so many, is new. */
  isNew(code, start, duration) {
    const chirp = { code, start, duration };
    this.#seen = this.#seen.filter((one) => start - one.start < 60);
    if (this.#seen.some((one) => areOne(one, chirp))) return false;
    this.#seen.push(chirp);
    return true;
  }
}
