#!/usr/bin/env python3
"""Writes docs/THIRD-PARTY.md: what is linked or shipped with chirp, under which licence.

    make third-party        writes it
    make test-third-party   fails when what is linked or its licences differ from what it says

Swift packages are those that the package manager resolved, and their licences are read from their checkouts. Libraries of
the system are those that the Makefile installs for building; a package that is not known here ends the script.
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "THIRD-PARTY.md"

# Licences that GPL-3.0-or-later may be combined with, and why.
COMPATIBLE = {
    "Apache-2.0": "compatible with version 3 of the GPL (Free Software Foundation's list of licences)",
    "Apache-2.0 WITH LLVM-exception": "as Apache-2.0, with a further permission",
    "Apache-2.0 WITH Swift-exception": "as Apache-2.0, with a further permission",
    "BSD-2-Clause": "permissive",
    "BSD-3-Clause": "permissive",
    "GPL-2.0-or-later": "may be taken under version 3",
    "GPL-3.0-or-later WITH GCC-exception-3.1": "the same version, with a further permission",
    "LGPL-2.1-only": "its section 3 lets it be taken under the GPL, of version 2 or any later one",
    "LGPL-2.0-or-later": "may be taken under version 3 of the GPL",
    "LGPL-2.1-or-later": "may be taken under version 3 of the GPL",
    "MIT": "permissive",
    "PostgreSQL": "permissive",
    "Public domain": "no condition",
    "Unicode-3.0": "permissive",
    "Zlib": "permissive",
    "curl": "permissive, as MIT",
}

# Development package: library as the loader knows it, licence, how it comes to be used.
LINKED = {
    "libasound2-dev": ("libasound.so.2", "LGPL-2.1-or-later", "sound devices"),
    "libfftw3-dev": ("libfftw3f.so.3", "GPL-2.0-or-later", "Fourier transforms; within the wheel for Python, too"),
    "libpq-dev": ("libpq.so.5", "PostgreSQL", "PostgreSQL, loaded where a registry is there"),
    "libsndfile1-dev": ("libsndfile.so.1", "LGPL-2.1-or-later", "sound files"),
    "libsqlite3-dev": ("libsqlite3.so.0", "Public domain", "registries in files"),
    "libcurl4-openssl-dev": ("libcurl.so.4", "curl", "requests to Last.fm and to registries over HTTP, loaded with the first"),
    "libcurl4-gnutls-dev": ("libcurl-gnutls.so.4", "curl", "requests to Last.fm and to registries over HTTP, loaded with the first"),
    "libssl-dev": ("libcrypto.so.3", "Apache-2.0", "digests; a few kilobytes of it within the program"),
}
# What is needed for building alone.
TOOLS = {"pkg-config", "pkgconf"}

# What those above bring in.
INDIRECT = {
    "libsndfile1-dev": [
        ("libFLAC.so.12", "BSD-3-Clause"), ("libvorbis.so.0, libvorbisenc.so.2, libogg.so.0", "BSD-3-Clause"),
        ("libopus.so.0", "BSD-3-Clause"), ("libmpg123.so.0", "LGPL-2.1-only"),
        ("libmp3lame.so.0", "LGPL-2.0-or-later"),
    ],
}

# Linked by the compiler.
RUNTIME = [
    ("Swift's standard library, Foundation, Dispatch", "Apache-2.0 WITH Swift-exception", "within `chirp` and `libchirp.so`"),
    ("ICU, which Foundation has in it", "Unicode-3.0", "within `chirp`"),
    ("libc.so.6, libm.so.6 (glibc)", "LGPL-2.1-or-later", "the system's"),
    ("libstdc++, libgcc_s.so.1", "GPL-3.0-or-later WITH GCC-exception-3.1", "libstdc++ within `chirp`; the system's"),
    ("libz.so.1", "Zlib", "the system's"),
]

# Debian package that the Makefile installs for chirp.wasm: what of it is within.
WASM = {
    "wasi-libc": ("libc.a, libm.a, crt1-reactor.o", "MIT", "parts are under Apache-2.0 WITH LLVM-exception and BSD-2-Clause"),
    "libclang-rt-14-dev-wasm32": ("libclang_rt.builtins-wasm32.a", "Apache-2.0 WITH LLVM-exception", "compiler-rt"),
}
WASM_TOOLS = {"binaryen"}
WASM_RUNTIME = [("Swift's embedded standard library and Unicode tables", "Apache-2.0 WITH Swift-exception")]

# What a user of the package for Python installs with it.
PYTHON = {"numpy": "BSD-3-Clause", "soundfile": "BSD-3-Clause"}


def licence_of(folder):
    """The licence that the file in a checkout is the text of."""
    files = sorted(folder.glob("LICENSE*"))
    if not files:
        sys.exit(f"{folder.name} has no file LICENSE")
    text = " ".join(files[0].read_text(errors="replace").split())
    if "Apache License Version 2.0" in text:
        if "Runtime Library Exception" in text:
            return "Apache-2.0 WITH Swift-exception"
        if "LLVM Exceptions" in text:
            return "Apache-2.0 WITH LLVM-exception"
        return "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    if "Redistribution and use in source and binary forms" in text:
        return "BSD-3-Clause" if "Neither the name" in text else "BSD-2-Clause"
    sys.exit(f"{folder.name}: {files[0].name} is under a licence that Tools/make-third-party.py does not know")


def swift_packages(build):
    resolved = ROOT / "Package.resolved"
    if not resolved.exists():
        sys.exit("Package.resolved is missing: run swift package resolve")
    for pin in sorted(json.loads(resolved.read_text())["pins"], key=lambda pin: pin["identity"]):
        name = pin["location"].rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
        folder = build / "checkouts" / name
        if not folder.is_dir():
            sys.exit(f"{folder} is missing: run swift package resolve")
        notice = any(folder.glob("NOTICE*"))
        yield name, pin["location"], pin["state"].get("version", pin["state"]["revision"][:12]), licence_of(folder), notice


def makefile_list(variable):
    text = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    found = re.search(rf"^{variable} :?= (.*)$", text, re.M)
    if not found:
        sys.exit(f"the Makefile has no {variable}")
    # Of alternatives the first, which the table has the licence of: all are versions of the same.
    return [word.split("|")[0] for word in found.group(1).split() if not word.startswith("$")]


def checked(licence):
    if licence not in COMPATIBLE:
        sys.exit(f"{licence} is not known to go together with GPL-3.0-or-later")
    return licence


def known(package, table, tools):
    if package in table:
        return True
    if package in tools:
        return False
    sys.exit(f"Tools/make-third-party.py does not know {package}, which the Makefile installs: add it with its licence")


def document(build):
    used = set()

    def row(*cells):
        return "| " + " | ".join(cells) + " |"

    def licence(name):
        used.add(checked(name))
        return name

    lines = [
        "# Third parties", "",
        "What is linked into chirp or shipped with it, and under which licences. Chirp itself is under GPL-3.0-or-later",
        "([LICENSE](../LICENSE)). `make third-party` writes this document; CI fails when a package, library or licence is not in it.",
        "", "## Swift packages", "",
        "As the package manager resolves them, those that others need included; the linker takes what is used. Versions are those of",
        "the day on which this was written: Package.swift says from which on.", "",
        row("package", "version", "licence", "notice"), "|---|---|---|---|",
    ]
    for name, location, version, name_of_licence, notice in swift_packages(build):
        link = location.removesuffix(".git")
        lines.append(row(f"[{name}]({link})", version, licence(name_of_licence), "NOTICE" if notice else ""))
    lines += [
        "", "Their NOTICE files name what they carry of others: swift-nio has llhttp (MIT), swift-crypto and swift-nio-ssl, where they",
        "are listed, BoringSSL (Apache-2.0; its field arithmetic is fiat-crypto's: MIT, Apache-2.0 or BSD-1-Clause).",
    ]
    lines += [
        "", "## Libraries of the system", "",
        "Linked when the program starts, or loaded; not shipped, but for those within the wheel. The versions are the system's.", "",
        row("library", "licence", "for"), "|---|---|---|",
    ]
    for package in makefile_list("PACKAGES"):
        if known(package, LINKED, TOOLS):
            library, name_of_licence, purpose = LINKED[package]
            lines.append(row(library, licence(name_of_licence), purpose))
            for indirect, its_licence in INDIRECT.get(package, []):
                lines.append(row(indirect, licence(its_licence), f"by way of {library}"))
    for library, name_of_licence, note in RUNTIME:
        lines.append(row(library, licence(name_of_licence), note))
    lines += [
        "", "## The receiver in the browser", "", "Parts of chirp.wasm beside chirp's own, RealModule of swift-numerics among them.", "",
        row("part", "licence", "note"), "|---|---|---|",
    ]
    for package in makefile_list("WASM_PACKAGES"):
        if known(package, WASM, WASM_TOOLS):
            part, name_of_licence, note = WASM[package]
            lines.append(row(f"{package}: {part}", licence(name_of_licence), note))
    for part, name_of_licence in WASM_RUNTIME:
        lines.append(row(part, licence(name_of_licence), ""))
    lines += [
        "", "The page's fonts are the system's; its icon and scripts are chirp's own.",
        "", "## The package for Python", "",
        "The wheel has libchirp.so in it, with Swift's library and FFTW as above. Installed with it, from their own packages:", "",
        row("package", "licence"), "|---|---|",
    ]
    project = (ROOT / "Bindings" / "Python" / "pyproject.toml").read_text()
    for requirement in re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*?)\]", project, re.M | re.S).group(1)):
        name = re.match(r"[A-Za-z0-9_.-]+", requirement).group(0)
        if name not in PYTHON:
            sys.exit(f"Tools/make-third-party.py does not know {name}, which the wheel needs: add it with its licence")
        lines.append(row(name, licence(PYTHON[name])))
    lines += [
        "", "What tests and benchmarks use (libFuzzer, pytest, Chromium and others) is neither linked nor shipped.",
        "", "## Together under GPL-3.0-or-later", "", row("licence", "with GPL-3.0-or-later"), "|---|---|",
    ]
    lines += [row(name, COMPATIBLE[name]) for name in sorted(used)]
    lines += [
        "", "Apache-2.0 goes together with version 3 of the GPL and not with version 2: a binary of chirp may be passed on under",
        "GPL-3.0-or-later alone, FFTW then being taken under version 3, too.", "",
    ]
    return "\n".join(lines)


def without_versions(text):
    return re.sub(r"^(\| \[[^|]*\|)[^|]*\|", r"\1 |", text, flags=re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the document, but for versions")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build")
    arguments = parser.parse_args()
    text = document(arguments.build)
    if not arguments.check:
        DOCUMENT.write_text(text)
    elif not DOCUMENT.exists() or without_versions(DOCUMENT.read_text()) != without_versions(text):
        sys.exit("docs/THIRD-PARTY.md is out of date: run make third-party")


if __name__ == "__main__":
    main()
