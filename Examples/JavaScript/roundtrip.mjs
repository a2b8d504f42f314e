// Makes a code's sound and finds it: node roundtrip.mjs [CODE]
import { load } from "../../.build/wasm/chirp.js";

const rate = 44100, chirp = await load();
const samples = chirp.synthesise(process.argv[2] ?? "gsm2h88c7u", rate);

const receiver = new chirp.Receiver(rate);
for (let from = 0; from < samples.length; from += 4096) {
  for (const found of receiver.process(samples.subarray(from, from + 4096))) report(found);
}
for (const found of receiver.finish()) report(found);
receiver.free();

function report({ code, longcode, start, confidence }) {
  console.log(`${code} (${longcode}) at ${start.toFixed(3)} s, confidence ${confidence.toFixed(3)}`);
}
