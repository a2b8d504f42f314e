"""What the README tells people to deploy."""

import json
import subprocess

import pytest

from nginx import Nginx
from service import ROOT, Service


def curl(port, path, *arguments):
    run = subprocess.run(
        ["curl", "--silent", "--show-error", "--insecure", "--resolve", f"chirp.example.org:{port}:127.0.0.1", *arguments,
         f"https://chirp.example.org:{port}{path}"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_unit_is_one_that_systemd_takes():
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", ROOT / "Deployment/chirp.service"], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_behind_nginx_the_service_knows_its_address(nginx, tmp_path):
    port, service = nginx
    code = service.register(kind="text", text="behind nginx")
    assert f'"url":"https://chirp.example.org/{code}"' in curl(port, f"/{code}.json")
    large = tmp_path / "large"
    large.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(10 * 2**20 - 8))
    assert '"is_new":1' in curl(port, "/file", "--form", f"file=@{large}")


@pytest.mark.parametrize("path, status", [("/decode", 413), ("/healthz", 502)])
def test_nginx_refuses_as_the_service_does(path, status, tmp_path):
    service = Service()
    nginx = Nginx(tmp_path, service)
    arguments = []
    if status == 413:
        (tmp_path / "sound").write_bytes(bytes(34 * 2**20))
        arguments = ["--data-binary", f"@{tmp_path / 'sound'}"]
    else:
        service.stop()
    try:
        output = curl(nginx.port, path, "--write-out", "\n%{http_code} %{content_type}", *arguments)
        answer, _, head = output.rpartition("\n")
        page = curl(nginx.port, path, "--header", "Accept: text/html", *arguments)
    finally:
        nginx.stop()
        if status == 413:
            service.stop()
    assert head == f"{status} application/json"
    error = json.loads(answer)
    assert error["error"]["code"] == error["status"] == status and error["error"]["msg"] == error["description"]
    assert page.startswith("<html>")
