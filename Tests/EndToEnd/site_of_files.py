"""A server of files and streams of bytes, as any site that uses the receiver for browsers."""

import http.server
import mimetypes
import threading


class Site:
    """Answers each path with a file, with bytes, or with what a function yields."""

    def __init__(self, **content):
        self.content = {"/": b"<!doctype html><title>A site</title>", **{f"/{name}": body for name, body in content.items()}}
        content = self.content

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = content.get(self.path)
                self.send_response(404 if body is None else 200)
                kind, _ = mimetypes.guess_type(self.path)
                self.send_header("Content-Type", "text/html" if self.path.endswith("/") else kind or "application/octet-stream")
                self.end_headers()
                for piece in body() if callable(body) else [b"" if body is None else body if isinstance(body, bytes) else body.read_bytes()]:
                    self.wfile.write(piece)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
