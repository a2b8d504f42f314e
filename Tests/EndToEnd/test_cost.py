"""What a sound may cost at most: processor time, memory and disk, and who pays. Times are those of processors, which do not
depend on what else the machine does."""

import http.client
import json
import os
import pathlib
import resource
import subprocess
import threading

import pytest

from service import BINARY, Service, metrics
from sounds import BOMBS, hostile, vorbis_without_codebooks

PROCESSOR_SECONDS, MEMORY = 60, 200_000_000


@pytest.fixture(scope="module")
def service():
    service = Service("--metrics", "127.0.0.1")
    yield service
    service.stop()


def decode(service, sound, **headers):
    connection = http.client.HTTPConnection(service.url.removeprefix("http://"), timeout=600)
    connection.request("POST", "/decode", sound, headers)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    connection.close()
    return answer.status, body


def memory(process, field):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return 1_024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith(field))


def peak(process):
    return memory(process, "VmHWM")


def resident(process):
    return memory(process, "VmRSS")


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_service_and_command_little(service, tmp_path, name):
    make, statuses = BOMBS[name]
    sound = make()
    before = metrics(service)["process_cpu_seconds_total"]
    status, answer = decode(service, sound)
    assert status in statuses, answer
    if status == 200:
        assert answer == {"chirps": []}
    assert metrics(service)["process_cpu_seconds_total"] - before < PROCESSOR_SECONDS
    assert peak(service.process) < MEMORY
    assert list(pathlib.Path(service.folder.name).glob("chirp-*")) == []

    path = tmp_path / "sound"
    path.write_bytes(sound)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # A command that takes more is killed, and its status is then negative.
    process = subprocess.Popen(
        [BINARY, "decode", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS)))
    errors = process.stderr.read()
    process.stderr.close()
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode in (1, 2), errors
    assert used.ru_maxrss * 1_024 < MEMORY


def test_broken_ogg_files_leave_nothing_in_memory(service):
    # libsndfile would keep the comments of each.
    sound = vorbis_without_codebooks(4_000_000)
    assert decode(service, sound)[0] == 415
    before = resident(service.process)
    assert [decode(service, sound)[0] for _ in range(50)] == [415] * 50
    assert resident(service.process) - before < 50_000_000


# Bodies with as many of something as they have room for.
CROWDED = {
    "parts": b"--x\r\n\r\n\r\n" * 900_000,
    "named parts": b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n' * 160_000,
    "boundaries within a line": b"--x\r\n\r\n" + b"--x" * 3_000_000,
    "lines": b"--x\r\n\r\n" + b"\n" * 9_000_000,
    "header fields of a part": b"--x\r\n" + b"a: b\r\n" * 1_500_000 + b"\r\nc\r\n--x--",
    "parameters": b"--x\r\nContent-Disposition: form-data" + b"; a=b" * 1_800_000 + b"\r\n\r\nc\r\n--x--",
}


@pytest.mark.parametrize("name", CROWDED)
def test_a_crowded_form_costs_little(service, name):
    before = metrics(service)["process_cpu_seconds_total"]
    connection = http.client.HTTPConnection(service.url.removeprefix("http://"), timeout=600)
    connection.request("POST", "/file", CROWDED[name], {"Content-Type": "multipart/form-data; boundary=x"})
    assert connection.getresponse().status == 400
    connection.close()
    assert metrics(service)["process_cpu_seconds_total"] - before < 10
    assert peak(service.process) < MEMORY


def test_a_client_pays_for_the_processor_time_of_its_sounds():
    # The bucket has 20 tokens. A sound costs 10, so there are two of them, and 100 more for each processor second.
    service = Service("--metrics", "127.0.0.1", "--proxy", "127.0.0.1", "--rate", "1")
    try:
        assert decode(service, hostile(100, channels=2), **{"X-Forwarded-For": "192.0.2.1"})[0] == 200
        assert metrics(service)["chirp_decode_processor_seconds_total"] > 0.1
        assert decode(service, b"no sound", **{"X-Forwarded-For": "192.0.2.1"})[0] == 429
        assert decode(service, b"no sound", **{"X-Forwarded-For": "192.0.2.2"})[0] == 415
    finally:
        service.stop()


def test_decoding_has_the_least_priority_and_look_ups_go_on(service):
    code = service.register(kind="text", text="looked up while others decode")
    sound, statuses = hostile(60, rate=22_050), []
    threads = [threading.Thread(target=lambda: statuses.append(decode(service, sound)[0])) for _ in range(32)]
    for thread in threads:
        thread.start()
    looked_up = 0
    while any(thread.is_alive() for thread in threads):
        assert json.loads(service.ask("GET", f"/{code}.json"))["shortcode"] == code
        looked_up += 1
    assert looked_up > 0 and set(statuses) <= {200, 503} and statuses.count(200) >= 16
    tasks = [task.read_text() for task in pathlib.Path(f"/proc/{service.process.pid}/task").glob("*/stat")]
    niceness = [int(task[task.rindex(")") + 2:].split()[16]) for task in tasks]
    assert niceness.count(19) == os.cpu_count() and min(niceness) < 19


def test_of_many_sounds_those_of_another_client_take_turns():
    service = Service("--metrics", "127.0.0.1", "--proxy", "127.0.0.1")
    try:
        sound = hostile(60, rate=22_050)
        statuses = []
        threads = [threading.Thread(
            target=lambda: statuses.append(decode(service, sound, **{"X-Forwarded-For": "192.0.2.1"})[0])) for _ in range(60)]
        for thread in threads:
            thread.start()
        while metrics(service)["chirp_decodes_waiting"] < 8 and any(thread.is_alive() for thread in threads):
            pass
        # The pool may be full of another client's sounds, and this one is taken all the same.
        assert [decode(service, service.wave("gsm2h88c7u"), **{"X-Forwarded-For": "192.0.2.2"})[0] for _ in range(5)] == [200] * 5
        for thread in threads:
            thread.join()
        assert set(statuses) <= {200, 503}
    finally:
        service.stop()
