"""What an operator sees of a service: metrics, the log, and what is wrong before it is started."""

import concurrent.futures
import itertools
import json
import os
import socket
import subprocess
import urllib.error
import urllib.request

import pytest

from service import BINARY, Service, metrics

@pytest.fixture(scope="module")
def watched():
    service = Service("--metrics", "127.0.0.0/8", "--proxy", "127.0.0.1", "--log", "debug", "--log-format", "json")
    yield service
    service.stop()


def status(service, path, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(service.url + path, headers=headers), timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def test_metrics_count_requests_links_and_chirps(watched):
    before = metrics(watched)
    code = watched.register(kind="text", text="counted")
    watched.ask("GET", f"/{code}.json")
    watched.ask("POST", "/decode", watched.wave(code))
    assert status(watched, "/0000000000.json")[0] == 404
    after = metrics(watched)

    def growth(name):
        return after.get(name, 0) - before.get(name, 0)

    assert growth('chirp_http_requests_total{route="/{code}.json",method="GET",status="200"}') == 1
    assert growth('chirp_http_requests_total{route="/{code}.json",method="GET",status="404"}') == 1
    assert growth('chirp_http_request_duration_seconds_count{route="/{code}.json"}') == 2
    assert growth('chirp_http_request_duration_seconds_bucket{route="/{code}.json",le="+Inf"}') == 2
    assert growth('chirp_links_registered_total{kind="text"}') == 1
    assert growth("chirp_chirps_heard_total") == 1
    assert growth("chirp_decode_processor_seconds_total") > 0
    assert after["chirp_decodes_in_flight"] == after["chirp_decodes_waiting"] == after["chirp_sounds_spooled_bytes"] == 0
    assert after["process_resident_memory_bytes"] > 1e6 and after["process_open_fds"] > 3


def test_labels_do_not_come_from_requests(watched):
    before = metrics(watched).keys()
    for number in range(20):
        status(watched, f"/{number:010}.json")
        status(watched, f"/nowhere/{number}")
    assert len(metrics(watched).keys() - before) <= 60


def test_metrics_are_for_named_addresses_alone(watched):
    # Another address behind a trusted proxy, and one that a client invents before what the proxy adds.
    for forwarded in ["192.0.2.1", "127.0.0.1, 192.0.2.1"]:
        code, _, body = status(watched, "/metrics", **{"X-Forwarded-For": forwarded})
        assert code == 403 and b"--metrics" in body
    unnamed = Service()
    assert status(unnamed, "/metrics")[0] == 403
    unnamed.stop()


def test_a_registry_that_fails_is_counted(tmp_path):
    service = Service("--metrics", "127.0.0.1", "--registry", "postgresql://127.0.0.1:1/none")
    assert status(service, "/gsm2h88c7u.json")[0] == 503
    assert metrics(service)['chirp_registry_errors_total{operation="record",reason="store_unreachable"}'] == 1
    service.process.terminate()
    assert service.process.wait(60) == 0


def test_an_error_and_the_log_name_the_request_alike(watched):
    code, headers, body = status(watched, "/not-a-code.json")
    identifier = json.loads(body)["error"]["request_id"]
    assert code == 404 and headers["X-Request-Id"] == identifier
    entries = [json.loads(line) for line in watched.errors().splitlines()]
    assert all({"time", "level", "message"} <= entry.keys() for entry in entries)
    mine = [entry for entry in entries if entry.get("request_id") == identifier]
    assert [(entry["message"], entry["path"], entry["status"]) for entry in mine] == [("request", "/not-a-code.json", 404)]


def check(*arguments, **environment):
    variables = {**os.environ, "LASTFM_API_KEY": "", "CHIRP_REGISTRY_KEY": "", **environment}
    run = subprocess.run([BINARY, "serve", "--check", "--port", "0", *arguments], env=variables, capture_output=True, text=True,
                         timeout=120)
    return run.returncode, run.stdout, run.stderr


def test_a_check_says_what_works_and_leaves_nothing(tmp_path, last_fm):
    path = tmp_path / "registry.sqlite"
    code, output, errors = check("--registry", path, LASTFM_API_KEY="0" * 32, LASTFM_API_URL=last_fm.url,
                                 CHIRP_REGISTRY_KEY="a long key of an operator", XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert (code, errors) == (0, "")
    assert [line.split(":")[0] for line in output.splitlines()] == ["address", "registry", "registry key", "Last.fm key"]
    assert "does not work" not in output and "a long key" not in output
    listed = subprocess.run([BINARY, "list", "--registry", path, "--json"], capture_output=True, text=True)
    assert listed.stdout == ""


def test_a_check_ends_with_2_when_something_does_not_work(tmp_path, watched):
    taken = watched.url.rsplit(":", 1)[1]
    (tmp_path / "file").write_text("not a registry, and longer than a hundred bytes " * 10)
    for arguments, environment, subject in [
            (["--registry", "postgresql://127.0.0.1:1/none"], {}, "registry"),
            (["--registry", tmp_path / "file"], {}, "registry"),
            (["--registry", tmp_path / "r.sqlite", "--port", taken], {}, "address"),
            (["--registry", tmp_path / "r.sqlite"], {"TMPDIR": str(tmp_path / "none")}, "temporary files"),
            (["--registry", tmp_path / "r.sqlite"], {
                "LASTFM_API_KEY": "0" * 32, "LASTFM_API_URL": "http://127.0.0.1:1/", "XDG_CACHE_HOME": str(tmp_path)},
             "Last.fm key")]:
        code, output, errors = check(*arguments, **environment)
        assert code == 2 and f"{subject}: does not work" in output, (arguments, output)
        assert errors.startswith("chirp: ") and errors.count("\n") == 1
    assert check("--registry", "http://127.0.0.1:1/")[0] == 2
    assert check("--metrics", "here")[0] == 64


def test_charts_that_cannot_be_shown_are_logged_and_counted():
    """Last.fm cannot be reached: visitors read a sentence, the operator the reason."""
    service = Service("--metrics", "127.0.0.0/8", LASTFM_API_KEY="0" * 32, LASTFM_API_URL="http://127.0.0.1:1/")
    code = service.register(kind="user", user="RJ")
    page = service.ask("GET", f"/{code}").decode()
    assert "Last.fm is out of reach" in page and "127.0.0.1:1" not in page
    assert metrics(service)['chirp_chart_failures_total{reason="unreachable"}'] == 1
    assert [line for line in service.errors().splitlines() if "no chart" in line and "reason=unreachable" in line]
    service.stop()


def test_one_client_does_not_take_all_places_of_charts():
    """Of 24 places before a Last.fm that does not answer one client takes 12, and another one's chart is still asked for."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        service = Service("--metrics", "127.0.0.0/8", "--proxy", "127.0.0.1", LASTFM_API_KEY="0" * 32,
                          LASTFM_API_URL=f"http://127.0.0.1:{silent.getsockname()[1]}/")
        code = service.register(kind="user", user="RJ")

        def ask(client):
            return status(service, f"/{code}/albums/1", **{"X-Forwarded-For": client})

        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            greedy = [pool.submit(ask, "192.0.2.1") for _ in range(16)]
            # Four are refused at once, the others wait for Last.fm.
            refused = [future.result() for future in itertools.islice(concurrent.futures.as_completed(greedy), 4)]
            other = pool.submit(ask, "192.0.2.2")
            assert all(answer[0] == 503 and b"Too many" in answer[2] for answer in refused)
            assert b"Too many" not in other.result()[2]
        counts = metrics(service)
        assert counts['chirp_chart_failures_total{reason="too_many"}'] == 4
        service.stop()
