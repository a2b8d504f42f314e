"""Short codes as sound: makes chirps and finds them in samples."""

from ._decode import decode
from ._detection import Detection
from ._library import Error, __version__, longcode, parse, synthesise
from ._receiver import Receiver

__all__ = ["Detection", "Error", "Receiver", "__version__", "decode", "longcode", "parse", "synthesise"]
