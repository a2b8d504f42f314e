// The module in Node, beside the native program: node --test Tests/Wasm/

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { differences } from "./comparison.mjs";
import { decodeNatively, native, noise, read, root, samples, wave } from "./signals.mjs";

const folder = process.env.CHIRP_WASM ?? `${root}.build/wasm`;
const { compile, load } = await import(`${folder}/chirp.js`);
const chirp = await load();
const vectors = JSON.parse(readFileSync(`${root}Tests/ChirpTests/Vectors/longcodes.json`, "utf8")).vectors;
const work = mkdtempSync(join(tmpdir(), "chirp-wasm-"));
after(() => rmSync(work, { recursive: true }));

function decode(values, rate, block = values.length, formats = undefined) {
  const receiver = new chirp.Receiver(rate, formats), found = [];
  for (let from = 0; from < values.length; from += block) found.push(...receiver.process(values.subarray(from, from + block)));
  found.push(...receiver.finish());
  receiver.free();
  return found.sort((a, b) => a.start - b.start);
}

/** The same codes; times and levels as near as rounding and another transform leave them. */
function assertSame(found, expected) {
  assert.deepEqual(differences(found, expected), []);
}

for (const path of samples) {
  test(`finds in ${path.slice(root.length)} what the native receiver finds`, () => {
    const { rate, values } = read(path);
    const expected = decodeNatively(path);
    assert.ok(expected.length > 0);
    assertSame(decode(values, rate), expected);
  });
}

test("finds in noise, loud and faint, at several rates, what the native receiver finds", () => {
  const trials = [];
  for (const rate of [8000, 16000, 22050, 32000, 44100, 48000, 96000, 192000]) {
    for (const level of [0.3, 0.6, 1.2]) {
      const seed = trials.length + 1;
      // Of a rate that has every tone, by taking each second, third or sixth sample where the rate is lower.
      const step = rate < 22050 ? 6 : 1;
      const sent = chirp.synthesise(vectors[seed % vectors.length].code, rate * step, 0.5).filter((_, index) => index % step === 0);
      const values = noise(3 * rate, level * Math.sqrt(rate / 44100), seed);
      sent.forEach((value, index) => { values[Math.floor(rate / 2) + index] += value; });
      const path = join(work, `${seed}.wav`);
      writeFileSync(path, wave(values, rate));
      trials.push({ path, values, rate });
    }
  }
  const all = decodeNatively(...trials.map(({ path }) => path));
  assert.ok(all.length > trials.length / 2, `${all.length} of ${trials.length}`);
  for (const { path, values, rate } of trials) assertSame(decode(values, rate), all.filter(({ file }) => file === path));
});

test("gives every code of the vectors its parity", () => {
  assert.ok(vectors.length > 3);
  for (const { code, parity } of vectors) {
    assert.equal(chirp.longcode(code), code + parity);
    assert.equal(chirp.parse(`https://example.org/${code.toUpperCase()}${parity}?a=b`), code);
    assert.equal(chirp.parse(`“hj${code}${parity}”`), code);
  }
});

for (const rate of [22050, 44100, 48000]) {
  test(`sends at ${rate} Hz what the native synthesiser sends`, () => {
    for (const { code } of vectors.slice(0, 4)) {
      const path = join(work, `${code}-${rate}.wav`);
      native("send", code, "-o", path, "--rate", String(rate), "--volume", "0.5");
      const { rate: written, values } = read(path);
      assert.equal(written, rate);
      const sent = chirp.synthesise(code, rate, 0.5);
      // The native program may put silence around it; files have 16 bits.
      let best = Infinity;
      for (let shift = 0; shift <= values.length - sent.length; shift++) {
        let greatest = 0;
        for (let index = 0; index < sent.length && greatest < best; index++) {
          greatest = Math.max(greatest, Math.abs(sent[index] - values[shift + index]));
        }
        best = Math.min(best, greatest);
      }
      assert.ok(best < 1.1 / 32768, `${code}: ${best * 32768} of 16 bits`);
    }
  });
}

for (const { code } of vectors) {
  test(`hears ${code} as it sends it`, () => {
    for (const rate of [22050, 48000]) {
      const sent = chirp.synthesise(code, rate);
      assert.equal(sent.length, Math.round(1.744 * rate));
      assert.deepEqual(decode(sent, rate).map((one) => one.code), [code]);
    }
  });
}

test("has the formats of the native program", () => {
  assert.deepEqual(chirp.formats.map(({ name }) => name), ["original", "telephone", "ultrasonic", "fast"]);
  for (const { pitches } of chirp.formats) assert.equal(pitches.length, 32);
  assert.throws(() => new chirp.Receiver(44100, ["loud"]), /no format “loud”/);
  assert.throws(() => new chirp.Receiver(44100, []), /at least one format/);
  assert.throws(() => new chirp.Receiver(32000, ["ultrasonic"]), /32000 Hz.*44100 Hz to 192000 Hz/);
});

test("measures tones at rates of sound only", () => {
  for (const rate of [0, -44100, NaN, Infinity, 1e300, 7999, "fast", undefined]) {
    assert.throws(() => new chirp.ToneMeter(rate), /tones are measured from 8000 to 192000 Hz/);
  }
  assert.equal(new chirp.ToneMeter(8000).process(new Float32Array(8000)).length > 40, true);
});

for (const { name } of chirp.formats) {
  test(`hears what the native program sends as ${name}, and the same as it`, () => {
    for (const { code } of vectors.slice(0, 4)) {
      const clear = join(work, `${code}-${name}.wav`), path = join(work, `${code}-${name}-noisy.wav`);
      native("send", code, "--format", name, "-o", clear, "--rate", "44100", "--volume", "0.5");
      const { rate, values: sent } = read(clear);
      const values = noise(sent.length + 2 * rate, 0.3, 5);
      sent.forEach((value, index) => { values[rate + index] += value; });
      writeFileSync(path, wave(values, rate));
      const expected = native("decode", "--json", "--format", name, path).split("\n").filter(Boolean).map(JSON.parse);
      const found = decode(values, rate, values.length, [name]);
      assert.deepEqual(found.map((one) => [one.code, one.format]), [[code, name]]);
      const copies = ({ repeats, channels }) => [repeats, channels];
      assert.deepEqual(found.map(copies), expected.map(copies));
      assertSame(found, expected);
    }
  });
}

test("is used as the example shows", () => {
  const said = execFileSync("node", [join(root, "Examples/JavaScript/roundtrip.mjs"), "kingfisher"], { encoding: "utf8" });
  assert.match(said, /^kingfisher \(kingfisher[0-9a-v]{8}\) at -?0\.00\d s, confidence (1\.000|0\.99\d)\n$/);
});

test("takes samples of another context", () => {
  const samples = runInNewContext("new Float32Array(1000)"), receiver = new chirp.Receiver(44100);
  assert.deepEqual(receiver.process(samples), []);
  assert.throws(() => receiver.process(runInNewContext("new Float64Array(1000)")), TypeError);
  receiver.free();
});

test("says of samples whose memory is gone that it is, and takes none for silence", () => {
  const receiver = new chirp.Receiver(44100), meter = new chirp.ToneMeter(44100);
  const transferred = new Float32Array(1000), buffer = new ArrayBuffer(4000, { maxByteLength: 4000 }), shortened = new Float32Array(buffer, 0, 1000);
  structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
  buffer.resize(2000);
  for (const samples of [transferred, shortened]) {
    for (const taker of [receiver, meter]) assert.throws(() => taker.process(samples), /^TypeError: these samples are gone: .*transferred/);
  }
  assert.deepEqual(receiver.process(new Float32Array(0)), []);
  receiver.free();
  meter.free();
});

test("takes samples in memory that is shared, and in memory of a variable length", () => {
  const sent = chirp.synthesise("gsm2h88c7u"), { byteLength } = sent;
  for (const buffer of [new SharedArrayBuffer(byteLength), new ArrayBuffer(byteLength, { maxByteLength: 2 * byteLength })]) {
    const samples = new Float32Array(buffer);
    samples.set(sent);
    assert.deepEqual(decode(samples, 44100).map(({ code }) => code), ["gsm2h88c7u"]);
  }
});

test("finds the same however the samples are cut", () => {
  const rate = 44100, values = noise(5 * rate, 0.1, 7);
  chirp.synthesise("parrotbill", rate, 0.1).forEach((value, index) => { values[rate + index] += value; });
  const whole = decode(values, rate);
  assert.equal(whole.length, 1);
  for (const block of [128, 1024, 4096, 100_000]) assert.deepEqual(decode(values, rate, block), whole);
});

test("begins anew at time zero after the end", () => {
  const receiver = new chirp.Receiver(48000), sent = chirp.synthesise("gsm2h88c7u", 48000);
  const rounds = [0, 1].map(() => [...receiver.process(sent), ...receiver.finish()]);
  assert.deepEqual(rounds[0], rounds[1]);
  assert.equal(rounds[0].length, 1);
});

test("says what is wrong as an Error", () => {
  assert.throws(() => new chirp.Receiver(4000), /^Error: .*4000 Hz.*8000 Hz to 192000 Hz/);
  for (const rate of [NaN, Infinity, -Infinity, 1e300, undefined]) {
    assert.throws(() => new chirp.Receiver(rate), /8000 Hz to 192000 Hz/);
    if (rate !== undefined) assert.throws(() => chirp.synthesise("gsm2h88c7u", rate), /22050 Hz to 192000 Hz/);
  }
  assert.throws(() => chirp.synthesise("gsm2h88c7u", 8000), /8000 Hz.*22050 Hz to 192000 Hz/);
  assert.throws(() => new chirp.Receiver(44100).process([0, 1]), TypeError);
});

test("says of a text that is no code what the native program says", () => {
  for (const text of ["gsm2h88c7w", "gsm2h88c7udtnef4oo", "gsm2h", "aagsm2h88c7udtnef4ok", "é", "https://example.org/"]) {
    let message;
    assert.throws(() => chirp.parse(text), (error) => { message = error.message; return error instanceof Error; });
    let said = "";
    try {
      native("send", text, "-o", join(work, "none.wav"));
    } catch (error) {
      said = error.stderr;
    }
    assert.ok(said.includes(message), `${message}\n${said}`);
  }
});

test("a receiver that was freed says so", () => {
  const receiver = new chirp.Receiver(44100);
  receiver.free();
  receiver.free();
  assert.throws(() => receiver.process(new Float32Array(10)), /freed/);
  assert.throws(() => receiver.finish(), /freed/);
});

test("gives back the memory of receivers and sounds that were freed", async () => {
  const own = await load();
  const round = () => {
    const receiver = new own.Receiver(44100);
    receiver.process(own.synthesise("gsm2h88c7u"));
    receiver.finish();
    receiver.free();
  };
  for (let count = 0; count < 3; count++) round();
  const first = own.memory;
  for (let count = 0; count < 20; count++) round();
  assert.equal(own.memory, first);
});

test("takes no more memory for twenty minutes of noise than for five, and at most 32 MB", async () => {
  const own = await load();
  const receiver = new own.Receiver(44100), minute = noise(60 * 44100, 0.1);
  // A page more is taken where places are looked at for the first time, which noise has now and then.
  for (let count = 0; count < 5; count++) receiver.process(minute);
  const first = own.memory;
  for (let count = 5; count < 20; count++) assert.deepEqual(receiver.process(minute), []);
  assert.equal(own.memory, first);
  assert.ok(own.memory <= 32e6, `${own.memory} bytes`);
});

test("has at most 300 KB with gzip", () => {
  const bytes = readFileSync(`${folder}/chirp.wasm`);
  assert.ok(gzipSync(bytes, { level: 9 }).length <= 300_000, `${bytes.length} bytes`);
});

test("is compiled once and loaded in a worker", async () => {
  const worker = new Worker(`
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.address).then(async ({ load }) => {
      const chirp = await load(workerData.module);
      const receiver = new chirp.Receiver(44100);
      parentPort.postMessage([...receiver.process(chirp.synthesise("gsm2h88c7u")), ...receiver.finish()].map(({ code }) => code));
    });`, { eval: true, workerData: { address: `file://${folder}/chirp.js`, module: await compile() } });
  const codes = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  await worker.terminate();
  assert.deepEqual(codes, ["gsm2h88c7u"]);
});
