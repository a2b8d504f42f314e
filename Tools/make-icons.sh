#!/bin/sh
# Makes the icons of the installed page from icon.svg: 192 and 512 pixels, and one that a system may cut to any shape, whose
# ground goes to the edges and whose notes lie within the middle four fifths.
set -eu
cd "$(dirname "$0")/../Sources/ChirpService/Resources"
rsvg-convert --width 192 icon.svg >icon-192.png
rsvg-convert --width 512 icon.svg >icon-512.png
sed -e 's/viewBox="0 0 32 32"/viewBox="-4 -4 40 40"/' -e 's/<rect width="32" height="32" rx="7"/<rect x="-4" y="-4" width="40" height="40"/' \
  icon.svg | rsvg-convert --width 512 >icon-maskable.png
