// A spectrogram on a canvas: time from left to right, pitch upwards, as the tones of a format lie.

const size = 2048;

/** Power spectrum of size real samples, windowed (Hann), as a radix-2 transform in place. */
function spectrum(samples, start, window, real, imaginary) {
  for (let i = 0, bit, j = 0; i < size; i++) {
    real[j] = (samples[start + i] ?? 0) * window[i];
    imaginary[j] = 0;
    // The index whose bits are those of i + 1 in reverse.
    for (bit = size >> 1; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
  }
  for (let half = 1; half < size; half *= 2) {
    const angle = -Math.PI / half;
    for (let k = 0; k < half; k++) {
      const c = Math.cos(angle * k), s = Math.sin(angle * k);
      for (let i = k; i < size; i += 2 * half) {
        const j = i + half;
        const re = real[j] * c - imaginary[j] * s, im = real[j] * s + imaginary[j] * c;
        real[j] = real[i] - re;
        imaginary[j] = imaginary[i] - im;
        real[i] += re;
        imaginary[i] += im;
      }
    }
  }
  return (bin) => real[bin] ** 2 + imaginary[bin] ** 2;
}

/** The pitch at a place among tones: 0 is the first one's, 0.5 lies half way to the second. */
function pitchAt(place, pitches) {
  const below = Math.max(0, Math.min(pitches.length - 2, Math.floor(place)));
  return pitches[below] * (pitches[below + 1] / pitches[below]) ** (place - below);
}

/** Draws a sound, a row of pixels as wide as any other among the tones' pitches; gives back a function that marks a time in seconds, or with null takes the mark away. */
export function drawSpectrogram(canvas, samples, rate, pitches) {
  const context = canvas.getContext("2d");
  const { width, height } = canvas, { length } = samples;
  const image = context.createImageData(width, height);
  const window = Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos(2 * Math.PI * (i + 0.5) / size));
  const real = new Float32Array(size), imaginary = new Float32Array(size);
  // The bins that a row of pixels covers, at least one.
  const bin = (row) => pitchAt((height - row) / height * pitches.length - 0.5, pitches) * size / rate;
  const bins = Array.from({ length: height }, (_, y) => {
    const first = Math.round(bin(y + 1)), count = Math.max(1, Math.round(bin(y)) - first);
    return Array.from({ length: count }, (_, index) => first + index);
  });
  const full = (size / 4) ** 2;
  for (let x = 0; x < width; x++) {
    const power = spectrum(samples, Math.round((x + 0.5) / width * length - size / 2), window, real, imaginary);
    for (let y = 0; y < height; y++) {
      let peak = 0;
      for (const bin of bins[y]) peak = Math.max(peak, power(bin));
      const decibels = 10 * Math.log10(peak / full + 1e-9);
      const level = Math.min(1, Math.max(0, (decibels + 50) / 50));
      const at = 4 * (y * width + x);
      image.data[at] = 16 + 79 * level ** 2;
      image.data[at + 1] = 24 + 188 * level;
      image.data[at + 2] = 32 + 128 * level;
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  // What marks a time keeps the length, and not the samples, which may be gigabytes.
  return (seconds) => {
    context.putImageData(image, 0, 0);
    if (seconds === null) return;
    context.fillStyle = "#f2a63b";
    context.fillRect(seconds * rate / length * width, 0, 2, height);
  };
}
