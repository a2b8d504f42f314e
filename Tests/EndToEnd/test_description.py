"""schemathesis asks everything that the description describes, in every way that it can think of.

CHIRP_EXAMPLES is the number of examples for each operation; `make test-description` asks for so many that there are more
than 10,000 requests.
"""

import json
import os
import pathlib
import subprocess
import sys

from service import KEY, Service

# What every answer is held to: no 5xx but those that are described, and nothing that is not described.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"


def test_every_answer_is_described(last_fm, tmp_path):
    service = Service(LASTFM_API_KEY="0" * 32, LASTFM_API_URL=last_fm.url)
    log = tmp_path / "requests.har"
    try:
        run = subprocess.run(
            [pathlib.Path(sys.executable).parent / "schemathesis", "run", f"{service.url}/openapi.json",
             "--checks", CHECKS, "--max-examples", os.environ.get("CHIRP_EXAMPLES", "8"), "--seed", "20120716",
             "--header", f"Authorization: Bearer {KEY}", "--header", "X-Auth-Token: any", "--continue-on-failure",
             "--report", "har", "--report-har-path", log, "--no-color", "--request-timeout", "60"],
            capture_output=True, text=True, timeout=3_000,
            # It keeps a cache in the folder that it runs in.
            cwd=tmp_path)
        assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-4_000:]
        count = len(json.loads(log.read_text())["log"]["entries"])
        print(f"{count} requests")
        assert count >= int(os.environ.get("CHIRP_LEAST_REQUESTS", "1000"))
        assert json.loads(service.ask("GET", "/healthz"))["status"] == "ok"
    finally:
        service.stop()
