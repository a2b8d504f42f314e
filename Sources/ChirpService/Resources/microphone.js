// Runs in the audio thread: hands the microphone's samples on, some 80 ms at a time, by a port of their own. Each time wakes
// the worker, which costs more than the samples do.

const length = 128 * Math.round(0.08 * sampleRate / 128);

class Microphone extends AudioWorkletProcessor {
  samples = new Float32Array(length);
  count = 0;
  out = this.port;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => { this.out = data; };
  }

  process([[channel]]) {
    if (!channel) return true;
    for (let from = 0; from < channel.length;) {
      const count = Math.min(channel.length - from, length - this.count);
      this.samples.set(from === 0 && count === channel.length ? channel : channel.subarray(from, from + count), this.count);
      this.count += count;
      from += count;
      if (this.count < length) continue;
      this.out.postMessage(this.samples, [this.samples.buffer]);
      this.samples = new Float32Array(length);
      this.count = 0;
    }
    return true;
  }
}

registerProcessor("microphone", Microphone);
