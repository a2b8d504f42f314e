// The module in Deno, by its types: deno test --allow-read Tests/Deno

// @ts-types="../../.build/wasm/chirp.d.ts"
import { type Chirp, compile, type Detection, load } from "../../.build/wasm/chirp.js";

function assertEqual<Value>(found: Value, expected: Value) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

const chirp: Chirp = await load();

Deno.test("hears in every format what it sends", () => {
  for (const { name, duration, pitches } of chirp.formats) {
    assertEqual(pitches.length, 32);
    const sound: Float32Array = chirp.synthesise("gsm2h88c7u", 44100, 0.5, name);
    assertEqual(sound.length, Math.round(duration * 44100));
    const receiver = new chirp.Receiver(44100, [name]);
    const found: Detection[] = [...receiver.process(sound), ...receiver.finish()];
    receiver.free();
    assertEqual(found.map(({ code, longcode, format }) => [code, longcode, format]), [["gsm2h88c7u", "gsm2h88c7udtnef4ok", name]]);
  }
});

Deno.test("gives back what the types say, and nothing else", () => {
  const receiver = new chirp.Receiver(48000);
  const [detection] = [...receiver.process(chirp.synthesise("gsm2h88c7u", 48000)), ...receiver.finish()];
  const said: Record<keyof Detection, string> = {
    start: "number", duration: "number", code: "string", longcode: "string", snrDb: "number", corrected: "number",
    confidence: "number", tuningCents: "number", speed: "number", format: "string", repeats: "number", channels: "object",
  };
  assertEqual<unknown>(Object.fromEntries(Object.entries(detection).map(([name, value]) => [name, typeof value])), said);
  const members: Record<keyof Chirp, true> = {
    Receiver: true, ToneMeter: true, formats: true, synthesise: true, longcode: true, parse: true, memory: true,
  };
  assertEqual(Object.keys(chirp).sort(), Object.keys(members).sort());
  const columns: Float32Array[] = new chirp.ToneMeter(48000, "telephone").process(new Float32Array(48000));
  assertEqual(columns[0].length, 32);
});

Deno.test("reads codes, and says what is wrong as an Error", () => {
  assertEqual(chirp.parse("https://example.org/gsm2h88c7u"), "gsm2h88c7u");
  assertEqual(chirp.longcode("parrotbill").length, 18);
  try {
    chirp.parse("gsm2h");
  } catch (error) {
    assertEqual(error instanceof Error && error.message.includes("this one has 5"), true);
    return;
  }
  throw new Error("a code of five characters was read");
});

Deno.test("is made of a module that was compiled, and of bytes", async () => {
  const module: WebAssembly.Module = await compile();
  const bytes = await Deno.readFile(new URL("../../.build/wasm/chirp.wasm", import.meta.url));
  for (const source of [module, bytes, new URL("../../.build/wasm/chirp.wasm", import.meta.url)]) {
    assertEqual((await load(source)).parse("gsm2h88c7u"), "gsm2h88c7u");
  }
});

/** Never called: what the types refuse. An error that is not there is one, too. */
export function refused() {
  // @ts-expect-error samples are a Float32Array
  new chirp.Receiver(48000).process([0, 1]);
  // @ts-expect-error a rate is a number
  new chirp.Receiver("48000");
  // @ts-expect-error formats are a list
  new chirp.Receiver(48000, "fast");
  // @ts-expect-error a code is a text
  chirp.synthesise(7);
  // @ts-expect-error a format cannot be changed
  chirp.formats[0].name = "loud";
}
