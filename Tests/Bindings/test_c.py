"""The library for C, used as its users do: by gcc and pkg-config, without Swift."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / ".build/library"
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "PKG_CONFIG_PATH": str(LIBRARY / "lib/pkgconfig"),
    "LD_LIBRARY_PATH": str(LIBRARY / "lib"),
}


def run(*command):
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)


def build(source, program, *libraries):
    flags = run("pkg-config", "--cflags", "--libs", "chirp").stdout.split()
    result = run("gcc", "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g", str(source), *flags, *libraries, "-o", str(program))
    assert result.returncode == 0, result.stderr
    return program


def check_memory(program, *arguments):
    """Fails at a wrong access and at a leak. What Swift's runtime makes once and keeps by pointers into the middle of a block
    counts as possibly lost, and does not fail."""
    return run(
        "valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=definite,indirect",
        "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=9", str(program), *arguments,
    )  # fmt: skip


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    return build(ROOT / "Examples/C/roundtrip.c", tmp_path_factory.mktemp("c") / "roundtrip")


def test_the_example_makes_and_finds_a_chirp_without_a_leak(example):
    result = check_memory(example, "gsm2h88c7u")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("gsm2h88c7udtnef4ok ")


def test_the_example_says_what_is_wrong_with_a_code(example):
    result = run(str(example), "gsm2h88c7w")
    assert result.returncode == 1
    assert result.stderr.startswith("roundtrip: this has a character")


def test_every_function_keeps_its_promises_without_a_leak(tmp_path):
    program = build(Path(__file__).with_name("functions.c"), tmp_path / "functions")
    result = check_memory(program)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_program_may_plan_transforms_of_its_own_in_other_threads(tmp_path):
    program = build(Path(__file__).with_name("planner.c"), tmp_path / "planner", "-pthread", "-lfftw3f")
    result = run(str(program))
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_library_shows_its_versioned_functions_and_nothing_else():
    symbols = run("nm", "-D", "--defined-only", str(LIBRARY / "lib/libchirp.so")).stdout
    shown = {line.split()[-1] for line in symbols.splitlines() if " A " not in line}
    header = (LIBRARY / "include/chirp.h").read_text()
    declared = set(re.findall(r"\b(chirp_\w+)\(", header))
    later = {"chirp_receiver_new_formats": "1.1", "chirp_synthesise_format": "1.1"}
    later |= {f"chirp_receiver_{name}": "1.2" for name in ("channels", "new_channels", "process_channels")}
    assert shown == {f"{name}@@CHIRP_{later.get(name, '1.0')}" for name in declared}


def test_the_library_needs_no_swift():
    needed = run("objdump", "-p", str(LIBRARY / "lib/libchirp.so")).stdout
    assert "libfftw3f.so.3" in needed
    assert "swift" not in "".join(line for line in needed.splitlines() if "NEEDED" in line)


def test_the_manual_describes_every_function_and_error():
    header = (LIBRARY / "include/chirp.h").read_text()
    manual = (LIBRARY / "share/man/man3/chirp.3").read_text()
    names = set(re.findall(r"\b(chirp_\w+)\(|\b(CHIRP_(?:OK|ERROR_\w+)) =", header))
    missing = [name for pair in names for name in pair if name and name not in manual]
    assert missing == []


def test_the_header_is_one_for_cplusplus(tmp_path):
    (tmp_path / "header.cpp").write_text("#include <chirp.h>\nint main() { return chirp_version() == nullptr; }\n")
    flags = run("pkg-config", "--cflags", "chirp").stdout.split()
    result = run("gcc", "-x", "c++", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", *flags,
                 str(tmp_path / "header.cpp"))  # fmt: skip
    if "cc1plus" in result.stderr:
        pytest.skip("there is no C++ compiler")
    assert result.returncode == 0, result.stderr


def test_the_sources_have_no_version_of_their_own():
    version = run("pkg-config", "--modversion", "chirp").stdout.strip()
    assert f'"{version}"' in (ROOT / "Sources/Chirp/ChirpVersion.swift").read_text()
    assert os.path.exists(LIBRARY / "lib" / f"libchirp.so.{version}")
