"""The public surface of the library for Swift, as the compiler tells it: surface.py FOLDER prints it.

One line a symbol, sorted: the path and the declaration, and one for each protocol that a type conforms to. The symbol graph
that it is read from is left in FOLDER; the documentation is made of it.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / ".build/release"
# Every type that is not noncopyable conforms to these, and graphs say so of some of them only.
IMPLIED = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}
# Symbol graphs leave out names that begin with the module's name and “Version”: its lines are read from the source.
VERSION = ROOT / "Sources/Chirp/ChirpVersion.swift"


def graph(folder: Path, build: Path = BUILD) -> dict:
    """Writes Chirp.symbols.json into a folder, of the module that was built last, and reads it."""
    numerics = "checkouts/swift-numerics/Sources/_NumericsShims/include/module.modulemap"
    [shims] = [parent / numerics for parent in build.absolute().parents if (parent / numerics).exists()][:1]
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["triple"]
    maps = [f"-fmodule-map-file={path}" for path in (ROOT / "Sources/CFFTW/module.modulemap", shims)]
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", "Chirp", "-target", target, "-I", build / "Modules",
         "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder,
         *(part for path in maps for part in ("-Xcc", path))],
        check=True)
    return json.loads((folder / "Chirp.symbols.json").read_text())


def surface(symbols: dict) -> list[str]:
    path = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in symbols["symbols"]}
    lines = []
    for symbol in symbols["symbols"]:
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        lines.append(f"{path[symbol['identifier']['precise']]}: {' '.join(declaration.split())}")
    for relation in symbols["relationships"]:
        if relation["kind"] == "conformsTo" and relation["source"] in path:
            to = path.get(relation["target"], relation.get("targetFallback", relation["target"]))
            if to not in IMPLIED:
                lines.append(f"{path[relation['source']]}: conforms to {to}")
    for line in VERSION.read_text().splitlines():
        if line.strip().startswith("public "):
            declaration = line.strip().removeprefix("public ").split(" = ")[0].rstrip(" {")
            lines.append(f"ChirpVersion: {declaration}")
    return sorted(lines)


if __name__ == "__main__":
    print("\n".join(surface(graph(Path(sys.argv[1])))))
