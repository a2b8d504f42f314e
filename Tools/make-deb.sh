#!/bin/bash
# Packs what make stage has laid out for Debian: make-deb.sh STAGE NOTICES TARGET leaves chirp-shortcodes_VERSION_ARCHITECTURE.deb in
# TARGET. NOTICES is the folder that make-notices.py has filled. The same commit and compiler make the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
stage=$1 notices=$2 target=$3
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Chirp/ChirpVersion.swift)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
# Whoever packs signs with the variables of Debian's tools; else it is who made the last commit.
last() { git log -1 --format="$1" 2>/dev/null || true; }
name=${DEBFULLNAME:-$(last %an)} address=${DEBEMAIL:-$(last %ae)}
maintainer="${name:-Nobody} <${address:-nobody@localhost}>"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/chirp-shortcodes-$version
mkdir -p "$target" "$package/stage" "$package/Deployment"
cp -R Packaging/debian "$package/"
cp -R "$stage" "$package/stage/usr"
cp "$notices/copyright" "$package/debian/"
cp "$notices/NOTICES" "$package/"
# Under its own name debhelper would take it for Debian's.
cp CHANGELOG.md "$package/NEWS.md"
cp Deployment/nginx.conf "$package/Deployment/"
cp Deployment/chirp.service "$package/debian/chirp-shortcodes.chirp.service"
control=$(<"$package/debian/control")
printf '%s\n' "${control//@MAINTAINER@/"$maintainer"}" >"$package/debian/control"
cat >"$package/debian/changelog" <<END
chirp-shortcodes ($version) unstable; urgency=medium

  * Version $version: see NEWS.md.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
(cd "$package" && debian/rules binary) >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
cp "$folder"/chirp-shortcodes_*.deb "$target/"
basename -a "$folder"/chirp-shortcodes_*.deb | sed "s:^:$target/:"
