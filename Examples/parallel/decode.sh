#!/bin/sh
# Decodes an archive with GNU parallel: decode.sh MANIFEST FOLDER [HOSTS]
#
# MANIFEST has a path a line, which every host can read. HOSTS has a host a line, as parallel's --sshloginfile takes it: "2/db1" is two
# jobs at a time on db1, ":" this machine. FOLDER gets
#   chirps.jsonl  a line a chirp, as chirp decode --json prints it
#   errors.txt    what was said about the files that could not be decoded
#   jobs.tsv      a line a file: host, seconds, and as its exit status 0, or what no host could do
# The same command once more decodes the files that are missing in jobs.tsv, and those that no host could.
set -eu
manifest=$1 folder=$2 hosts=${3:-}
mkdir -p "$folder"
[ -n "$hosts" ] || { hosts=$folder/hosts && echo : >"$hosts"; }

# A job fails when its host does, and is then run again on another one; what it has printed so far is dropped. That nothing was found
# (1) or that a file cannot be decoded (2) is a result. The status is the number of files for which no host was left.
exec parallel --sshloginfile "$hosts" --retries 3 --resume-failed --joblog "$folder/jobs.tsv" --arg-file "$manifest" \
  "${CHIRP:-chirp} decode --json -- {}; test \$? -le 2" >>"$folder/chirps.jsonl" 2>>"$folder/errors.txt"
