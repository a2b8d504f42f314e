#!/bin/bash
# Packs the receiver for browsers as npm does: make-npm.sh FOLDER-OF-THE-MODULE NOTICES TARGET leaves
# chirp-receiver-VERSION.tgz in TARGET. NOTICES is the folder that make-notices.py has filled.
set -euo pipefail
cd "$(dirname "$0")/.."
module=$1 notices=$2 target=$3
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Chirp/ChirpVersion.swift)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/package/example" "$target"
cp "$module/chirp.wasm" "$module/chirp.js" "$module/chirp.d.ts" LICENSE "$notices/NOTICES" Tools/npm/README.md "$folder/package/"
cp Tools/npm/example.html "$folder/package/example/index.html"
cat >"$folder/package/package.json" <<END
{
  "name": "chirp-receiver",
  "version": "$version",
  "description": "Sends and receives short codes as sound",
  "license": "GPL-3.0-or-later",
  "type": "module",
  "exports": { ".": { "types": "./chirp.d.ts", "default": "./chirp.js" }, "./chirp.wasm": "./chirp.wasm" },
  "files": ["chirp.js", "chirp.d.ts", "chirp.wasm", "NOTICES", "example"]
}
END
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$folder" -cf - package | gzip -n -9 \
  >"$target/chirp-receiver-$version.tgz"
echo "$target/chirp-receiver-$version.tgz"
