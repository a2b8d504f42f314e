"""What the documents refer to exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path for folder in (".", "docs", "Examples", "Bindings/Python") for path in (ROOT / folder).glob("*.md"))
FOLDERS = "Benchmarks|Bindings|Deployment|Examples|Samples|Sources|Tests|Tools|docs"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_and_every_path_leads_somewhere(path):
    text = path.read_text()
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if not (path.parent / link).exists()] == []
    named = re.findall(rf"`((?:{FOLDERS})/[\w+./-]+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_target_of_make_exists(path):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = path.read_text()
    # A line of prose may begin with the word; a line of a code block that does is a command.
    commands = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    named = re.findall(r"`make ([a-z][\w-]*)", text)
    named += re.findall(r"^\s*make ([a-z][\w-]*)", "\n".join(commands), re.MULTILINE)
    assert [name for name in named if name not in targets] == []
