"""The example programs, as a reader would run them."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import chirp
import pytest

ROOT = Path(__file__).parents[2]


def swift(name, *arguments, sound=b""):
    program = ROOT / ".build/release" / f"{name}-example"
    return subprocess.run([program, *arguments], input=sound, capture_output=True, check=True).stdout.decode()


@pytest.mark.parametrize("path", sorted((ROOT / "Examples").glob("Swift/*/main.swift")), ids=lambda path: path.parent.name)
def test_an_example_in_swift_has_less_than_30_lines(path):
    assert len(path.read_text().splitlines()) < 30


def test_a_code_makes_the_round_trip():
    assert swift("roundtrip", "kingfisher") == "kingfisher confidence over 99 %\n"


def test_raw_samples_are_listened_to():
    sound = b"".join(chirp.synthesise(code).tobytes() for code in ("gsm2h88c7u", "kingfisher"))
    assert swift("rawlisten", "44100", sound=sound) == "gsm2h88c7u\nkingfisher\n"


def test_typed_codes_are_checked():
    lines = swift("parity", "gsm2h88c7u", "gsm2h88c7udtnef4o0", "nonsense!").splitlines()
    assert lines[0].startswith("gsm2h88c7udtnef4ok 4699 5274 4435")
    assert lines[1:] == ["gsm2h88c7udtnef4o0: parity is dtnef4o0, should be dtnef4ok", "nonsense!: is not a code"]


def test_another_package_uses_the_library(tmp_path):
    """As its first build is made, without optimisation."""
    (tmp_path / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hear", dependencies: [.package(name: "chirp", path: "{ROOT}")],
    targets: [.executableTarget(name: "hear", dependencies: [.product(name: "Chirp", package: "chirp")], path: ".")])
""")
    shutil.copy(ROOT / "Examples/Swift/RoundTrip/main.swift", tmp_path)
    run = subprocess.run(
        [*shlex.split(os.environ.get("SWIFT", "swift")), "run", "hear", "kingfisher"], cwd=tmp_path, env={**os.environ, "CHIRP_CORE_ONLY": "1"},
        capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-2_000:] + run.stderr[-2_000:]
    assert run.stdout.endswith("kingfisher confidence over 99 %\n")


def test_a_spectrogram_is_drawn_with_its_chirps(tmp_path):
    picture = tmp_path / "picture.png"
    command = [sys.executable, ROOT / "Examples/Python/spectrogram.py", ROOT / "Samples/recording-1-gsm2h88c7u.flac", picture]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "gsm2h88c7u" in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
