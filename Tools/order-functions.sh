#!/bin/sh
# Writes Packaging/functions.order: the functions of chirp that run when it decodes, one a line, which the linker puts beside each
# other. The system maps a program's file 64 KB at a time, and what is used of 27 MB of code lies everywhere in it.
# Needs valgrind.
#
#   Tools/order-functions.sh .build/release/chirp
set -eu

chirp=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME="$folder" LC_ALL=C
# Valgrind cannot read Swift's debug information.
strip --strip-debug -o "$folder/chirp" "$chirp"

trace() { # RUN OPTIONS...
    run=$1
    shift
    # Finding no code is a result, too.
    valgrind --quiet --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file="$folder/$run.trace" \
        "$folder/chirp" "$@" >/dev/null 2>"$folder/errors" || [ $? = 1 ] || { cat "$folder/errors" >&2; exit 1; }
}

noise() { head -c "$1" /dev/urandom; }

trace version --version
trace samples decode --no-resolve Samples/*
trace json decode --no-resolve --json Samples/recording-1-*
# With a registry and a history, and with neither.
trace unresolved decode Samples/recording-1-*
"$chirp" share url https://example.org/ >"$folder/shared" 2>&1
trace resolved decode Samples/*
noise 4000000 | trace noise decode --no-resolve --raw s16le:48000:1 -
noise 4000000 | trace stereo decode --no-resolve --raw s16le:44100:2 -

{
    echo "# Functions that run when chirp decodes, for the linker: see Tools/order-functions.sh, which wrote this."
    cat "$folder"/*.trace | awk -v program="$folder/chirp" '
        /^ob=/ { own = $0 == "ob=" program }
        own && /^fn=/ { sub(/^fn=/, ""); sub(/\047[0-9]+$/, ""); if ($0 !~ /^0x/) print }' | sort -u
} >"$folder/order"
mv "$folder/order" Packaging/functions.order
wc -l Packaging/functions.order
