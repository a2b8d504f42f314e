"""The package for Debian and the tarball, in systems that never saw Swift: installed, used and removed."""

import json
import os
import re
import shutil
import signal
import subprocess
import urllib.request

import pytest

from packages import DEB, TARBALL, VERSION
from roots import ROOT, Root, run

SAMPLE = ROOT / "Samples/recording-1-gsm2h88c7u.flac"

# What apt and dpkg remember of any package, and what they cache.
REMEMBERED = re.compile(r"/var/(lib/dpkg|lib/apt|log|cache/apt|cache/debconf|cache/ldconfig)(/.*)?|/etc/ld\.so\.cache")


@pytest.fixture
def root(request, tmp_path):
    root = Root(request.param, tmp_path)
    yield root
    root.remove()


def use(root, chirp):
    """The path of a user: a recording, a link and its code, the service."""
    assert root.run(chirp, "--version").strip() == VERSION
    libraries = root.run("ldd", chirp)
    assert "not found" not in libraries and "swift" not in libraries.lower(), libraries
    assert not list(root.folder.glob("usr/**/libswift*"))

    root.put(SAMPLE, "/tmp")
    heard = json.loads(root.run(chirp, "decode", "--json", "--no-resolve", f"/tmp/{SAMPLE.name}").splitlines()[0])
    assert heard["code"] == "gsm2h88c7u", heard

    registry = ["--registry", "/tmp/registry.sqlite"]
    shared = json.loads(root.run(chirp, "share", "url", "https://example.org/", "--json", *registry))
    code = shared["code"]
    assert "https://example.org/" in root.run(chirp, "resolve", code, *registry)

    # A port of 0 is chosen by the system; the service says on which it listens.
    service = subprocess.Popen(root.command(chirp, "serve", "--host", "127.0.0.1", "--port", "0", *registry),
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = []
        for line in service.stdout:
            said.append(line)
            place = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if place:
                break
        else:
            raise AssertionError("".join(said))
        with urllib.request.urlopen(f"{place.group(0)}/") as page:
            text = page.read().decode()
        assert page.status == 200 and "<html" in text
        with urllib.request.urlopen(f"{place.group(0)}/{code}") as page:
            assert "https://example.org/" in page.read().decode()
        service.send_signal(signal.SIGTERM)
        rest = service.stdout.read()
        assert service.wait() == 0, "".join(said) + rest
    finally:
        if service.poll() is None:
            service.kill()
            service.wait()
        service.stdout.close()
    # What the user has: the sample, the registry, the history at home.
    for path in root.folder.glob("tmp/*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def changes(before, after):
    return sorted(path for path in before.keys() | after.keys()
                  if before.get(path) != after.get(path) and not REMEMBERED.fullmatch(path))


@pytest.mark.parametrize("root", ["bookworm", "trixie"], indirect=True)
def test_the_package_works_in_a_clean_debian_and_leaves_nothing_behind(root):
    before = root.everything()
    users = [(root.folder / f"etc/{name}").read_text() for name in ("passwd", "group")]
    root.put(DEB, "/tmp")
    root.run("apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{DEB.name}")
    use(root, "/usr/bin/chirp")

    # What systemd and the service leave: the link of an enabled unit, its state, its cache, its settings.
    run("systemctl", f"--root={root.folder}", "enable", "chirp.service")
    wanted = root.folder / "etc/systemd/system/multi-user.target.wants/chirp.service"
    assert wanted.is_symlink()
    for folder in ("lib", "cache"):
        (root.folder / f"var/{folder}/private/chirp").mkdir(parents=True)
        (root.folder / f"var/{folder}/chirp").symlink_to("private/chirp")
    (root.folder / "var/lib/private/chirp/registry.sqlite").write_text("links")
    (root.folder / "etc/chirp.env").write_text("CHIRP_SERVE=\n")

    # Without purge, links and settings stay.
    root.run("apt-get", "remove", "-y", "chirp-shortcodes")
    assert not (root.folder / "usr/bin/chirp").exists()
    assert (root.folder / "var/lib/chirp/registry.sqlite").read_text() == "links"

    root.run("apt-get", "purge", "-y", "chirp-shortcodes")
    root.run("apt-get", "autoremove", "-y", "--purge")
    assert not wanted.is_symlink()
    assert [(root.folder / f"etc/{name}").read_text() for name in ("passwd", "group")] == users
    assert not list(root.folder.glob("var/lib/systemd/deb-systemd-helper*/**/*chirp*"))
    assert changes(before, root.everything()) == []


# Of the tarball's libraries, what Ubuntu calls those that are not on every system.
UBUNTU_LIBRARIES = ["libasound2t64", "libfftw3-single3", "libsndfile1", "libsqlite3-0"]


@pytest.mark.parametrize("root", ["noble"], indirect=True)
def test_the_tarball_works_in_a_clean_ubuntu_and_leaves_nothing_behind(root):
    root.run("apt-get", "install", "-y", "--no-install-recommends", *UBUNTU_LIBRARIES)
    before = root.everything()
    name = TARBALL.name.removesuffix(".tar.xz")

    # In a folder of its own.
    run("tar", "-C", root.folder / "opt", "-xf", TARBALL)
    use(root, f"/opt/{name}/bin/chirp")
    run("rm", "-r", root.folder / "opt" / name)
    assert changes(before, root.everything()) == []

    # In /usr/local, as its README says.
    run("tar", "-C", root.folder / "usr/local", "--strip-components=1", "-xf", TARBALL)
    assert root.run("chirp", "--version").strip() == VERSION
    for line in run("tar", "-tf", TARBALL).split():
        path = root.folder / "usr/local" / line.partition("/")[2]
        if path.is_file():
            path.unlink()
    kept = {path for path in changes(before, root.everything()) if not os.path.isdir(str(root.folder) + path)}
    assert kept == set()


@pytest.mark.parametrize("root", ["noble"], indirect=True)
def test_the_package_for_debian_works_in_ubuntu_too(root):
    root.put(DEB, "/tmp")
    root.run("apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{DEB.name}")
    use(root, "/usr/bin/chirp")
