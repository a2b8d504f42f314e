from __future__ import annotations

import threading
from collections.abc import Sequence
from ctypes import byref, c_int, c_ulonglong

import numpy as np
import numpy.typing as npt

from ._detection import Detection
from ._library import CDetection, Error, check, encoded, library


# Channels of one receiver, and the lowest rate at which each format is heard, as in chirp.h.
MOST_CHANNELS = 64
LOWEST_RATES = {"original": 8_000, "telephone": 8_000, "ultrasonic": 44_100, "fast": 8_000}


def _names(formats: Sequence[str], rate: float) -> str:
    """The names that the library takes: of "all", those of formats that are heard at a rate."""
    names = formats if isinstance(formats, str) else ",".join(formats)
    if names != "all" or not min(LOWEST_RATES.values()) <= rate < max(LOWEST_RATES.values()):
        return names
    return ",".join(name for name, lowest in LOWEST_RATES.items() if lowest <= rate)


class ChannelReceiver:
    """Finds every chirp in the channels of one stream of samples.

    What several channels hear of a chirp, each by itself, is a detection for each.
    """

    def __init__(
        self, rate: float, channel_count: int, formats: Sequence[str], combine: bool, path: str | None = None
    ) -> None:
        self._handle: int | None = None
        self._lock = threading.Lock()
        self._channel_count = channel_count
        error = c_int()
        names = _names(formats, rate)
        self._handle = library.chirp_receiver_new_channels(
            float(rate), channel_count, encoded(names), combine, byref(error)
        )
        subject = f"{rate} Hz" + (f", {names}" if names != "original" else "")
        subject += f", {channel_count} channels" if channel_count > 1 else ""
        check(error.value, subject if path is None else f"{path}: {subject}")

    def __del__(self) -> None:
        if self._handle is not None:
            library.chirp_receiver_free(self._handle)

    def __reduce__(self) -> str:
        # A copy would free the same receiver again.
        raise TypeError("a receiver cannot be copied or pickled")

    def process(self, rows: npt.NDArray[np.generic]) -> list[Detection]:
        """Takes the next samples, a row for each channel."""
        samples = np.ascontiguousarray(rows, np.float32)
        count = samples.shape[1]
        with self._lock:
            check(library.chirp_receiver_process_channels(self._handle, samples.ctypes.data, count, count))
            return self._take()

    def finish(self) -> list[Detection]:
        with self._lock:
            check(library.chirp_receiver_finish(self._handle))
            return self._take()

    def _take(self) -> list[Detection]:
        found = []
        one, channel, channels = CDetection(), c_int(), c_ulonglong()
        while library.chirp_receiver_next(self._handle, byref(one)):
            check(library.chirp_receiver_channels(self._handle, byref(channel), byref(channels)))
            found.append(
                Detection(
                    start=one.start,
                    duration=one.duration,
                    code=one.code.decode(),
                    longcode=one.longcode.decode(),
                    snr_db=one.snr_db,
                    corrected=one.corrected,
                    confidence=one.confidence,
                    tuning_cents=one.tuning_cents,
                    speed=one.speed,
                    format=one.format.decode(),
                    repeats=one.repeats,
                    channel=channel.value,
                    channels=tuple(number for number in range(self._channel_count) if channels.value >> number & 1),
                )
            )
        return found


class Receiver:
    """Finds every chirp in a stream of mono samples.

    What is found does not depend on how the stream was cut into blocks:

        receiver = chirp.Receiver(44_100)
        for block in blocks:
            for found in receiver.process(block):
                print(found.code)
        for found in receiver.finish():
            print(found.code)

    Other threads run while a receiver computes; several threads that share one wait for each other.
    """

    def __init__(
        self, rate: float = 44_100, formats: Sequence[str] = ("original",), combine: bool = False
    ) -> None:
        """`rate`: samples a second, 8,000 to 192,000.

        `formats`: what is listened for, of "original", "telephone", "ultrasonic" (from 44,100 on) and "fast"; or "all", which is
        those that can be heard at the rate, below 44,100 all but "ultrasonic". Each takes about as much time as "original".

        `combine`: whether copies of a chirp in the format "original", repeated at equal intervals of 1.8 to 15 s, are combined
        where none can be decoded alone. Noise then takes up to three times as long, and a single chirp must be 90 % certain.
        """
        self._receiver = ChannelReceiver(rate, 1, formats, combine)
        #: Samples a second.
        self.rate = rate

    def process(self, block: npt.ArrayLike) -> list[Detection]:
        """Takes the next samples, any number of them, and gives back the chirps that they completed."""
        samples = np.asarray(block)
        if samples.ndim != 1 or samples.dtype.kind not in "fiub":
            raise Error(f"samples are one row of real numbers, not an array of shape {samples.shape} of {samples.dtype}")
        return self._receiver.process(samples[np.newaxis, :])

    def finish(self) -> list[Detection]:
        """Ends the stream and gives back the chirps that end with it. The next block begins a new one at time zero."""
        return self._receiver.finish()
