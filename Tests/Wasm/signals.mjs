// What tests of the module share: sounds, and the native program beside it.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const samples = readdirSync(`${root}Samples`).filter((name) => name.endsWith(".flac")).map((name) => `${root}Samples/${name}`);

/** Runs the native program; gives back what it prints. That it found nothing is no failure. */
export function native(...options) {
  const binary = process.env.CHIRP ?? `${root}.build/release/chirp`;
  try {
    return execFileSync(binary, options, {
      encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CHIRP_HISTORY: "off", CHIRP_REGISTRY: "/nowhere" },
    });
  } catch (error) {
    if (error.status !== 1) throw error;
    return error.stdout;
  }
}

/** What the native program finds in the first channels of sound files. */
export function decodeNatively(...paths) {
  return native("decode", "--json", ...paths).split("\n").filter(Boolean).map((line) => JSON.parse(line))
    .filter((chirp) => chirp.channel === 0);
}

/** The rate of a sound file and its first channel, by ffmpeg. */
export function read(path) {
  const rate = Number(execFileSync("ffprobe", [
    "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=sample_rate", "-of", "csv=p=0", path], { encoding: "utf8" }));
  const raw = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-af", "pan=mono|c0=c0", "-f", "f32le", "-"], { maxBuffer: 1 << 30 });
  return { rate, values: new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length)) };
}

/** A WAV file of one channel of floats. */
export function wave(values, rate) {
  const file = Buffer.alloc(44 + 4 * values.length);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + 4 * values.length, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(3, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(4 * rate, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(32, 34);
  file.write("data", 36);
  file.writeUInt32LE(4 * values.length, 40);
  values.forEach((value, index) => file.writeFloatLE(value, 44 + 4 * index));
  return file;
}

/** White noise of a standard deviation, the same for every run. */
export function noise(count, deviation, seed = 1) {
  // SplitMix32: steps of the golden ratio, scrambled. A plain congruential generator's pairs lie on few lines, and Box and
  // Muller's method makes a sound of them that is not white.
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let value = Math.imul(state ^ state >>> 16, 0x21f0aaad);
    value = Math.imul(value ^ value >>> 15, 0x735a2d97);
    return (((value ^ value >>> 15) >>> 0) + 0.5) / 2 ** 32;
  };
  return Float32Array.from({ length: count }, () =>
    deviation * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}
