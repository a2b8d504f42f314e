// A module's integers have 32 bits; a stream may have more samples than that.

import assert from "node:assert/strict";
import { test } from "node:test";
import { noise, root } from "./signals.mjs";

const { load } = await import(`${root}.build/wasm/chirp.js`);

test("hears every chirp once in a stream of more than 2³¹ samples, and tells its time", async () => {
  const chirp = await load(), rate = 44100, receiver = new chirp.Receiver(rate);
  const quiet = noise(1 << 20, 0.01), sent = chirp.synthesise("gsm2h88c7u", rate, 0.3);
  const sounding = quiet.slice(0, 5 * rate);
  sent.forEach((value, index) => { sounding[rate + index] += value; });
  let given = 0;
  const found = [], expected = [];
  const give = (block) => {
    found.push(...receiver.process(block));
    given += block.length;
  };
  const chirps = (count) => {
    for (let index = 0; index < count; index++) {
      expected.push(given / rate + 1);
      give(sounding);
    }
  };
  // Around the end of the first part, and past the 32 bits.
  while (given < 2 ** 30 - 2 * quiet.length) give(quiet);
  chirps(30);
  while (given < 2 ** 31 + quiet.length) give(quiet);
  chirps(30);
  found.push(...receiver.finish());
  assert.equal(found.length, expected.length);
  found.sort((a, b) => a.start - b.start).forEach(({ start }, index) =>
    assert.ok(Math.abs(start - expected[index]) < 0.001, `${start}, ${expected[index]}`));
  const anew = [...receiver.process(sounding), ...receiver.finish()];
  assert.equal(anew.length, 1);
  assert.ok(Math.abs(anew[0].start - 1) < 0.001, `${anew[0].start}`);
});
