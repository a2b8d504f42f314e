"""A PostgreSQL server for tests, with its data in a temporary folder."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

from nginx import free_port


class Postgres:
    """The server refuses to run as root, so as root it is run as the user nobody."""

    def __init__(self, *settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="chirp-postgresql-"))
        self.user = {"user": "nobody"} if os.geteuid() == 0 else {}
        if self.user:
            os.chown(self.folder, pwd.getpwnam("nobody").pw_uid, -1)
        self.run("initdb", "--username=chirp", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync")
        self.port = free_port()
        with open(self.folder / "data/postgresql.conf", "a") as file:
            file.write("\n".join([f"listen_addresses = '127.0.0.1'\nport = {self.port}", f"unix_socket_directories = '{self.folder}'",
                                  "max_connections = 100", *settings, ""]))
        self.run("pg_ctl", "start", f"--log={self.folder}/log", "--wait")
        self.url = f"postgresql://chirp@127.0.0.1:{self.port}/postgres"

    def run(self, name, *arguments):
        program = max(pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
        subprocess.run([program, f"--pgdata={self.folder}/data", *arguments], check=True, stdout=subprocess.DEVNULL,
                       cwd=self.folder, **self.user)

    def ask(self, statement):
        return subprocess.run(["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command", statement, self.url], check=True,
                              capture_output=True, text=True).stdout.strip()

    def stop(self):
        self.run("pg_ctl", "stop", "--mode=immediate", "--wait")
        shutil.rmtree(self.folder)
