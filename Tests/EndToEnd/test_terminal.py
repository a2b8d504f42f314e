"""What the command does differently where its output is a terminal."""

import os
import pty
import subprocess

from service import BINARY


def test_no_sound_is_written_to_a_terminal(tmp_path):
    near, far = pty.openpty()
    command = [BINARY, "send", "gsm2h88c7u", "-o", "-"]
    environment = {**os.environ, "CHIRP_HISTORY": "off", "HOME": str(tmp_path)}
    try:
        refused = subprocess.run(command, stdout=far, stderr=subprocess.PIPE, text=True, env=environment, timeout=60)
    finally:
        os.close(near)
        os.close(far)
    assert refused.returncode == 64 and "standard output is a terminal" in refused.stderr
    sound = subprocess.run(command, capture_output=True, env=environment, timeout=60)
    assert sound.returncode == 0 and sound.stdout.startswith(b"RIFF")
