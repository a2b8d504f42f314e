"""What the README tells people to deploy."""

import subprocess

from service import ROOT


def test_the_unit_is_one_that_systemd_takes():
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", ROOT / "Deployment/chirp.service"], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


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
