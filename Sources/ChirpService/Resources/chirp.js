// The receiver and the sender of chirps as a module for pages, workers, Node and Deno, without dependencies.
//
//     import { load } from "./chirp.js";
//     const chirp = await load();
//     const receiver = new chirp.Receiver(48000);
//     for (const { code, start } of receiver.process(samples)) console.log(code, start);

/** The WebAssembly beside this file, in words that bundlers follow; a service puts the name in that has its digest, or nothing where it
 * has no module. */
const ownModule = () => new URL("./chirp.wasm", import.meta.url);

async function bytesOf(address) {
  if (address.protocol === "file:") {
    // Only Node and Deno get here: a bundler for pages need not look for it.
    const files = "node:fs/promises", { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return readFile(address);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: the server answers with ${answer.status}`);
  return answer.arrayBuffer();
}

/** The module compiled: it can be handed to a worker and loaded there. */
export async function compile(source = ownModule()) {
  if (source instanceof WebAssembly.Module) return source;
  if (source === "") throw new Error("this service has no receiver for browsers: make wasm makes it");
  const isAddress = typeof source === "string" || source instanceof URL;
  return WebAssembly.compile(isAddress ? await bytesOf(new URL(source, import.meta.url)) : source);
}

/** The receiver, ready; from the file beside this one, an address, bytes, or a compiled module. */
export async function load(source) {
  const module = await compile(source);
  // What wasi-libc asks of a system: of all of it, only seeds of hash tables are used, which may well be the same for
  // everybody, so that results are. Other calls say that they are not there (ENOSYS).
  const system = {
    random_get(place, count) {
      new Uint8Array(wasm.memory.buffer, place, count).fill(0);
      return 0;
    },
    __stack_chk_fail() {
      throw new Error("the receiver's stack has overflown");
    },
  };
  const imports = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    (imports[space] ??= {})[name] = system[name] ?? (() => 52);
  }
  const { exports: wasm } = await WebAssembly.instantiate(module, imports);
  wasm._initialize?.();

  // Memory may grow and move in any call: views are made anew for each. Beyond 2 GB places come as negative numbers.
  const floats = (place, count) => new Float32Array(wasm.memory.buffer, place >>> 0, count);
  const doubles = (place, count) => new Float64Array(wasm.memory.buffer, place >>> 0, count);
  const bytes = (place, count) => new Uint8Array(wasm.memory.buffer, place >>> 0, count);

  /** Runs with room for so many bytes. */
  function withRoom(count, body) {
    const place = wasm.chirp_allocate(Math.max(16, count));
    try {
      return body(place);
    } finally {
      wasm.chirp_free(place);
    }
  }

  function answer() {
    return withRoom(1024, (place) => {
      const count = Math.min(1024, wasm.chirp_answer(place, 1024));
      return new TextDecoder().decode(bytes(place, count).slice());
    });
  }

  function withText(text, body) {
    const encoded = new TextEncoder().encode(String(text));
    return withRoom(encoded.length, (place) => {
      bytes(place, encoded.length).set(encoded);
      return body(place, encoded.length);
    });
  }

  /** A text's code and longcode. */
  function parsed(text) {
    if (!withText(text, wasm.chirp_parse)) throw new Error(answer());
    const [code, longcode] = answer().split(" ");
    return { code, longcode };
  }

  /** What the module says of each format: no constant of them stands in a script. */
  const formats = Array.from({ length: wasm.chirp_format_count() }, (_, index) => withRoom(37 * 8, (place) => {
    wasm.chirp_format(index, place);
    const [duration, lowestHeard, highestHeard, lowestSent, highestSent, ...pitches] = doubles(place, 37);
    return Object.freeze({ name: answer(), duration, pitches: Object.freeze(pitches),
      receptionRates: Object.freeze([lowestHeard, highestHeard]), synthesisRates: Object.freeze([lowestSent, highestSent]) });
  }));

  function indexOf(name) {
    const index = formats.findIndex((format) => format.name === name);
    if (index < 0) throw new Error(`there is no format “${name}”, but ${formats.map((format) => format.name).join(", ")}`);
    return index;
  }

  function synthesise(code, rate = 44100, volume = 0.8, format = "original") {
    const index = indexOf(format), count = wasm.chirp_samples_count(rate, index);
    if (count === 0) throw new Error(answer());
    return withText(code, (text, length) => withRoom(4 * count, (place) => {
      if (!wasm.chirp_synthesise(text, length, rate, volume, index, place)) throw new Error(answer());
      return floats(place, count).slice();
    }));
  }

  /** Whether a typed array still has its memory: its length is 0 where it has not, as it is of an empty one. */
  function hasMemory(block) {
    try {
      block.keys();
      return true;
    } catch {
      return false;
    }
  }

  /** Blocks are handed over in pieces of this many samples at most. */
  const longest = 16384;

  /** What takes blocks of samples, by the functions of its kind. */
  class Listening {
    #handle;
    #room = wasm.chirp_allocate(4 * longest);
    #release;

    constructor(handle, release) {
      this.#handle = handle;
      this.#release = release;
    }

    get handle() {
      if (this.#handle === 0) throw new Error("this receiver was freed");
      return this.#handle;
    }

    give(block, take) {
      // Of another frame or context it is not an instance of this one's class.
      if (Object.prototype.toString.call(block) !== "[object Float32Array]") throw new TypeError("samples are a Float32Array");
      if (block.length === 0 && !hasMemory(block)) {
        throw new TypeError("these samples are gone: their buffer was transferred, to a worker for example, or made shorter");
      }
      for (let from = 0; from < block.length; from += longest) {
        const piece = block.subarray(from, from + longest);
        floats(this.#room, piece.length).set(piece);
        take(this.#room, piece.length);
      }
    }

    free() {
      if (this.#handle === 0) return;
      this.#release(this.#handle);
      wasm.chirp_free(this.#room);
      this.#handle = 0;
    }
  }

  class Receiver {
    #listening;

    constructor(rate, names = ["original"]) {
      const bits = names.reduce((bits, name) => bits | 1 << indexOf(name), 0);
      if (bits === 0) throw new Error("a receiver listens for at least one format");
      const handle = wasm.chirp_receiver_new(rate, bits);
      if (handle === 0) throw new Error(answer());
      this.#listening = new Listening(handle, wasm.chirp_receiver_free);
      this.sampleRate = rate;
    }

    process(block) {
      const { handle } = this.#listening, found = [];
      this.#listening.give(block, (place, count) => {
        found.push(...this.#found(wasm.chirp_receiver_process(handle, place, count)));
      });
      return found;
    }

    finish() {
      return this.#found(wasm.chirp_receiver_finish(this.#listening.handle));
    }

    free() {
      this.#listening.free();
    }

    #found(count) {
      return Array.from({ length: count }, (_, index) => withRoom(64, (place) => {
        wasm.chirp_receiver_chirp(this.#listening.handle, index, place);
        const [start, duration, snrDb, corrected, confidence, tuningCents, speed, kind] = doubles(place, 8);
        const [code, longcode] = answer().split(" ");
        return { start, duration, code, longcode, snrDb, corrected, confidence, tuningCents, speed,
          format: formats[kind].name, repeats: 1, channels: [0] };
      }));
    }
  }

  class ToneMeter {
    #listening;

    constructor(rate, format = "original") {
      const index = indexOf(format), rates = formats.flatMap(({ receptionRates }) => receptionRates);
      const [lowest, highest] = [Math.min(...rates), Math.max(...rates)];
      if (!(rate >= lowest && rate <= highest)) throw new Error(`${rate} Hz: tones are measured from ${lowest} to ${highest} Hz`);
      this.#listening = new Listening(wasm.chirp_meter_new(rate, index), wasm.chirp_meter_free);
    }

    process(block) {
      const { handle } = this.#listening, columns = [];
      this.#listening.give(block, (place, count) => {
        const ready = wasm.chirp_meter_process(handle, place, count);
        for (let index = 0; index < ready; index++) {
          columns.push(withRoom(128, (place) => {
            wasm.chirp_meter_column(handle, index, place);
            return floats(place, 32).slice();
          }));
        }
      });
      return columns;
    }

    free() {
      this.#listening.free();
    }
  }

  return {
    Receiver, ToneMeter, synthesise, formats,
    parse: (text) => parsed(text).code,
    longcode: (text) => parsed(text).longcode,
    /** Bytes that the module has taken. */
    get memory() { return wasm.memory.buffer.byteLength; },
  };
}
