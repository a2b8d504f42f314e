// Runs in the audio thread: hands the microphone's samples on, some 40 ms at a time.

class Microphone extends AudioWorkletProcessor {
  samples = new Float32Array(2048);
  count = 0;

  process([[channel]]) {
    for (const sample of channel ?? []) {
      this.samples[this.count++] = sample;
      if (this.count === this.samples.length) {
        this.port.postMessage(this.samples, [this.samples.buffer]);
        this.samples = new Float32Array(2048);
        this.count = 0;
      }
    }
    return true;
  }
}

registerProcessor("microphone", Microphone);
