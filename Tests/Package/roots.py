"""Roots of other systems, made by debootstrap once and copied for each test; commands run in them as on a machine of their own."""

import hashlib
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOTS = ROOT / ".build" / "roots"
DEBIAN = "http://deb.debian.org/debian"
UBUNTU = "http://archive.ubuntu.com/ubuntu"
# Debian has no package of Ubuntu's keys: they are taken from Ubuntu's own, of which this is the digest.
UBUNTU_KEYS = ("pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb",
               "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8")
# Those of Ubuntu differ in name alone; an older debootstrap does not have the newest names.
UBUNTU_SCRIPT = "gutsy"


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}"
    return done.stdout


def ubuntu_keys():
    place, digest = UBUNTU_KEYS
    package = ROOTS / pathlib.Path(place).name
    run("curl", "--silent", "--show-error", "--fail", "--retry", "3", "-o", package, f"{UBUNTU}/{place}")
    assert hashlib.sha256(package.read_bytes()).hexdigest() == digest
    run("dpkg-deb", "-x", package, ROOTS / "ubuntu-keyring")
    return ROOTS / "ubuntu-keyring/usr/share/keyrings/ubuntu-archive-keyring.gpg"


def pristine(suite):
    """The root as debootstrap leaves it, with the lists of packages."""
    root = ROOTS / suite
    if root.exists():
        return root
    ROOTS.mkdir(parents=True, exist_ok=True)
    unfinished = ROOTS / f"{suite}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    if suite == "noble":
        run("debootstrap", "--variant=minbase", "--components=main,universe", f"--keyring={ubuntu_keys()}", suite, unfinished,
            UBUNTU, UBUNTU_SCRIPT)
    else:
        run("debootstrap", "--variant=minbase", suite, unfinished, DEBIAN)
    run("chroot", unfinished, "apt-get", "update")
    unfinished.rename(root)
    return root


class Root:
    """A copy of a root."""

    def __init__(self, suite, folder):
        self.folder = folder / suite
        run("cp", "-a", "--reflink=auto", pristine(suite), self.folder)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        # As images of containers have it: no service is started by a package.
        policy = self.folder / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)

    def command(self, *words):
        """With its own /proc and /dev, which end with the process."""
        script = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
        environment = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp/home", "LC_ALL=C.UTF-8",
                       "DEBIAN_FRONTEND=noninteractive"]
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, str(self.folder), *environment,
                *map(str, words)]

    def run(self, *words):
        return run(*self.command(*words))

    def put(self, path, folder):
        shutil.copy(path, self.folder / folder.lstrip("/"))

    def everything(self):
        """Each file with what it is: kind, permissions, owner, and digest or target."""
        found = {}
        for place, folders, files in os.walk(self.folder):
            for name in folders + files:
                path = pathlib.Path(place) / name
                status = path.lstat()
                if path.is_symlink():
                    content = os.readlink(path)
                elif path.is_file():
                    content = hashlib.sha256(path.read_bytes()).hexdigest()
                else:
                    content = ""
                found[f"/{path.relative_to(self.folder)}"] = (oct(status.st_mode), status.st_uid, status.st_gid, content)
        return found

    def remove(self):
        shutil.rmtree(self.folder)
