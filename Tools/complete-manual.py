#!/usr/bin/env python3
"""Adds to man pages what swift-argument-parser leaves out of them: default values, the values that an option takes, and in the
pages of commands that have subcommands, what each of these does. In the first page, the environment.

    complete-manual.py PROGRAM FOLDER
"""

import json
import pathlib
import re
import subprocess
import sys

ENVIRONMENT = {
    "CHIRP_REGISTRY": "The registry: a SQLite file, a postgresql:// URL, or the http(s):// URL of a chirp service.",
    "CHIRP_REGISTRY_KEY": "What lets other machines list, export and import over HTTP, for the service and for them.",
    "CHIRP_DEVICE": "The sound device, where --device names none.",
    "CHIRP_HISTORY": "off keeps no history of what was sent and heard.",
    "LASTFM_API_KEY": "The key for Last.fm, which charts need.",
    "LASTFM_API_URL": "Another address of Last.fm's web service.",
    "NO_COLOR": "When it is set, nothing is coloured.",
}


def escaped(text):
    """A text as words of a line of mdoc."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text


def remark(argument):
    """The values that an option takes, and its default, as a sentence; None where it has neither."""
    values, default = argument.get("allValues"), argument.get("defaultValue")
    words = []
    if values:
        words.append("values: " + ", ".join(values))
    if default is not None and argument["kind"] == "option":
        words.append("default: " + re.sub(r"^(\d+)\.0$", r"\1", default))
    return f"({'; '.join(words)})" if words else None


def complete(page, command):
    lines = page.read_text().split("\n")
    for argument in command.get("arguments", []):
        names = [name["name"] for name in argument.get("names") or [] if name["kind"] == "long"]
        text = remark(argument)
        if not names or text is None:
            continue
        start = next(i for i, line in enumerate(lines) if re.match(rf"\.It Fl .*-{re.escape(names[0])}( |$)", line))
        # What it says ends before the next one.
        end = next(i for i in range(start + 1, len(lines)) if re.match(r"\.(It|El|Pp|Sh)\b", lines[i]))
        lines.insert(end, escaped(text))
    page.write_text("\n".join(lines))


def add_section(page, heading, entries, before):
    text = page.read_text()
    items = "".join(f"{macro}\n{escaped(entry)}\n" for macro, entry in entries)
    section = f'.Sh {heading}\n.Bl -tag -width 6n\n{items}.El\n'
    place = text.find(f"\n{before}") + 1
    assert place > 0, f"{page}: no {before}"
    page.write_text(text[:place] + section + text[place:])


def visit(command, path, folder):
    page = folder / (".".join(path) + ".1")
    if not page.exists():
        return
    complete(page, command)
    children = [child for child in command.get("subcommands", []) if child.get("shouldDisplay", True)]
    children = [child for child in children if (folder / (".".join([*path, child["commandName"]]) + ".1")).exists()]
    for child in children:
        visit(child, [*path, child["commandName"]], folder)
    if children:
        entries = [(f".It Cm {child['commandName']}", child.get("abstract", "")) for child in children]
        add_section(page, "SUBCOMMANDS", entries, '.Sh "EXIT STATUS"')


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    tree = json.loads(subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout)["command"]
    visit(tree, [tree["commandName"]], folder)
    first = folder / (tree["commandName"] + ".1")
    add_section(first, "ENVIRONMENT", [(f".It Ev {name}", text) for name, text in ENVIRONMENT.items()], '.Sh "EXIT STATUS"')


main()
