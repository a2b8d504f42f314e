// What the receiver for browsers costs in Node: size, times real time, memory.
//
//     node Tools/bench-wasm.mjs [MINUTES-OF-NOISE [FOLDER-OF-THE-MODULE]]

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { noise, read } from "../Tests/Wasm/signals.mjs";

const minutes = Number(process.argv[2] ?? 60), folder = resolve(process.argv[3] ?? ".build/wasm");
const { load } = await import(`${folder}/chirp.js`);
const rate = 44100, block = 4096;
const bytes = readFileSync(`${folder}/chirp.wasm`);
console.log(`size ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} with gzip`);

/** Gives sounds to a new receiver as often as told; processor time is what counts on a machine that does more. */
async function measure(name, sounds, times, formats) {
  const chirp = await load(), receiver = new chirp.Receiver(rate, formats);
  const before = process.cpuUsage();
  let found = 0, length = 0;
  for (let time = 0; time < times; time++) {
    for (const values of sounds) {
      for (let from = 0; from < values.length; from += block) found += receiver.process(values.subarray(from, from + block)).length;
      length += values.length / rate;
    }
  }
  found += receiver.finish().length;
  const { user, system } = process.cpuUsage(before);
  const cost = (user + system) / 1e6;
  console.log(`${name}: ${length.toFixed(1)} s in ${cost.toFixed(2)} s of processor time, ${(length / cost).toFixed(1)} times real time, ` +
    `${found} chirps, ${(chirp.memory / 2 ** 20).toFixed(1)} MiB`);
}

const chirp = await load();
const clear = chirp.synthesise("gsm2h88c7u", rate);
const faint = noise(4 * rate, 0.5, 3);
clear.forEach((value, index) => { faint[rate + index] += 0.3 * value; });
const quiet = new Float32Array(4 * rate);
quiet.set(clear, rate);
await measure("a chirp in silence", [quiet], 3);
await measure("a faint chirp in noise", [faint], 3);
const hiss = noise(60 * rate, 0.1), all = chirp.formats.map(({ name }) => name);
await measure("noise", [hiss], minutes);
await measure("noise, every format", [hiss], minutes, all);
// The recordings of Tools/fetch-noise.sh, where it has fetched them.
const recordings = process.env.RECORDINGS ?? join(homedir(), ".cache/chirp/noise");
const names = existsSync(recordings) ? readdirSync(recordings, { recursive: true }).sort() : [];
const music = [];
for (const name of names) {
  if (!/^music.*\.(flac|mp3|ogg|wav)$/.test(name)) continue;
  const recording = read(join(recordings, name));
  if (recording.rate !== rate) continue;
  music.push(recording.values.slice(0, 60 * rate));
  await measure(name, music.slice(-1), 1);
}
if (music.length > 0) {
  await measure("all music again and again", music, minutes / music.length);
  await measure("all music again and again, every format", music, minutes / music.length, all);
}
