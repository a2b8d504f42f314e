// Reads sound files. A browser decodes a whole file into memory, four bytes a sample: what is too long is refused before.

/** Bytes that a decoded sound may have: half of the device's memory where the browser tells how much it has, 2 GB at most. */
const largestSize = Math.min(2, (navigator.deviceMemory ?? 4) / 2) * 2 ** 30;

/** How long the browser may look for a file's length, in milliseconds: some look only once a person plays it. */
const patience = 3000;

/** Seconds that a file lasts, as its header has it; NaN where the browser finds no length in it. */
async function secondsOf(file) {
  const element = new Audio(), address = URL.createObjectURL(file);
  try {
    return await new Promise((resolve) => {
      element.onloadedmetadata = () => resolve(element.duration);
      element.onerror = () => resolve(NaN);
      setTimeout(() => resolve(NaN), patience);
      element.preload = "metadata";
      element.src = address;
    });
  } finally {
    element.removeAttribute("src");
    URL.revokeObjectURL(address);
  }
}

/** The bytes of a file, or of a part of it. */
function bytesOf(file, part = file) {
  return part.arrayBuffer().catch(() => {
    throw new Error(`${file.name} cannot be read: it is too large for this browser, or not there any more.`);
  });
}

/**
 * How a file is decoded: a WAV file at its rate, if every browser decodes to that, as one of a telephone takes six times the memory at 48 kHz.
 * Of other files it is not known here what they have.
 */
async function formatOf(file) {
  const bytes = await bytesOf(file, file.slice(0, 28)), names = new TextDecoder("latin1").decode(bytes), view = new DataView(bytes);
  if (bytes.byteLength < 28 || !names.startsWith("RIFF") || !names.startsWith("WAVEfmt ", 8)) return { channels: 2, rate: 48000 };
  const rate = view.getUint32(24, true);
  return { channels: view.getUint16(22, true), rate: rate >= 8000 && rate <= 96000 ? rate : 48000 };
}

/** As people say it: “1 hour”, “2.5 hours”. */
function inHours(seconds) {
  const hours = Math.floor(10 * seconds / 3600) / 10;
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

/** The sound of a file; an Error says why there is none. */
export async function soundOf(file) {
  const [seconds, { channels, rate }] = await Promise.all([secondsOf(file), formatOf(file)]);
  const longest = largestSize / (4 * rate * channels);
  // One that was recorded in a browser may tell no length: Infinity.
  if (Number.isFinite(seconds) && seconds > longest) {
    throw new Error(`${file.name} is too long for this browser, which takes up to ${inHours(longest)} of it at once. Cut it into shorter `
      + "files, or decode it with the command chirp decode.");
  }
  const bytes = await bytesOf(file);
  return new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes).catch(() => {
    throw new Error(seconds > 600 ? `${file.name} cannot be decoded: it is damaged, or too long for this browser.`
      : `${file.name} is not a sound file that this browser can read.`);
  });
}
