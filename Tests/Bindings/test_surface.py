"""The public surface of the library for Swift: what clients may rely on from 1.0.0 on.

After a change that is meant, CHIRP_RECORD_SNAPSHOTS=1 writes surface.txt anew, and fails; its difference says whether the next
version is a major, a minor or a patch one.
"""

import os
import re
from pathlib import Path

import pytest
import surface

RECORDED = Path(__file__).parent / "surface.txt"
CHANGES = surface.ROOT / "CHANGELOG.md"


@pytest.fixture(scope="module")
def symbols(tmp_path_factory):
    return surface.graph(tmp_path_factory.mktemp("symbols"))


def test_the_public_surface_is_the_recorded_one(symbols):
    found = "\n".join(surface.surface(symbols)) + "\n"
    if os.environ.get("CHIRP_RECORD_SNAPSHOTS"):
        RECORDED.write_text(found)
        pytest.fail("recorded anew: review the difference")
    assert found.splitlines() == RECORDED.read_text().splitlines()


def test_every_public_symbol_is_documented(symbols):
    # What conforms to a protocol has the protocol's documentation, and no place in our sources of its own.
    bare = [".".join(symbol["pathComponents"]) for symbol in symbols["symbols"]
            if not symbol.get("docComment", {}).get("lines")]
    assert bare == []
    text = surface.VERSION.read_text().splitlines()
    for before, line in zip(text, text[1:]):
        assert "public" not in line or before.strip().startswith("///"), line


def test_the_version_is_a_semantic_one_that_the_changes_describe():
    version = re.search(r'current = "(.*)"', surface.VERSION.read_text())[1]
    assert re.fullmatch(r"[1-9]\d*\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?", version)
    assert re.search(r"^## (\S+),", CHANGES.read_text(), re.MULTILINE)[1] == version
