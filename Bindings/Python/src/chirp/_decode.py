from __future__ import annotations

import contextlib
import functools
import itertools
import os
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import soundfile  # type: ignore[import-untyped]

from ._detection import Detection
from ._library import Error
from ._receiver import MOST_CHANNELS, ChannelReceiver

# Starts of the same chirp in two channels are not further apart than sound takes for 30 m.
_LARGEST_DELAY_SECONDS = 0.1
_BLOCK_SECONDS = 2
# What libsndfile corrects in a header as well, and is no length.
_NO_LENGTHS = ("Bytes/sec", "Block Align", "Samples/sec", "Bit Width")


def decode(
    source: str | os.PathLike[str] | npt.ArrayLike,
    rate: float = 44_100,
    formats: Sequence[str] = ("original",),
    combine: bool = True,
) -> list[Detection]:
    """Finds every chirp in a sound file or in an array, in order of start time.

    A file is whatever libsndfile reads, and has a rate of its own. An array is one row of samples at `rate`, or a
    column for each channel; there are 64 channels at most. What several channels have of the same chirp is one detection,
    the strongest one. `formats` is what is listened for, as a `Receiver` takes it: of "all", what the rate has room for. With
    `combine`, what up to eight channels, and repeated copies, have of a chirp is combined where none can be decoded alone, as
    `chirp decode` does.

    Of a file that is damaged, the `Error` has what was found before the damage in its `detections`. A file that is shorter or
    longer than its header says is decoded as far as it goes, with a `UserWarning`.
    """
    if isinstance(source, (str, os.PathLike)):
        return _decode_file(os.fspath(source), formats, combine)
    samples = np.asarray(source)
    if samples.ndim == 1:
        samples = samples[:, np.newaxis]
    if samples.ndim != 2 or samples.shape[1] == 0 or samples.dtype.kind not in "fiub":
        raise Error(f"samples are real numbers, a column for each channel, not {samples.dtype} of shape {samples.shape}")
    if samples.shape[1] > max(MOST_CHANNELS, samples.shape[0]):
        raise Error(
            f"shape {samples.shape}: samples have a column for each channel, {MOST_CHANNELS} at most; "
            "hand over the transpose, samples.T, where these have a row for each"
        )
    receiver = ChannelReceiver(rate, samples.shape[1], formats, combine)
    length = max(1, round(rate * _BLOCK_SECONDS))
    blocks = (samples[start : start + length] for start in range(0, len(samples), length))
    return _merged([*itertools.chain.from_iterable(receiver.process(block.T) for block in blocks), *receiver.finish()])


def _decode_file(path: str, formats: Sequence[str], combine: bool) -> list[Detection]:
    found: list[Detection] = []
    try:
        # The reader of blocks has ended before the file is closed, whatever ends the decoding.
        # By its descriptor, whatever characters are in its name and whatever its extension says. The library is given one of its own, which
        # it closes even where opening fails.
        with (
            open(path, "rb") as stream,
            soundfile.SoundFile(os.dup(stream.fileno()), closefd=True) as file,
            contextlib.closing(_blocks(file)) as blocks,
        ):
            receiver = ChannelReceiver(file.samplerate, file.channels, formats, combine, path)
            is_length_wrong = _is_length_wrong(file)
            try:
                for block in blocks:
                    found += receiver.process(block.T)
            finally:
                found += receiver.finish()
    except (soundfile.LibsndfileError, OSError, ValueError) as error:
        reason = getattr(error, "error_string", None) or getattr(error, "strerror", None) or str(error)
        failure = Error(f"{path}: cannot read: {reason}")
        failure.detections = _merged(found, path)
        raise failure from error
    if is_length_wrong:
        message = f"{path}: the data length does not match the header; decoded what is there"
        warnings.warn(message, stacklevel=3)
    return _merged(found, path)


def _is_length_wrong(file: Any) -> bool:
    """Whether libsndfile corrected a length of the header, which it says in its log alone."""
    corrected = (line for line in file.extra_info.splitlines() if "should be" in line)
    return any(all(name not in line for name in _NO_LENGTHS) for line in corrected)


def _blocks(file: Any) -> Generator[npt.NDArray[np.float32], None, None]:
    """The blocks of a file, each read while the one before is decoded.

    Samples of 16 bits are converted here, which takes half the time that libsndfile takes for it.
    """
    size = (file.samplerate * _BLOCK_SECONDS, file.channels)
    buffers = [np.empty(size, np.float32) for _ in range(2)]
    integers = np.empty(size, np.int16) if file.subtype == "PCM_16" else None

    def read(number: int) -> npt.NDArray[np.float32]:
        buffer = buffers[number % 2]
        if integers is None:
            filled: npt.NDArray[np.float32] = file.read(out=buffer)
            return filled
        count = len(file.read(out=integers))
        return np.multiply(integers[:count], np.float32(1 / 32_768), out=buffer[:count])

    with ThreadPoolExecutor(1) as reader:

        def coming(number: int) -> Callable[[], npt.NDArray[np.float32]]:
            try:
                return reader.submit(read, number).result
            except RuntimeError:
                # Once the main thread has ended, no executor takes anything: other threads read for themselves.
                return functools.partial(read, number)

        next_block = coming(0)
        for number in itertools.count(1):
            block = next_block()
            if len(block) == 0:
                return
            next_block = coming(number)
            yield block


def _merged(found: list[Detection], path: str | None = None) -> list[Detection]:
    """Makes one of what several channels have of the same chirp."""
    groups: list[list[Detection]] = []
    for one in sorted(found, key=lambda one: (one.start, one.channel)):
        recent = itertools.takewhile(lambda group: one.start - group[0].start < _LARGEST_DELAY_SECONDS, reversed(groups))
        for group in recent:
            if group[0].code == one.code and group[0].format == one.format and all(other.channel != one.channel for other in group):
                group.append(one)
                break
        else:
            groups.append([one])
    return [
        replace(
            max(group, key=lambda one: one.snr_db),
            channels=tuple(sorted({channel for one in group for channel in one.channels})),
            file=path,
        )
        for group in groups
    ]
