from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Detection:
    """A chirp that was found; the fields are those of `chirp decode --json`."""

    start: float
    """Start of the first tone, in seconds from the first sample; negative when the beginning was cut off."""
    duration: float
    """From the start of the first to the end of the last tone, in seconds."""
    code: str
    """The ten characters."""
    longcode: str
    """The ten characters and the eight of their parity."""
    snr_db: float
    """Power of the chirp over the power of the noise in the whole band, in decibels."""
    corrected: int
    """Number of the eighteen symbols whose strongest tone was not the decoded one."""
    confidence: float
    """Probability that the code is right, 0 to 1."""
    tuning_cents: float
    """How far the pitches lie above the nominal ones, in cents."""
    speed: float
    """How fast it was played: 1 at the format's symbol length, 87.2 ms for "original", more when faster."""
    format: str = "original"
    """Name of the format on the air."""
    repeats: int = 1
    """How many copies of the chirp were combined."""
    channel: int = 0
    """The channel in which it is strongest, from 0."""
    channels: tuple[int, ...] = (0,)
    """The channels in which it was found."""
    file: str | None = None
    """The path of the file, as it was given."""
