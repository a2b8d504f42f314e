#!/bin/sh
# Fits the acceptance model anew: writes its weights into the sources, and how well they hold for other sounds into docs/RECEIVER.md.
# Takes ten minutes of two cores. Build fit-acceptance first.
#
#   Tools/fit-acceptance.sh PROGRAM [RECORDINGS]      recordings: those of Tools/fetch-noise.sh
set -eu
cd "$(dirname "$0")/.."

program=$1
recordings=${2:-$(Tools/fetch-noise.sh | tail -n 1)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for kind in fit other speech; do
    mkdir "$folder/$kind"
    for file in "$recordings/$kind"/*.flac; do
        ffmpeg -v error -nostdin -i "$file" -f f32le -ac 1 -ar 44100 "$folder/$kind/$(basename "$file" .flac).f32"
    done
done
"$program" "$folder" Sources/Chirp/Reception/Decision/AcceptanceModel+Fitted.swift "$folder/table.md"
python3 - "$folder/table.md" docs/RECEIVER.md <<'PYTHON'
import re, sys
table, document = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
begin, end = "<!-- made by make fit -->\n", "<!-- end -->"
changed, count = re.subn(f"(?s){begin}.*?{end}", lambda _: begin + table + end, document)
assert count == 1, "docs/RECEIVER.md has one place for the table"
open(sys.argv[2], "w", encoding="utf-8").write(changed)
PYTHON
