"""What make test-deb has packed of this version."""

import re

from roots import ROOT

VERSION = re.search(r'current = "(.*)"', (ROOT / "Sources/Chirp/ChirpVersion.swift").read_text()).group(1)


def the_one(pattern):
    found = sorted((ROOT / ".build/packages").glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}; run make test-deb"
    return found[0]


DEB = the_one(f"chirp-shortcodes_{VERSION}_*.deb")
TARBALL = the_one(f"chirp-{VERSION}-linux-*.tar.xz")
