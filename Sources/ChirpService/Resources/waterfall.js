// The tones as they sound: time to the right, pitch upwards, what is old leaves on the left.

/**
 * From a band's noise, how many decibels up a tone begins to show, and how many more to full brightness. White noise is as far
 * up once in two hours: a tone's power is distributed exponentially, and 14 dB above the median is e^-17.
 */
const threshold = 14, range = 30;

/** The colours of brightness 0 to 255, opaque, in the order in which a canvas has bytes. */
const palette = Uint8Array.from({ length: 4 * 256 }, (_, index) => {
  const brightness = (index >> 2) / 255;
  return [16 + 79 * brightness ** 2, 24 + 188 * brightness, 32 + 128 * brightness, 255][index & 3];
});
const colours = new Uint32Array(palette.buffer);

/** The tones of some formats, each pitch once, with a meter for those formats whose tones no other has. */
function bandsOf(chirp, rate, names) {
  const known = new Set(), bands = [];
  for (const { name, pitches } of chirp.formats.filter(({ name }) => names.includes(name))) {
    const rows = pitches.flatMap((pitch, tone) => known.has(pitch.toFixed(3)) ? [] : [{ pitch, tone }]);
    if (rows.length === 0) continue;
    for (const { pitch } of rows) known.add(pitch.toFixed(3));
    bands.push({ rows, meter: new chirp.ToneMeter(rate, name), floor: -70, columns: [] });
  }
  const rows = bands.flatMap(({ rows }) => rows).sort((a, b) => b.pitch - a.pitch);
  rows.forEach((row, y) => { row.y = y; });
  return bands;
}

export class Waterfall {
  #context;
  #bands;
  #height;
  #waiting = [];
  /** Columns on the right of the last one that is not all dark. */
  #darkFor = Infinity;

  constructor(canvas, chirp, rate, names) {
    this.#bands = bandsOf(chirp, rate, names);
    this.#height = canvas.height = this.#bands.reduce((sum, { rows }) => sum + rows.length, 0);
    this.#context = canvas.getContext("2d", { alpha: false });
    this.#context.fillStyle = `rgb(${palette.subarray(0, 3)})`;
    this.#context.fillRect(0, 0, canvas.width, canvas.height);
  }

  /** Takes samples. */
  process(samples) {
    for (const band of this.#bands) band.columns.push(...band.meter.process(samples));
  }

  /** Draws what was heard since the last time when the browser draws next, and nothing while all is dark. */
  show() {
    const { width } = this.#context.canvas, count = Math.min(...this.#bands.map(({ columns }) => columns.length));
    const isFirst = this.#waiting.length === 0;
    for (let index = 0; index < count; index++) {
      const column = new Uint8ClampedArray(this.#height);
      for (const band of this.#bands) this.#light(band, band.columns[index], column);
      this.#darkFor = column.some((brightness) => brightness > 0) ? 0 : this.#darkFor + 1;
      this.#waiting.push(column);
    }
    for (const band of this.#bands) band.columns.splice(0, count);
    this.#waiting.splice(0, this.#waiting.length - width);
    if (this.#darkFor > width + this.#waiting.length) this.#waiting = [];
    if (isFirst && this.#waiting.length > 0) requestAnimationFrame(() => this.#draw());
  }

  /** The brightness of a band's tones, 0 to 255. */
  #light(band, powers, column) {
    // Follows the median slowly: music and hum do not lift it, as they are few.
    const median = 10 * Math.log10(powers.slice().sort()[powers.length / 2] + 1e-10);
    band.floor += (median - band.floor) * 0.05;
    const least = 10 ** ((band.floor + threshold) / 10);
    for (const { tone, y } of band.rows) {
      if (powers[tone] > least) column[y] = 2550 * Math.log10(powers[tone] / least) / range;
    }
  }

  #draw() {
    const columns = this.#waiting.splice(0), { canvas } = this.#context;
    if (columns.length === 0) return;
    this.#context.drawImage(canvas, -columns.length, 0);
    const image = this.#context.createImageData(columns.length, this.#height), pixels = new Uint32Array(image.data.buffer);
    columns.forEach((column, x) => column.forEach((brightness, y) => { pixels[y * columns.length + x] = colours[brightness]; }));
    this.#context.putImageData(image, canvas.width - columns.length, 0);
  }
}
