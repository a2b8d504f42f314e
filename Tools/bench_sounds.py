"""Sounds that a receiver has to get through: clear chirps, and what only resembles them. Made of a seed, always the same.

Each sound is a generator of pieces, arrays of floating point samples with full scale at 1, so that an hour of it need not
be in memory. A generator takes a random number generator, a rate in hertz, and a length in seconds.
"""

import pathlib
import subprocess
import zlib

import ggwave
import numpy

ALPHABET = "0123456789abcdefghijklmnopqrstuv"
SYMBOL_SECONDS = 0.0872
BASE_HERTZ = 1_760.0
START_CODE = [17, 19]
CLEAR_DECIBELS = 17  # over the whole band at 44.1 kHz
GGWAVE_PROTOCOLS = {"normal": 0, "fast": 1, "fastest": 2}


def write(path, pieces):
    """Writes 16-bit samples, and returns how many."""
    count = 0
    with open(path, "wb") as file:
        for piece in pieces:
            file.write((numpy.clip(piece, -1, 1) * 32_767).astype("<i2").tobytes())
            count += len(piece)
    return count


def generator(seed, name):
    return numpy.random.default_rng((seed, zlib.crc32(name.encode())))


# The chirp's code: Reed and Solomon's over GF(32) with the polynomial x⁵ + x² + 1, ten symbols and eight for parity,
# shortened by thirteen zeros.


def _field():
    powers, logarithms, element = [0] * 62, [0] * 32, 1
    for exponent in range(31):
        powers[exponent] = powers[exponent + 31] = element
        logarithms[element] = exponent
        element <<= 1
        if element & 32:
            element ^= 0x25
    return powers, logarithms


_POWERS, _LOGARITHMS = _field()


def _times(a, b):
    return _POWERS[_LOGARITHMS[a] + _LOGARITHMS[b]] if a and b else 0


def _generator_polynomial():
    polynomial = [1]
    for root in range(1, 9):
        shifted, scaled = polynomial + [0], [0] + [_times(c, _POWERS[root]) for c in polynomial]
        polynomial = [a ^ b for a, b in zip(shifted, scaled)]
    return polynomial


def parity(data):
    register, polynomial = list(data) + [0] * 21, _generator_polynomial()
    for place in range(23):
        leading = register[place]
        for offset, coefficient in enumerate(polynomial):
            register[place + offset] ^= _times(coefficient, leading)
    return register[23:]


assert "".join(ALPHABET[i] for i in parity([ALPHABET.index(c) for c in "gsm2h88c7u"])) == "dtnef4ok"


def tones(symbols, rate, amplitude):
    """Tones in a row whose phase goes on from each to the next."""
    edges = numpy.rint(numpy.arange(len(symbols) + 1) * SYMBOL_SECONDS * rate).astype(int)
    hertz = numpy.repeat(BASE_HERTZ * 2 ** (numpy.asarray(symbols) / 12), numpy.diff(edges))
    return amplitude * _swept(hertz, rate)


def _swept(hertz, rate):
    """A tone of these pitches, sample by sample."""
    return numpy.sin(2 * numpy.pi * (numpy.cumsum(hertz) - hertz[0]) / rate)


def _symbol_count(seconds):
    return max(1, round(seconds / SYMBOL_SECONDS))


def idle(random, rate, seconds):
    """White noise alone."""
    while seconds > 0:
        yield 0.1 * random.standard_normal(round(min(seconds, 60) * rate), dtype=numpy.float32)
        seconds -= 60


def clear(random, rate, seconds, every, noise=True):
    """A clear chirp of a random code at a random moment of every so many seconds, in white noise or in silence."""
    amplitude = 0.2
    # The same density at every rate.
    deviation = amplitude / 2**0.5 / 10 ** (CLEAR_DECIBELS / 20) * (rate / 44_100) ** 0.5 if noise else 0
    for _ in range(max(1, round(seconds / every))):
        piece = numpy.float32(deviation) * random.standard_normal(round(every * rate), dtype=numpy.float32)
        data = list(random.integers(0, 32, 10))
        chirp = tones(START_CODE + data + parity(data), rate, amplitude)
        start = random.integers(round(0.5 * rate), len(piece) - len(chirp) - round(0.5 * rate))
        piece[start : start + len(chirp)] += chirp
        yield piece


def random_tones(random, rate, seconds, planted=False):
    """The chirp's pitches and symbol times without pause and meaning, loud; with a start code every twenty symbols."""
    symbols = random.integers(0, 32, _symbol_count(seconds))
    if planted:
        for index, symbol in enumerate(START_CODE):
            symbols[index::20] = symbol
    yield tones(symbols, rate, 0.5)


def three_voices(random, rate, seconds):
    """Random tones, three at once."""
    yield sum(tones(random.integers(0, 32, _symbol_count(seconds)), rate, 0.25) for _ in range(3))


def glides(random, rate, seconds):
    """Glides, vibrato and trills of 1.8–9 kHz, as birds sing."""
    sound = 0.001 * random.standard_normal(round(seconds * rate))
    place = 0
    while True:
        count = round(random.uniform(0.05, 0.6) * rate)
        if place + count > len(sound):
            break
        begin, end = numpy.exp(random.uniform(numpy.log(1_800), numpy.log(9_000), 2))
        time = numpy.arange(count) / rate
        kind = random.integers(0, 3)
        if kind == 0:
            hertz = numpy.linspace(begin, end, count)
        elif kind == 1:
            hertz = begin * (1 + 0.1 * numpy.sin(2 * numpy.pi * random.uniform(10, 40) * time))
        else:
            hertz = numpy.where((time * random.uniform(10, 30)).astype(int) % 2 == 0, begin, 1.12 * begin)
        sound[place : place + count] += 0.4 * _swept(hertz, rate) * numpy.hanning(count) ** 0.3
        place += count + round(random.uniform(0, 0.1) * rate)
    yield sound


def arpeggios(random, rate, seconds):
    """Broken chords of a synthesiser, eight to twenty notes a second."""
    sound = 0.001 * random.standard_normal(round(seconds * rate))
    place = 0
    while place < len(sound):
        lowest = random.integers(0, 20)
        chord = [0, 4, 7, 12, 7, 4] if random.random() < 0.5 else [0, 3, 7, 10, 12, 15]
        time = numpy.arange(round(random.uniform(0.05, 0.12) * rate)) / rate
        for step in chord * 8:
            note = 0.3 * numpy.sin(2 * numpy.pi * BASE_HERTZ * 2 ** ((lowest + step) / 12) * time) * numpy.exp(-8 * time)
            if place + len(note) <= len(sound):
                sound[place : place + len(note)] += note
            place += len(note)
    yield sound


def melodies(random, rate, seconds):
    """Plucked notes with overtones on the chirp's scale, one to three voices: the laboratory's random melodies."""
    for _ in range(max(1, round(seconds / 30))):
        sound = 0.001 * random.standard_normal(round(min(seconds, 30) * rate))
        for _ in range(random.integers(1, 4)):
            beat, overtones, place = random.uniform(0.06, 0.4), random.integers(1, 5), 0.0
            while place * rate < len(sound):
                start, length = int(place * rate), beat * random.integers(1, 5)
                time = numpy.arange(min(int((place + length) * rate), len(sound)) - start) / rate
                pitch = BASE_HERTZ * 2 ** (random.integers(-24, 32) / 12)
                for overtone in range(1, overtones + 1):
                    if pitch * overtone < rate / 2:
                        note = numpy.sin(2 * numpy.pi * pitch * overtone * time) * numpy.exp(-2.3 * time)
                        sound[start : start + len(time)] += 0.2 / overtone * note
                place += length
        yield sound


def machines(random, rate, seconds):
    """Keyed tones, sweeps and whistles, at random levels: the laboratory's machines."""
    for _ in range(max(1, round(seconds / 30))):
        sound = 10 ** (random.uniform(-60, -20) / 20) * random.standard_normal(round(min(seconds, 30) * rate))
        place = 0.0
        while place * rate < len(sound):
            length = random.uniform(1, 6)
            start, end = int(place * rate), min(int((place + length) * rate), len(sound))
            make = [_whistles, _sweeps, _keying, _keying, _keying][random.integers(0, 5)]
            sound[start:end] += 0.3 * 10 ** (random.uniform(-40, 0) / 20) * make(random, rate, end - start)
            place += length * random.uniform(0.5, 1.2)
        yield sound


def _whistles(random, rate, count):
    pitches = 200 * 2 ** random.uniform(0, 6, random.integers(1, 7))
    return sum(_swept(numpy.full(count, pitch), rate) for pitch in pitches)


def _sweeps(random, rate, count):
    parts, made = [], 0
    while made < count:
        begin, end = 200 * 2 ** random.uniform(0, 6, 2)
        parts.append(_swept(numpy.linspace(begin, end, round(random.uniform(0.05, 2) * rate)), rate))
        made += len(parts[-1])
    return numpy.concatenate(parts)[:count]


def _keying(random, rate, count):
    """Random tones of some scale at a steady beat; a fifth of them on the chirp's own pitches and beat."""
    own = random.random() < 0.2
    beat = SYMBOL_SECONDS if own else random.uniform(0.01, 0.3)
    lowest = BASE_HERTZ if own else 300 * 2 ** random.uniform(0, 4)
    ratio = 2 ** (1 / 12) if own else 2 ** random.uniform(0.02, 0.5)
    steps = 32 if own else random.integers(2, 33)
    length = int(beat * rate)
    pitches = lowest * ratio ** random.integers(0, steps, count // length + 1).astype(float)
    tone = [_swept(numpy.full(length, p), rate) if p < 20_000 else numpy.zeros(length) for p in pitches]
    return numpy.concatenate(tone)[:count]


def ggwave_messages(random, rate, seconds, protocol):
    """ggwave's own messages of ten characters, back to back; its rate is 48 kHz."""
    made = 0
    while made < seconds * rate:
        message = "".join(ALPHABET[i] for i in random.integers(0, 32, 10))
        sound = numpy.frombuffer(ggwave.encode(message, protocolId=protocol, volume=50), dtype="<f4")
        yield sound
        made += len(sound)


def recordings(folders, rate, seconds):
    """So many seconds of every recording in the folders, one after another."""
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.flac")):
        command = ["ffmpeg", "-v", "error", "-nostdin", "-t", str(seconds), "-i", str(path), "-ac", "1", "-ar", str(rate)]
        samples = subprocess.run(command + ["-f", "f32le", "-"], check=True, stdout=subprocess.PIPE).stdout
        yield numpy.frombuffer(samples, dtype="<f4")
