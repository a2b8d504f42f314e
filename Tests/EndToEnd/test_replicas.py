"""Two services over one PostgreSQL behind nginx, one of which is killed under load."""

import http.client
import json
import threading
import time

import pytest

from nginx import Nginx
from postgres import Postgres
from service import Service

CLIENTS = 8
TRUST = Nginx.trust()


class Client(threading.Thread):
    """Registers links and looks them up, one request after the other, until it is told to stop."""

    def __init__(self, port, number):
        super().__init__()
        self.port, self.number = port, number
        self.stopping = threading.Event()
        self.codes = {}
        # Start and end of each request, and what went wrong with it.
        self.requests = []

    def run(self):
        count = 0
        while not self.stopping.is_set():
            count += 1
            url = f"https://example.org/{self.number}/{count}"
            answer = self.ask("POST", "/registry/links", {"kind": "url", "url": url})
            if answer is not None:
                code = answer["link"]["code"]
                self.codes[code] = url
                found = self.ask("GET", f"/{code}.json")
                assert found is None or found["url"] == url

    def ask(self, method, path, body=None):
        start = time.monotonic()
        try:
            status, answer = request(self.port, method, path, body)
            wrong = None if status in (200, 201) else f"{method} {path}: {status}"
        except (OSError, http.client.HTTPException) as error:
            wrong, answer = f"{method} {path}: {error!r}", None
        self.requests.append((start, time.monotonic(), wrong))
        return None if wrong else answer


def request(port, method, path, body=None):
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=TRUST)
    try:
        headers = {"Content-Type": "application/json", "Host": "chirp.example.org"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if answer.status < 300 else None
    finally:
        connection.close()


@pytest.fixture
def postgres():
    postgres = Postgres()
    yield postgres
    postgres.stop()


def served(clients):
    return sum(len(client.requests) for client in clients)


def wait_for(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_no_request_is_lost_but_those_in_flight_when_a_service_is_killed(postgres, tmp_path):
    services = [Service("--proxy", "127.0.0.1", CHIRP_REGISTRY=postgres.url) for _ in range(2)]
    nginx = Nginx(tmp_path, *services)
    clients = [Client(nginx.port, number) for number in range(CLIENTS)]
    try:
        for client in clients:
            client.start()
        wait_for(lambda: served(clients) >= 200)
        before = time.monotonic()
        services[0].process.kill()
        services[0].process.wait()
        killed = time.monotonic()
        count = served(clients)
        # Enough for every client to have met the dead service several times.
        wait_for(lambda: served(clients) >= count + 400)
    finally:
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join()
    try:
        wrong = [(start, end, what) for client in clients for start, end, what in client.requests if what]
        assert all(start <= killed and end >= before for start, end, _ in wrong), wrong
        assert len(wrong) <= CLIENTS

        # What was acknowledged is there, whichever of the services had said so.
        codes = {code: url for client in clients for code, url in client.codes.items()}
        assert len(codes) >= 200
        assert all(request(nginx.port, "GET", f"/{code}.json")[1]["url"] == url for code, url in codes.items())
        assert int(postgres.ask("SELECT count(*) FROM chirp_link")) >= len(codes)
    finally:
        nginx.stop()
        services[1].stop()
        services[0].abandon()


def test_what_one_service_deletes_is_gone_for_the_other(postgres):
    one, other = services = [Service(CHIRP_REGISTRY=postgres.url) for _ in range(2)]
    try:
        answer = json.loads(one.ask("POST", "/registry/links", {"kind": "text", "text": "short-lived"}))
        code = answer["link"]["code"]
        assert b"short-lived" in other.ask("GET", f"/{code}.json")
        one.ask("DELETE", f"/registry/links/{code}", Authorization=f"Bearer {answer['deletion_token']}")
        with pytest.raises(OSError, match="404|410"):
            other.ask("GET", f"/{code}.json")
    finally:
        for service in services:
            service.stop()
