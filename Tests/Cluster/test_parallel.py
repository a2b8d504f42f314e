"""Examples/parallel on two hosts, one of which is killed while it decodes. Both are sshd on this machine."""

import collections
import json
import os
import pathlib
import socket
import subprocess
import threading

import pytest

from archive import ROOT, Archive, kill_tree, tree

CHIRP = ROOT / ".build/release/chirp"


class Host:
    """An sshd on a port of its own."""

    def __init__(self, folder, name):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        settings = folder / f"{name}.sshd"
        settings.write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/{name}\nPidFile none\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {folder}/key.pub\nPermitRootLogin yes\nMaxStartups 100\n")
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", settings], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        assert "listening" in line, line
        client = folder / f"{name}.ssh"
        client.write_text(
            f"Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {folder}/key\n  IdentitiesOnly yes\n"
            "  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n")
        self.login = f"1/ssh -F {client} {name}"

    def kill(self):
        """As when the machine loses its power."""
        kill_tree(self.process.pid)
        self.process.wait()
        self.process.stderr.close()


@pytest.fixture
def hosts(tmp_path):
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True)
    hosts = [Host(tmp_path, name) for name in ("one", "two")]
    yield hosts
    for host in hosts:
        host.kill()


def test_every_chirp_is_one_line_though_a_host_is_killed(hosts, tmp_path):
    archive = Archive(tmp_path / "archive")
    (tmp_path / "hosts").write_text("".join(f"{host.login}\n" for host in hosts))
    tables = tmp_path / "tables"
    command = [ROOT / "Examples/parallel/decode.sh", archive.manifest, tables, tmp_path / "hosts"]
    environment = {**os.environ, "CHIRP": str(CHIRP), "HOME": str(tmp_path), "CHIRP_HISTORY": "off"}
    run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    caught = archive.catch_reader(lambda: run.poll() is None)
    [reader] = archive.readers()
    [victim] = [host for host in hosts if reader in tree(host.process.pid)]
    victim.kill()
    archive.let_go(caught)
    hosts.remove(victim)
    answering = threading.Thread(target=archive.answer, args=[lambda: run.poll() is None])
    answering.start()
    output, _ = run.communicate(timeout=300)
    answering.join()
    assert run.returncode == 0, output

    chirps = [json.loads(line) for line in (tables / "chirps.jsonl").read_text().splitlines()]
    assert collections.Counter((one["file"], one["code"]) for one in chirps) == archive.expected
    errors = (tables / "errors.txt").read_text()
    assert all(errors.count(f"chirp: {path}: ") == 1 for path in archive.broken), errors
    jobs = [line.split("\t") for line in (tables / "jobs.tsv").read_text().splitlines()[1:]]
    assert len(jobs) == len(archive.manifest.read_text().splitlines())
    assert {job[6] for job in jobs} == {"0"}, jobs

    # Nothing is missing: once more adds nothing.
    subprocess.run(command, env=environment, check=True, timeout=300)
    assert len((tables / "chirps.jsonl").read_text().splitlines()) == archive.expected.total()
