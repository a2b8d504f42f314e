"""What the README tells people to deploy."""

import os
import shutil
import subprocess
import time
import urllib.request

import pytest

from service import ROOT, Service


def test_the_unit_is_one_that_systemd_takes():
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", ROOT / "Deployment/chirp.service"], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.fixture
def nginx(tmp_path):
    """nginx with the configuration of the repository, but for its ports, its certificate and the service's port."""
    service = Service("--proxy", "127.0.0.1")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=chirp.example.org",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "chain.pem"], check=True, capture_output=True)
    port = free_port()
    site = (ROOT / "Deployment/nginx.conf").read_text()
    folder = "/etc/letsencrypt/live/chirp.example.org"
    for old, new in [("127.0.0.1:8080", service.url.removeprefix("http://")), ("listen 443", f"listen 127.0.0.1:{port}"),
                     ("listen 80;", f"listen 127.0.0.1:{free_port()};"), (f"{folder}/fullchain.pem", f"{tmp_path}/chain.pem"),
                     (f"{folder}/privkey.pem", f"{tmp_path}/key.pem")]:
        assert old in site
        site = site.replace(old, new)
    (tmp_path / "site.conf").write_text(site)
    (tmp_path / "nginx.conf").write_text(f"""
        {"user root;" if os.geteuid() == 0 else ""} daemon off; error_log {tmp_path}/error.log; pid {tmp_path}/pid; events {{}}
        http {{ access_log off; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy;
               fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;
               include {tmp_path}/site.conf; }}""")
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen([program, "-c", tmp_path / "nginx.conf", "-p", tmp_path], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not (tmp_path / "pid").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    yield port, service
    process.terminate()
    process.wait(30)
    service.stop()


def free_port():
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_behind_nginx_the_service_knows_its_address(nginx, tmp_path):
    port, service = nginx
    code = service.register(kind="text", text="behind nginx")
    run = subprocess.run(
        ["curl", "--silent", "--show-error", "--insecure", "--resolve", f"chirp.example.org:{port}:127.0.0.1",
         f"https://chirp.example.org:{port}/{code}.json"], capture_output=True, text=True)
    assert f'"url":"https://chirp.example.org/{code}"' in run.stdout, run.stdout + run.stderr
    large = tmp_path / "large"
    large.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(10 * 2**20 - 8))
    upload = subprocess.run(
        ["curl", "--silent", "--show-error", "--insecure", "--resolve", f"chirp.example.org:{port}:127.0.0.1",
         "--form", f"file=@{large}", f"https://chirp.example.org:{port}/file"], capture_output=True, text=True)
    assert '"is_new":1' in upload.stdout, upload.stdout + upload.stderr
