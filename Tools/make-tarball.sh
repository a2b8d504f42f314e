#!/bin/bash
# Packs what make stage has laid out for any Linux: make-tarball.sh STAGE NOTICES TARGET leaves chirp-VERSION-linux-MACHINE.tar.xz in
# TARGET. It is unpacked into a folder of its own or, without its first folder, into /usr/local.
set -euo pipefail
cd "$(dirname "$0")/.."
stage=$1 notices=$2 target=$3
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Chirp/ChirpVersion.swift)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
name=chirp-$version-linux-$(uname -m)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$stage" "$folder/$name"
install -D -m 644 Deployment/chirp.service "$folder/$name/lib/systemd/system/chirp.service"
documents=$folder/$name/share/doc/chirp
mkdir -p "$documents"
install -m 644 LICENSE CHANGELOG.md "$notices/NOTICES" Deployment/nginx.conf "$documents/"
{
  echo "chirp $version, for Linux on $(uname -m) with glibc $(getconf GNU_LIBC_VERSION | sed 's/.* //') or later."
  echo 'These libraries are needed of the system, libpq.so.5 for registries in PostgreSQL, and libcurl.so.4 for Last.fm and registries over HTTP:'
  echo
  objdump -p "$stage/bin/chirp" | sed -n 's/^ *NEEDED *\(lib.*\)/  \1/p' | LC_ALL=C sort
  echo
  echo 'bin/chirp runs from any folder. Into /usr/local, man pages, completions and the unit for systemd included:'
  echo
  echo "  tar -C /usr/local --strip-components=1 -xf $name.tar.xz"
} >"$documents/README"
mkdir -p "$target"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --mode=u=rwX,go=rX -C "$folder" -cf - "$name" | xz -${XZ_LEVEL:-6} -T1 \
  >"$target/$name.tar.xz"
echo "$target/$name.tar.xz"
