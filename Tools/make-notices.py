#!/usr/bin/env python3
"""Writes what a binary of chirp has to be passed on with: the licences and notices of what is linked in.

    Tools/make-notices.py FOLDER [--of program|wheel|module]

FOLDER/NOTICES holds their texts, each once; FOLDER/copyright is the same as Debian wants it, with its own copies of the GPL and
the Apache License in place of the text. Packages and licences are those of docs/THIRD-PARTY.md. The wheel for Python and the module for
browsers have less in them than the program: of these there are only NOTICES.
"""

import argparse
import importlib.util
import pathlib
import re
import shutil
import sys

specification = importlib.util.spec_from_file_location("third_party", pathlib.Path(__file__).with_name("make-third-party.py"))
third_party = importlib.util.module_from_spec(specification)
specification.loader.exec_module(third_party)
BUILD = third_party.ROOT / ".build"

APACHE = """\
Licensed under the Apache License, Version 2.0. On Debian systems its text is in /usr/share/common-licenses/Apache-2.0."""
GPL = """\
This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as
published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version. On Debian
systems its text is in /usr/share/common-licenses/GPL-3."""


def texts(folder):
    """The licences and notices of a checkout, and of sources of others within it."""
    found = [*folder.glob("LICENSE*"), *folder.glob("NOTICE*"), *folder.glob("Sources/**/LICENSE*")]
    return [(path.relative_to(folder.parent), path.read_text(errors="replace").strip()) for path in sorted(found) if path.is_file()]


def holder(folder, name):
    """Who says to hold the copyright: in NOTICE, in the licence of one's own, or at the head of a source."""
    places = [*sorted(folder.glob("NOTICE*")), *sorted(folder.glob("LICENSE*")), *sorted(folder.glob("Sources/**/*.swift"))]
    for path in places:
        found = re.search(r"^[ /*]*Copyright (?:\(c\) )?((?:\d{4}|the \w+ authors).*)", path.read_text(errors="replace"), re.I | re.M)
        if found:
            return found.group(1).strip(" .*/")
    sys.exit(f"{name}: nobody says to hold the copyright")


def paragraph(text):
    """As a value of several lines in a control file."""
    return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.strip().splitlines())


def swift_licence():
    """Where the toolchain has it: usr/share/swift/LICENSE.txt."""
    compiler = shutil.which("swift")
    path = pathlib.Path(compiler).resolve().parent.parent / "share" / "swift" / "LICENSE.txt" if compiler else None
    if path is None or not path.exists():
        sys.exit("the compiler's LICENSE.txt is missing")
    return path.read_text().strip()


def swift_parts(is_wanted):
    for name, _, _, licence, _ in third_party.swift_packages(BUILD):
        if is_wanted(name):
            folder = BUILD / "checkouts" / name
            yield name, holder(folder, name), licence, texts(folder)
    yield ("Swift's standard library, Foundation, Dispatch", "2014 Apple Inc. and the Swift project authors",
           "Apache-2.0 WITH Swift-exception", [(pathlib.Path("swift/LICENSE.txt"), swift_licence())])


def from_debian(package, place, target):
    """What a package of Debian says of its copyright, which is there when the package, or one of another version, is."""
    paths = sorted(pathlib.Path("/usr/share/doc").glob(f"{re.sub('[0-9]+', '[0-9]*', package)}/copyright"))
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    path = path if path.exists() or not paths else paths[-1]
    if not path.exists():
        sys.exit(f"{path} is missing: run make {target}")
    return [(pathlib.Path(place) / "copyright", path.read_text().strip())]


def module_parts():
    for package in third_party.makefile_list("WASM_PACKAGES"):
        if package in third_party.WASM:
            yield (f"{package} (in chirp.wasm)", "its contributors, by name in NOTICES", third_party.WASM[package][1],
                   from_debian(package, package, "wasm"))


def parts(of):
    """Name, holder, licence and texts of each."""
    yield from swift_parts(lambda name: of == "program" or name == "swift-numerics")
    if of == "program":
        # Foundation carries ICU and its data; the toolchain does not have their licence.
        unicode = third_party.ROOT / "Packaging" / "licences" / "Unicode-3.0.txt"
        yield "ICU (in Foundation)", "2016-2025 Unicode, Inc.", "Unicode-3.0", [(pathlib.Path("ICU/LICENSE"), unicode.read_text().strip())]
        yield ("OpenSSL (SHA-256)", "1995 The OpenSSL Project Authors, and others by name in NOTICES", "Apache-2.0",
               from_debian("libssl-dev", "OpenSSL", "build"))
    if of == "wheel":
        yield "FFTW", "its authors, by name in NOTICES", "GPL-2.0-or-later", from_debian("libfftw3-dev", "FFTW", "library")
    else:
        yield from module_parts()


def notices(found):
    places = {}
    for _, _, _, its_texts in found:
        for place, text in its_texts:
            places.setdefault(text, []).append(str(place))
    rule = "=" * 100
    head = "chirp is under the GNU General Public License, version 3 or later. It has parts of the following in it."
    return "\n".join([head] + [f"\n{rule}\n{', '.join(where)}\n{rule}\n\n{text}" for text, where in places.items()]) + "\n"


def debian_licence(text):
    """The first text of the MIT licence or with LLVM's exceptions in another package's file copyright."""
    found = re.search(r"^License: *(?:MIT|APACHE-2-LLVM-EXCEPTIONS)\n((?: .*\n)+)", text + "\n", re.M)
    return re.sub(r"^ \.?", "", found.group(1), flags=re.M) if found else None


def licence_text(name, its_texts):
    """What stands for a licence in Debian's file: its text, but for those that are on every Debian system."""
    if name == "Apache-2.0":
        return APACHE
    place, text = its_texts[0]
    if place.name == "copyright":
        text = debian_licence(text) or sys.exit(f"{place}: no licence that Tools/make-notices.py knows")
    if not name.startswith("Apache-2.0"):
        return re.sub(r"^(?:Copyright|MIT License).*\n+", "", text, flags=re.M)
    exception = re.search(r"^\W*(?:Runtime Library Exception|LLVM Exceptions)[^\n]*\n+(.*)", text, re.S | re.M)
    return APACHE + ("\n\n" + exception.group(1) if exception else "")


def debian_copyright(found):
    stanzas = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: chirp\n"
        "Comment:\n Beside chirp's own sources, named as they are in its repository, these are the packages that are linked in,\n"
        " each as its repository is called. NOTICES has all texts in full.",
        "Files: *\nCopyright: 2026 the chirp maintainers\nLicense: GPL-3.0-or-later",
    ]
    names = {}
    for name, holders, licence, its_texts in found:
        short = licence.replace(" WITH Swift-exception", "-with-Swift-exception").replace(
            " WITH LLVM-exception", "-with-LLVM-exception")
        # Texts that are called MIT differ.
        short = f"{short}-{name.split()[0]}" if short == "MIT" else short
        names.setdefault(short, (licence, its_texts))
        files = re.sub(r"[^A-Za-z0-9.+-]+", "-", name)
        stanzas.append(f"Files: {files}/*\nCopyright: {holders}\nLicense: {short}")
    stanzas.append("License: GPL-3.0-or-later\n" + paragraph(GPL))
    for short, (licence, its_texts) in names.items():
        stanzas.append(f"License: {short}\n" + paragraph(licence_text(licence, its_texts)))
    return "\n\n".join(stanzas) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--of", choices=["program", "wheel", "module"], default="program")
    arguments = parser.parse_args()
    folder = arguments.folder
    found = list(parts(arguments.of))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "NOTICES").write_text(notices(found))
    if arguments.of == "program":
        (folder / "copyright").write_text(debian_copyright(found))


if __name__ == "__main__":
    main()
