"""Starts the built chirp as a service, and a stand-in for Last.fm, for tests that talk to them from outside."""

import http.server
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("CHIRP", ROOT / ".build/release/chirp"))
KEY = "key for tests"


class Service:
    """A chirp serve on a free port with a folder of its own."""

    def __init__(self, *arguments, **environment):
        self.folder = tempfile.TemporaryDirectory(prefix="chirp-browser-")
        variables = {
            "CHIRP_REGISTRY": f"{self.folder.name}/registry.sqlite", "CHIRP_REGISTRY_KEY": KEY, "LASTFM_API_KEY": "",
            "XDG_CACHE_HOME": f"{self.folder.name}/cache", "TMPDIR": self.folder.name, **environment,
        }
        self.log = open(f"{self.folder.name}/log", "w")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--rate", "0", *arguments], env={**os.environ, **variables},
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), self.errors()
        self.url = line

    def errors(self):
        # Not by way of self.log, whose position is the service's, too.
        return pathlib.Path(self.log.name).read_text()

    def ask(self, method, path, body=None, **headers):
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        if data is not None and "Content-Type" not in headers:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def register(self, **link):
        """Gives a link a code."""
        return json.loads(self.ask("POST", "/registry/links", link))["link"]["code"]

    def wave(self, code):
        return self.ask("GET", f"/{code}.wav")

    def abandon(self):
        """Removes what is left of a service that was killed."""
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    def stop(self):
        self.process.terminate()
        status = self.process.wait(60)
        self.process.stdout.close()
        errors = self.errors()
        self.log.close()
        self.folder.cleanup()
        assert status == 0, errors
        assert not re.search(r" (error|critical) ", errors), errors


LINE = re.compile(r'([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\]|\\.)*"(?:,|(?=\})))+\})? (-?[0-9.e+-]+)')


def metrics(service, **headers):
    """Every series by name and labels; fails unless each line is of Prometheus's text format."""
    request = urllib.request.Request(service.url + "/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        text = answer.read().decode()
    series, types = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in types
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = LINE.fullmatch(line)
            assert match, line
            name = re.sub("_(bucket|sum|count)$", "", match[1]) if match[1] not in types else match[1]
            assert name in types, line
            series[match[1] + (match[2] or "")] = float(match[3])
    assert text.endswith("\n")
    return series


ALBUMS = [("Björk", "Homogenic", 17), ("Portishead", "Dummy", 9), ("坂本龍一", "戦場のメリークリスマス", 4),
          ("An Artist Whose Name Goes On and On", "A Title <b>That</b> Is No Shorter by Any Means", 2)] + [
    (f"Artist {n}", f"Album {n}", 1) for n in range(5, 31)]
FIRST_WEEK, WEEK = 1108296000, 604800


class LastFM:
    """Answers as Last.fm does for a user with the same albums in every week."""

    def __init__(self):
        answer = self.answer

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                body = json.dumps(answer(query)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/2.0/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, query):
        match query["method"]:
            case "user.getWeeklyChartList":
                count = (int(time.time()) - FIRST_WEEK) // WEEK
                weeks = [{"from": str(FIRST_WEEK + n * WEEK), "to": str(FIRST_WEEK + (n + 1) * WEEK)} for n in range(count)]
                return {"weeklychartlist": {"chart": weeks, "@attr": {"user": query["user"]}}}
            case "user.getWeeklyAlbumChart":
                albums = [{"artist": {"#text": artist, "mbid": ""}, "name": name, "mbid": "", "playcount": str(plays),
                           "url": "https://www.last.fm/music/x", "@attr": {"rank": str(rank)}}
                          for rank, (artist, name, plays) in enumerate(ALBUMS, 1)]
                return {"weeklyalbumchart": {"album": albums, "@attr": {
                    "user": query["user"].upper(), "from": query["from"], "to": query["to"]}}}
            case "album.getInfo":
                picture = "https://lastfm.freetls.fastly.net/i/u/300x300/picture.png"
                return {"album": {"artist": query["artist"], "name": query["album"], "playcount": "1234567",
                                  "userplaycount": 41, "url": "https://www.last.fm/music/x",
                                  "image": [{"size": "extralarge", "#text": picture}],
                                  "wiki": {"summary": "Released in <b>1997</b> &amp; loved."}}}
        return {"error": 3, "message": "Invalid Method"}

    def stop(self):
        self.server.shutdown()
