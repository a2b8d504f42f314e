// Runs in the audio thread: hands the microphone's samples on, some 20 ms at a time, by a port of their own.

const length = 1024;

class Microphone extends AudioWorkletProcessor {
  samples = new Float32Array(length);
  count = 0;
  out = this.port;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => { this.out = data; };
  }

  process([[channel]]) {
    for (const sample of channel ?? []) {
      this.samples[this.count++] = sample;
      if (this.count === length) {
        this.out.postMessage(this.samples, [this.samples.buffer]);
        this.samples = new Float32Array(length);
        this.count = 0;
      }
    }
    return true;
  }
}

registerProcessor("microphone", Microphone);
