from __future__ import annotations

import threading
from collections.abc import Sequence
from ctypes import byref, c_int

import numpy as np
import numpy.typing as npt

from ._detection import Detection
from ._library import CDetection, Error, check, library


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

    def __init__(self, rate: float = 44_100, formats: Sequence[str] = ("original",)) -> None:
        """`rate`: samples a second, 8,000 to 192,000.

        `formats`: what is listened for, of "original", "telephone", "ultrasonic" (from 44,100 on) and "fast", or "all". Each
        takes about as much time as "original".
        """
        self._handle: int | None = None
        self._lock = threading.Lock()
        error = c_int()
        names = formats if isinstance(formats, str) else ",".join(formats)
        self._handle = library.chirp_receiver_new_formats(rate, names.encode(errors="replace"), byref(error))
        self.rate = rate
        check(error.value, f"{rate} Hz, {names}" if names != "original" else f"{rate} Hz")

    def __del__(self) -> None:
        if self._handle is not None:
            library.chirp_receiver_free(self._handle)

    def __reduce__(self) -> str:
        # A copy would free the same receiver again.
        raise TypeError("a receiver cannot be copied or pickled")

    def process(self, block: npt.ArrayLike) -> list[Detection]:
        """Takes the next samples, any number of them, and gives back the chirps that they completed."""
        samples = np.asarray(block)
        if samples.ndim != 1 or samples.dtype.kind not in "fiub":
            raise Error(f"samples are one row of real numbers, not an array of shape {samples.shape} of {samples.dtype}")
        samples = np.ascontiguousarray(samples, np.float32)
        with self._lock:
            check(library.chirp_receiver_process(self._handle, samples.ctypes.data, samples.size))
            return self._take()

    def finish(self) -> list[Detection]:
        """Ends the stream and gives back the chirps that end with it. The next block begins a new one at time zero."""
        with self._lock:
            check(library.chirp_receiver_finish(self._handle))
            return self._take()

    def _take(self) -> list[Detection]:
        found = []
        one = CDetection()
        while library.chirp_receiver_next(self._handle, byref(one)):
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
                )
            )
        return found
