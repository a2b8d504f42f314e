"""An archive for tests: sound files with chirps, files that are none, and one in the middle of which a reader can be caught."""

import collections
import errno
import os
import pathlib
import time

import chirp
import numpy as np
import soundfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODES = ["gsm2h88c7u", "kingfisher", "parrotbill", "mnac2dvevb"]
RATE = 44_100


class Archive:
    """Paths in a manifest; `expected` counts (path, code), `broken` are the paths that cannot be decoded.

    The file in the middle of the manifest is a pipe. Whoever decodes it waits for this test, which may then kill it.
    """

    def __init__(self, folder: pathlib.Path, files: int = 12):
        folder.mkdir()
        random = np.random.default_rng(1)
        self.expected = collections.Counter()
        paths = []
        for number in range(files):
            path = folder / f"tape {number:02}.flac"
            samples = random.normal(0, 0.01, 15 * RATE).astype(np.float32)
            for place in range(number % 4):
                code = CODES[(number + place) % 4]
                sound = chirp.synthesise(code, RATE) / 4
                start = (4 * place + 1) * RATE
                samples[start : start + len(sound)] += sound
                self.expected[str(path), code] += 1
            soundfile.write(path, samples, RATE)
            paths.append(path)
        self.pipe = folder / "pipe.wav"
        os.mkfifo(self.pipe)
        text = folder / "notes.wav"
        text.write_text("not a sound")
        self.broken = {str(self.pipe), str(text), str(folder / "missing.wav")}
        paths[files // 2 : files // 2] = map(pathlib.Path, sorted(self.broken))
        self.manifest = folder / "manifest"
        self.manifest.write_text("".join(f"{path}\n" for path in paths))

    def catch_reader(self, is_alive, seconds=300):
        """Waits until a program has opened the pipe; it then waits for bytes until the descriptor given back is closed."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                descriptor = os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError as error:
                assert error.errno == errno.ENXIO and is_alive() and time.monotonic() < deadline, error
                time.sleep(0.02)
        # The program has its end of the pipe a moment after there is one.
        while not any(self.readers()):
            assert is_alive() and time.monotonic() < deadline, "whoever opened the pipe has gone"
            time.sleep(0.02)
        return descriptor

    def readers(self):
        """The processes that have the pipe open for reading."""
        for folder in pathlib.Path("/proc").glob("[0-9]*/fd"):
            try:
                descriptors = list(folder.iterdir()) if int(folder.parent.name) != os.getpid() else []
            except OSError:
                continue
            if any(self.is_pipe(one) for one in descriptors):
                yield int(folder.parent.name)

    def is_pipe(self, descriptor):
        """Whether one of /proc's descriptors, if it has not been closed yet, is the pipe."""
        try:
            return os.readlink(descriptor) == str(self.pipe)
        except OSError:
            return False

    def let_go(self, descriptor):
        """Closes what `catch_reader` gave back; to be called when the reader was killed, and waits until it has gone."""
        deadline = time.monotonic() + 60
        while any(self.readers()):
            assert time.monotonic() < deadline, "the reader lives on"
            time.sleep(0.02)
        os.close(descriptor)

    def answer(self, is_alive):
        """Lets everybody who opens the pipe come to its end."""
        while is_alive():
            try:
                os.close(os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK))
            except OSError as error:
                assert error.errno == errno.ENXIO, error
            time.sleep(0.02)


def tree(root):
    """A process and all that come from it."""
    children = collections.defaultdict(list)
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        children[int(parent)].append(int(folder.name))
    found = [root]
    for one in found:
        found += children[one]
    return found


def kill_tree(root):
    """Kills a process and everything that comes from it, as when a machine loses its power."""
    for one in tree(root):
        try:
            os.kill(one, 9)
        except OSError:
            continue


def kill_session(leader):
    """Kills a process and everything that it has started, as when a machine loses its power."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == leader:
                os.kill(int(folder.name), 9)
        except OSError:
            continue
