"""The C functions of libchirp, as chirp.h declares them. ctypes releases the interpreter's lock around each call."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_size_t, c_ulonglong, c_void_p
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ._detection import Detection

CODE_SIZE = 11
LONGCODE_SIZE = 19


class CDetection(ctypes.Structure):
    """struct chirp_detection."""

    _fields_ = [
        ("start", c_double),
        ("duration", c_double),
        ("snr_db", c_double),
        ("confidence", c_double),
        ("tuning_cents", c_double),
        ("speed", c_double),
        ("corrected", c_int),
        ("repeats", c_int),
        ("code", c_char * CODE_SIZE),
        ("longcode", c_char * LONGCODE_SIZE),
        ("format", c_char * 16),
    ]


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(str(Path(__file__).with_name("libchirp.so")))
    for name, result, arguments in (
        ("chirp_receiver_new_channels", c_void_p, (c_double, c_size_t, c_char_p, c_bool, POINTER(c_int))),
        ("chirp_receiver_process_channels", c_int, (c_void_p, c_void_p, c_size_t, c_size_t)),
        ("chirp_receiver_finish", c_int, (c_void_p,)),
        ("chirp_receiver_next", c_bool, (c_void_p, POINTER(CDetection))),
        ("chirp_receiver_channels", c_int, (c_void_p, POINTER(c_int), POINTER(c_ulonglong))),
        ("chirp_receiver_free", None, (c_void_p,)),
        (
            "chirp_synthesise_format",
            c_int,
            (c_char_p, c_char_p, c_double, c_float, c_void_p, c_size_t, POINTER(c_size_t)),
        ),
        ("chirp_longcode", c_int, (c_char_p, c_char_p)),
        ("chirp_parse", c_int, (c_char_p, c_char_p)),
        ("chirp_error_message", c_char_p, (c_int,)),
        ("chirp_version", c_char_p, ()),
    ):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


library = _load()

__version__ = str(library.chirp_version().decode())


class Error(Exception):
    """What goes wrong, as a sentence."""

    detections: Sequence[Detection] = ()
    """What `decode` had found in a file before it could not read on."""


def check(error: int, subject: str | None = None) -> None:
    """Raises an error of the library."""
    if error:
        message = str(library.chirp_error_message(error).decode())
        raise Error(f"{subject}: {message}" if subject is not None else message)


def encoded(text: str) -> bytes:
    if "\0" in text:
        raise Error(f"“{text}”: has a zero character, which neither a code nor a format has")
    return text.encode(errors="replace")


def parse(text: str) -> str:
    """Reads a code as people paste it: ten characters, a longcode, a frame or a link that ends in one of them.

    >>> parse("https://example.org/GSM2H88C7U")
    'gsm2h88c7u'
    """
    code = ctypes.create_string_buffer(CODE_SIZE)
    check(library.chirp_parse(encoded(text), code), f"“{text}”")
    return code.value.decode()


def longcode(code: str) -> str:
    """The ten characters of a code and the eight of their parity.

    >>> longcode("gsm2h88c7u")
    'gsm2h88c7udtnef4ok'
    """
    word = ctypes.create_string_buffer(LONGCODE_SIZE)
    check(library.chirp_longcode(encoded(code), word), f"“{code}”")
    return word.value.decode()


def synthesise(
    code: str, rate: float = 44_100, volume: float = 0.8, format: str = "original"
) -> npt.NDArray[np.float32]:
    """The sound of a code: mono samples in -volume to volume, 1.744 s of them, in the format "fast" 0.72 s.

    `rate` is 22,050 to 192,000 Hz, for the format "telephone" from 8,000 and for "ultrasonic" from 44,100 Hz on;
    `volume` is 0 to 1.
    """
    text, name = encoded(code), encoded(format)
    subject = f"“{code}”" if format == "original" else f"“{code}” as {format}"
    count = c_size_t()
    check(library.chirp_synthesise_format(text, name, rate, volume, None, 0, count), subject)
    samples = np.empty(count.value, np.float32)
    pointer = samples.ctypes.data
    check(library.chirp_synthesise_format(text, name, rate, volume, pointer, samples.size, count), subject)
    return samples
