// The regression gate's trials through the module in Node.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { compareAll } from "./comparison.mjs";
import { root } from "./signals.mjs";

const { load } = await import(`${root}.build/wasm/chirp.js`);
const rows = 9, perRow = 56;

test("hears in 504 trials of the regression gate what the native receiver hears", async () => {
  const trials = spawn(process.env.CHIRP_GATE_TRIALS ?? `${root}.build/release/gate-trials`, [perRow], {
    stdio: ["ignore", "pipe", "inherit"] });
  const end = once(trials, "close");
  const result = await compareAll(await load(), trials.stdout);
  assert.deepEqual(await end, [0, null]);
  assert.deepEqual(result.differences, []);
  assert.equal(result.trials, rows * perRow);
  assert.ok(result.tipped.length <= 0.01 * result.trials, `${result.tipped}`);
  // Some of them are too faint to be heard.
  assert.ok(result.chirps > 0.7 * result.trials && result.chirps < result.trials, `${result.chirps} chirps`);
});
