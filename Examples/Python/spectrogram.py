"""Draws the spectrogram of a sound file with the chirps that are in it: spectrogram.py SOUND PICTURE

Needs matplotlib besides chirp.
"""

import sys

import chirp
import matplotlib
import soundfile  # type: ignore[import-untyped]

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

# %% The sound, and what is in it
path, picture = sys.argv[1:]
samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
found = chirp.decode(samples, rate)
for one in found:
    print(f"{one.code} at {one.start:.2f} s, {one.snr_db:+.1f} dB")

# %% The spectrogram, from half an octave below the lowest tone to half an octave above the highest one
figure, axes = plt.subplots(figsize=(12, 5), layout="constrained")
axes.specgram(samples[:, 0] + 1e-9, NFFT=2048, Fs=rate, noverlap=1536, cmap="magma")
axes.set(yscale="log", ylim=(1245, min(14_920, rate / 2)), xlabel="seconds", ylabel="hertz", title=path)

# %% A frame for each chirp, and the character over each of its tones
for one in found:
    symbol_seconds = one.duration / 20
    for index, character in enumerate("hj" + one.longcode):
        symbol = "0123456789abcdefghijklmnopqrstuv".index(character)
        pitch = 1760 * 2 ** (symbol / 12 + one.tuning_cents / 1200)
        middle = one.start + (index + 0.5) * symbol_seconds
        axes.text(middle, pitch * 1.06, character, color="white", ha="center", fontsize=8)
    axes.add_patch(Rectangle((one.start, 1660), one.duration, 9528, fill=False, color="cyan"))
    axes.text(one.start, 11_600, one.code, color="cyan")
figure.savefig(picture)
