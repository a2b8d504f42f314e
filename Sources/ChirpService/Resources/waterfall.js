// The 32 tones as they sound: time to the right, pitch upwards, what is old leaves on the left.

/** From the noise floor to full brightness, in decibels. */
const range = 36;

export class Waterfall {
  #context;
  #floor = -70;
  #waiting = [];

  constructor(canvas) {
    this.#context = canvas.getContext("2d", { alpha: false });
  }

  /** Takes columns of 32 powers. They are drawn together when the browser draws next. */
  add(columns) {
    if (columns.length === 0) return;
    if (this.#waiting.length === 0) requestAnimationFrame(() => this.#draw());
    this.#waiting.push(...columns);
  }

  #draw() {
    const columns = this.#waiting.splice(0), { canvas } = this.#context;
    const shown = columns.slice(-canvas.width);
    this.#context.drawImage(canvas, -shown.length, 0);
    const image = this.#context.createImageData(shown.length, 32);
    shown.forEach((column, x) => {
      const decibels = Array.from(column, (power) => 10 * Math.log10(Math.max(power, 1e-12)));
      // Follows the median slowly: music and hum do not lift it, as they are few.
      const median = decibels.toSorted((a, b) => a - b)[16];
      this.#floor += (Math.max(median, -100) - this.#floor) * 0.05;
      decibels.forEach((level, tone) => {
        const brightness = Math.min(1, Math.max(0, (level - this.#floor - 6) / range));
        const at = 4 * ((31 - tone) * shown.length + x);
        image.data.set([16 + 79 * brightness ** 2, 24 + 188 * brightness, 32 + 128 * brightness, 255], at);
      });
    });
    this.#context.putImageData(image, canvas.width - shown.length, 0);
  }
}
