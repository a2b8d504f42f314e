// The tones as they sound: time to the right, pitch upwards, what is old leaves on the left.

/** From a band's noise, how many decibels up a tone begins to show, and how many more to full brightness. */
const threshold = 12, range = 30;

/** The colours of nothing and of a tone in full. */
const dark = [16, 24, 32], bright = [95, 212, 160];

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
    this.#context.fillStyle = `rgb(${dark})`;
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
    const decibels = Array.from(powers, (power) => 10 * Math.log10(Math.max(power, 1e-12)));
    // Follows the median slowly: music and hum do not lift it, as they are few.
    const median = decibels.toSorted((a, b) => a - b)[decibels.length / 2];
    band.floor += (Math.max(median, -100) - band.floor) * 0.05;
    for (const { tone, y } of band.rows) column[y] = 255 * (decibels[tone] - band.floor - threshold) / range;
  }

  #draw() {
    const columns = this.#waiting.splice(0), { canvas } = this.#context;
    if (columns.length === 0) return;
    this.#context.drawImage(canvas, -columns.length, 0);
    const image = this.#context.createImageData(columns.length, this.#height);
    columns.forEach((column, x) => column.forEach((brightness, y) => {
      const part = brightness / 255, parts = [part ** 2, part, part];
      const colour = dark.map((value, index) => value + (bright[index] - value) * parts[index]);
      image.data.set([...colour, 255], 4 * (y * columns.length + x));
    }));
    this.#context.putImageData(image, canvas.width - columns.length, 0);
  }
}
