/** A chirp that was heard. */
export interface Detection {
  /** Start of its first tone, in seconds from the first sample given to the receiver. */
  start: number;
  /** From the start of the first to the end of the last tone, in seconds. */
  duration: number;
  /** The ten characters that it carries. */
  code: string;
  /** The code and its eight characters of parity. */
  longcode: string;
  /** Power of the chirp over the noise power in the whole band of the recording, in decibels. */
  snrDb: number;
  /** Symbols whose strongest tone was not the decoded one. */
  corrected: number;
  /** Probability that the code is right, 0–1. */
  confidence: number;
  /** How far its pitches lie above the nominal ones, in cents. */
  tuningCents: number;
  /** How fast it was played: 1 at the format's symbol length, more when faster. */
  speed: number;
  /** Name of the format in which it was sent. */
  format: string;
  /** Copies that were added up: 1, as this receiver hears each by itself. */
  repeats: number;
  /** Channels that were: the only one, 0. */
  channels: number[];
}

/** A way in which codes are sent: `original`, `telephone`, `ultrasonic` or `fast`. */
export interface Format {
  readonly name: string;
  /** Length of a chirp in seconds. */
  readonly duration: number;
  /** Pitches of the 32 tones in hertz. */
  readonly pitches: readonly number[];
  /** Lowest and highest sample rate at which it is heard. */
  readonly receptionRates: readonly number[];
  /** Lowest and highest sample rate at which it is sent. */
  readonly synthesisRates: readonly number[];
}

/** Finds every chirp in a stream of mono samples. */
export interface Receiver {
  readonly sampleRate: number;
  /**
   * Takes a block of any size; gives back the chirps that it completed. A stream may be of any length. The samples are copied: shared
   * memory may be written anew afterwards. Throws a TypeError for samples whose buffer was transferred, or made too short for them.
   */
  process(block: Float32Array): Detection[];
  /** Ends the stream; gives back the chirps that end with it. The receiver then begins anew at time zero. */
  finish(): Detection[];
  /** Gives its memory back. It cannot be used any more. */
  free(): void;
}

/** Follows the power of each of a format’s 32 tones. */
export interface ToneMeter {
  /** Takes a block of any size; gives back 32 mean powers for every quarter of a symbol that it completed. */
  process(block: Float32Array): Float32Array[];
  free(): void;
}

export interface Chirp {
  /**
   * Listens for the formats named, for `original` where none are. Throws an Error for a rate at which one of them is not
   * heard: 8–192 kHz, for `ultrasonic` 44.1–192 kHz.
   */
  Receiver: new (rate: number, formats?: readonly string[]) => Receiver;
  /** Of the format `original` where none is named. */
  ToneMeter: new (rate: number, format?: string) => ToneMeter;
  /** All formats, the original first. */
  readonly formats: readonly Format[];
  /**
   * The sound of a code: 1.744 s, 0.72 s in the format `fast`. The rate is 44,100 Hz, the volume, 0–1, is 0.8 and the format
   * `original` where none is given.
   */
  synthesise(code: string, rate?: number, volume?: number, format?: string): Float32Array;
  /** The code with its parity, eighteen characters, of a code, a longcode, a frame or a link that ends in one. */
  longcode(text: string): string;
  /** The code, ten characters, of what people paste. Throws an Error whose message says what is wrong. */
  parse(text: string): string;
  /** Bytes that the module has taken. */
  readonly memory: number;
}

/** Where the module comes from: an address, its bytes, or the module compiled; by default the file beside chirp.js. */
export type Source = string | URL | BufferSource | WebAssembly.Module;

/** Compiles the module, to be handed to a worker. */
export function compile(source?: Source): Promise<WebAssembly.Module>;
/** Makes it ready. */
export function load(source?: Source): Promise<Chirp>;
