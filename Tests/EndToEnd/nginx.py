"""nginx with the configuration of the repository, but for its ports, its certificate and the services' ports."""

import os
import shutil
import socket
import ssl
import subprocess
import time

from service import ROOT


class Nginx:
    def __init__(self, folder, *services):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=chirp.example.org",
             "-keyout", folder / "key.pem", "-out", folder / "chain.pem"], check=True, capture_output=True)
        self.port = free_port()
        site = (ROOT / "Deployment/nginx.conf").read_text()
        names = "/etc/letsencrypt/live/chirp.example.org"
        # Further instances are written as the comment in the configuration says.
        upstream = "\n".join(f"server {service.url.removeprefix('http://')};" for service in services)
        for old, new in [("server 127.0.0.1:8080;", upstream), ("listen 443", f"listen 127.0.0.1:{self.port}"),
                         ("listen 80;", f"listen 127.0.0.1:{free_port()};"), (f"{names}/fullchain.pem", f"{folder}/chain.pem"),
                         (f"{names}/privkey.pem", f"{folder}/key.pem")]:
            assert old in site
            site = site.replace(old, new)
        (folder / "site.conf").write_text(site)
        (folder / "nginx.conf").write_text(f"""
            {"user root;" if os.geteuid() == 0 else ""} daemon off; error_log {folder}/error.log; pid {folder}/pid; events {{}}
            http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                   fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
                   include {folder}/site.conf; }}""")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.PIPE)
        deadline = time.monotonic() + 30
        while not (folder / "pid").exists() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)

    @staticmethod
    def trust():
        """What a client needs to believe a certificate that was made for the test."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stderr.close()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
