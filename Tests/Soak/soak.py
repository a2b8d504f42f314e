"""Hours of mixed load with faults: `make soak MINUTES=30`, as root.

Three things run side by side for the given minutes, and each says at its end what it found:

- services: two services over one PostgreSQL, which is in a network namespace of its own. Clients register, look up, decode,
  read pages, delete and let links expire. Every two minutes the database is restarted; in between, one service is killed and
  started, in turns, and the link to the database is cut for ten seconds or slowed to 100 kbit/s for twenty;
- listen: `chirp listen --wait` on a sound server that is killed and started every two minutes, while codes are played;
- pipe: `chirp decode -` of CHIRP_SOAK_HOURS (100) hours of noise with chirps in it.

CHIRP_SOAK_PARTS names those that run, all by default. Exit status 0 when all held.
"""

import array
import collections
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHIRP = os.environ.get("CHIRP", str(ROOT / ".build/release/chirp"))
ALPHABET = "0123456789abcdefghijklmnopqrstuv"
GRACE = 15  # Seconds after a fault in which its effects may still show.


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def run(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True)


def usage(process):
    """Resident bytes and open descriptors of a process; None when it is gone."""
    try:
        pages = int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE"), len(os.listdir(f"/proc/{process.pid}/fd"))
    except (OSError, IndexError):
        return None


class Samples:
    """Memory and descriptors of one process over its life."""

    def __init__(self, name):
        self.name, self.rows = name, []

    def take(self, process):
        if row := usage(process):
            self.rows.append((time.monotonic(), *row))

    def verdict(self, warm_up=60, window=30):
        """A line, and whether the last half minute is like the one after the warm-up: at most a quarter or 16 MB more memory,
        at most 32 descriptors more. None for a life too short to tell."""
        rows = [row for row in self.rows if row[0] >= self.rows[0][0] + warm_up] if self.rows else []
        if not rows or rows[-1][0] - rows[0][0] < 2 * window:
            return None, True
        first = [row for row in rows if row[0] <= rows[0][0] + window]
        last = [row for row in rows if row[0] >= rows[-1][0] - window]
        memory = [statistics.median(row[1] for row in part) / 1e6 for part in (first, last)]
        files = [statistics.median(row[2] for row in part) for part in (first, last)]
        is_flat = memory[1] <= max(1.25 * memory[0], memory[0] + 16) and files[1] <= files[0] + 32
        life = rows[-1][0] - self.rows[0][0]
        return (f"{self.name}, {life:.0f} s: {memory[0]:.1f} to {memory[1]:.1f} MB, {files[0]:.0f} to {files[1]:.0f} "
                f"descriptors"), is_flat


class Database:
    """A PostgreSQL in a network namespace, at the other end of a pair of virtual devices."""

    HOST, PEER = "10.213.7.1", "10.213.7.2"

    def __init__(self, folder):
        self.folder, self.space, self.device = folder, f"chirp-soak-{os.getpid()}", f"soak{os.getpid() % 100_000}"
        self.bin = next(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        shutil.chown(folder, "nobody")
        os.chmod(folder, 0o700)
        self.as_user("initdb", f"--pgdata={folder}/data", "--username=chirp", "--encoding=UTF8", "--locale=C.UTF-8",
                     "--auth=trust")
        with open(f"{folder}/data/postgresql.conf", "a") as file:
            file.write(f"listen_addresses = '*'\nunix_socket_directories = '{folder}'\nmax_connections = 100\n")
        with open(f"{folder}/data/pg_hba.conf", "a") as file:
            file.write("host all all 10.213.7.0/24 trust\n")
        run("ip", "netns", "add", self.space)
        run("ip", "link", "add", self.device, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        run("ip", "address", "add", f"{self.HOST}/24", "dev", self.device)
        run("ip", "link", "set", self.device, "up")
        for command in (["address", "add", f"{self.PEER}/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                        ["link", "set", "lo", "up"]):
            run("ip", "-n", self.space, *command)
        self.start()
        self.url = f"postgresql://chirp@{self.PEER}:5432/postgres"

    def as_user(self, program, *arguments, space=False):
        prefix = ["ip", "netns", "exec", self.space] if space else []
        run(*prefix, "setpriv", "--reuid=nobody", "--clear-groups", str(self.bin / program), *arguments)

    def start(self):
        self.as_user("pg_ctl", "start", f"--pgdata={self.folder}/data", f"--log={self.folder}/log", "--wait", space=True)

    def stop(self, mode):
        self.as_user("pg_ctl", "stop", f"--pgdata={self.folder}/data", f"--mode={mode}", "--wait", space=True)

    def remove(self):
        run("ip", "link", "del", self.device, check=False)
        try:
            self.stop("immediate")
        finally:
            run("ip", "netns", "del", self.space, check=False)


class Service:
    def __init__(self, name, database, folder):
        self.name, self.database, self.folder, self.port, self.lives = name, database, folder, free_port(), []
        self.start()

    def start(self):
        variables = {"CHIRP_REGISTRY": self.database.url, "LASTFM_API_KEY": "", "CHIRP_REGISTRY_KEY": "key of the soak test",
                     "TMPDIR": self.folder, "XDG_CACHE_HOME": f"{self.folder}/cache"}
        self.log = open(f"{self.folder}/{self.name}.log", "a")
        self.process = subprocess.Popen(
            [CHIRP, "serve", "--port", str(self.port), "--rate", "0", "--log", "warning", "--log-format", "json"],
            env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=self.log, text=True)
        assert self.process.stdout.readline().startswith("http://")
        self.lives.append(Samples(f"service {self.name}, life {len(self.lives) + 1}"))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()


class Windows:
    """When faults were, for one service or for all."""

    def __init__(self):
        self.all = []

    def during(self, service, act):
        entry = [service, time.monotonic(), None]
        self.all.append(entry)
        try:
            act()
        finally:
            entry[2] = time.monotonic() + GRACE

    def touch(self, service, start, end):
        return any(name in (None, service) and start <= (until or end) and end >= begin
                   for name, begin, until in list(self.all))


class Load:
    """What clients do, and what they may rely on afterwards."""

    def __init__(self, services, windows, stop):
        self.services, self.windows, self.stop = services, windows, stop
        self.lock = threading.Lock()
        self.kept = {}  # code: (url, token)
        self.deleted, self.expiring, self.unclear = set(), {}, set()
        self.counts, self.failures, self.wrong = collections.Counter(), [], []
        self.wave = None

    def ask(self, service, method, path, body=None, headers=None, timeout=60):
        """Status and body; status 0 when there is no answer."""
        start, status, answer = time.monotonic(), 0, b""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=timeout)
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            status, answer = response.status, response.read()
            connection.close()
        except (OSError, http.client.HTTPException):
            status = 0
        outside = not self.windows.touch(service.name, start, time.monotonic())
        with self.lock:
            self.counts["requests"] += 1
            self.counts["outside"] += outside
            self.counts[f"{method} {status}"] += 1
            if outside and (status == 0 or status >= 500):
                self.failures.append((service.name, method, path, status, answer[:200]))
        return status, answer

    def register(self, service, random, lifetime=None):
        url = f"https://example.org/{random.getrandbits(64):x}"
        link = {"kind": "url", "url": url}
        if lifetime:
            until = time.time() + lifetime
            link["expires"] = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(until))
        status, body = self.ask(service, "POST", "/registry/links", json.dumps(link), {"Content-Type": "application/json"})
        if status not in (200, 201):
            return
        answer = json.loads(body)
        with self.lock:
            if lifetime:
                self.expiring[answer["link"]["code"]] = time.monotonic() + lifetime
            else:
                self.kept[answer["link"]["code"]] = url, answer["deletion_token"]

    def pick(self, random):
        with self.lock:
            return random.choice(list(self.kept)) if self.kept else None

    def look_up(self, service, random):
        if not (code := self.pick(random)):
            return
        status, body = self.ask(service, "GET", f"/{code}.json")
        with self.lock:
            # Another client may have deleted it meanwhile.
            if code in self.kept and (status == 404 or status == 200 and json.loads(body)["url"] != self.kept[code][0]):
                self.wrong.append(("look-up", code, status, body[:200]))

    def page(self, service, random):
        if code := self.pick(random):
            self.ask(service, "GET", f"/{code}", headers={"Accept": "text/html"})

    def decode(self, service, random):
        code, wave = self.wave
        status, body = self.ask(service, "POST", "/decode", wave)
        if status == 200 and [chirp["code"] for chirp in json.loads(body)["chirps"]] != [code]:
            self.wrong.append(("decode", code, status, body[:200]))

    def delete(self, service, random):
        with self.lock:
            if len(self.kept) < 50:
                return
            code = random.choice(list(self.kept))
            _, token = self.kept.pop(code)
        status, _ = self.ask(service, "DELETE", f"/registry/links/{code}", headers={"Authorization": f"Bearer {token}"})
        with self.lock:
            (self.deleted if status == 204 else self.unclear).add(code)

    def expired(self, service, random):
        with self.lock:
            over = [code for code, end in self.expiring.items() if end + 2 < time.monotonic()]
            old = random.choice([*over, *self.deleted]) if over or self.deleted else None
        if old and self.ask(service, "GET", f"/{old}.json")[0] == 200:
            self.wrong.append(("resolves after its end", old))

    def work(self, seed):
        mine = random.Random(seed)
        kinds = [self.register] * 6 + [self.look_up] * 20 + [self.page] * 4 + [self.decode] * 2 + [self.delete] * 2 \
            + [self.expired] * 2 + [lambda service, random: self.register(service, random, lifetime=5)]
        while not self.stop.is_set():
            mine.choice(kinds)(mine.choice(self.services), mine)
            self.stop.wait(0.02)

    def check(self):
        """Asks both services for everything that was promised."""
        for service in self.services:
            for code, (url, _) in self.kept.items():
                status, body = self.ask(service, "GET", f"/{code}.json")
                if status != 200 or json.loads(body)["url"] != url:
                    self.wrong.append(("lost", service.name, code, status, body[:200]))
            for code in [*self.deleted, *self.expiring]:
                if (status := self.ask(service, "GET", f"/{code}.json")[0]) != 404:
                    self.wrong.append(("not gone", service.name, code, status))


def wait_for(service, limit=60):
    """Waits until a service says that its registry works."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.2)
    raise TimeoutError(f"service {service.name} is not healthy after {limit} s")


def soak_services(minutes, folder, say):
    database = Database(folder + "/database")
    try:
        services = [Service(name, database, folder) for name in "AB"]
        windows, stop = Windows(), threading.Event()
        load = Load(services, windows, stop)
        for service in services:
            wait_for(service)
        code = "gsm2h88c7u"
        load.wave = code, load.ask(services[0], "GET", f"/{code}.wav")[1]
        workers = [threading.Thread(target=load.work, args=(seed,)) for seed in range(6)]
        for worker in workers:
            worker.start()

        def restart_database():
            database.stop("fast")
            database.start()

        def cut():
            run("ip", "link", "set", database.device, "down")
            time.sleep(10)
            run("ip", "link", "set", database.device, "up")

        def slow():
            run("tc", "qdisc", "add", "dev", database.device, "root", "tbf", "rate", "100kbit", "burst", "10kb", "latency",
                "400ms")
            time.sleep(20)
            run("tc", "qdisc", "del", "dev", database.device, "root")

        def restart(service):
            service.kill()
            service.start()

        end, turn, faults = time.monotonic() + 60 * minutes, 0, collections.Counter()
        beginning = time.monotonic()
        while time.monotonic() < end:
            for name, pause, act, target in (
                    ("database restarts", 30, restart_database, None),
                    ("cuts" if turn % 2 else "slow links", 40, cut if turn % 2 else slow, None),
                    # A life of four minutes, so that memory can be seen to be flat.
                    ("kills", 30, lambda: restart(services[turn // 2 % 2]), services[turn // 2 % 2].name)):
                until = min(end, time.monotonic() + pause)
                while time.monotonic() < until:
                    time.sleep(2)
                    for service in services:
                        service.lives[-1].take(service.process)
                if time.monotonic() >= end:
                    break
                if name == "kills" and turn % 2:
                    continue
                windows.during(target, act)
                faults[name] += 1
            turn += 1
        stop.set()
        for worker in workers:
            worker.join()
        span = time.monotonic() - beginning
        for service in services:
            wait_for(service)
        time.sleep(6)
        load.check()
        share = len(load.failures) / max(1, load.counts["outside"])
        say(f"services: {load.counts['requests']} requests in {span / 60:.1f} min, {load.counts['outside']} of them outside "
            f"faults; {dict(faults)}")
        say(f"services: {len(load.kept)} codes resolve at both, {len(load.deleted)} deletions and {len(load.expiring)} "
            f"expiries hold, {len(load.unclear)} deletions without an answer are not judged; wrong: {load.wrong[:5]}")
        say(f"services: {len(load.failures)} failures outside faults, {100 * share:.3f} % (limit 0.1 %): {load.failures[:5]}")
        good = not load.wrong and share <= 0.001
        for service in services:
            for life in service.lives:
                line, is_flat = life.verdict()
                if line:
                    say(f"{line}: {'flat' if is_flat else 'GROWS'}")
                good = good and is_flat
            service.process.terminate()
            if service.process.wait(60) != 0:
                say(f"service {service.name} ended with {service.process.returncode}")
                good = False
        return good
    finally:
        database.remove()


class SoundServer:
    def __init__(self, folder):
        self.folder = folder
        self.environment = {
            "HOME": f"{folder}/home", "XDG_RUNTIME_DIR": f"{folder}/run", "XDG_DATA_HOME": f"{folder}/data", "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": f"{folder}/home/.config", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "CHIRP_HISTORY": "off",
            "TERM": "dumb"}
        os.makedirs(f"{folder}/home/.config/pulse")
        pathlib.Path(f"{folder}/home/.asoundrc").write_text("pcm.!default { type pulse }\nctl.!default { type pulse }\n")
        pathlib.Path(f"{folder}/home/.config/pulse/client.conf").write_text("autospawn = no\n")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit", "--use-pid-file=no", "-L",
             "module-native-protocol-unix", "-L", "module-null-sink sink_name=loop"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.pactl("info") is None:
            time.sleep(0.1)
        self.pactl("set-default-source", "loop.monitor")

    def pactl(self, *arguments):
        result = subprocess.run(["pactl", *arguments], env=self.environment, capture_output=True, text=True)
        return result.stdout if result.returncode == 0 else None

    def is_heard(self):
        return bool(self.pactl("list", "short", "source-outputs"))

    def kill(self):
        self.process.kill()
        self.process.wait()


def soak_listen(minutes, folder, say):
    server = SoundServer(folder)
    # A shell's background has SIGINT ignored, by which the listener is stopped at the end.
    listener = subprocess.Popen([CHIRP, "listen", "--json", "--wait"], env=server.environment, stdout=subprocess.PIPE,
                                stderr=open(f"{folder}/errors", "w"), text=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    heard = collections.Counter()

    def collect():
        for line in listener.stdout:
            heard[json.loads(line)["code"]] += 1

    reader = threading.Thread(target=collect)
    reader.start()
    samples, source = Samples("listen"), random.Random(2)
    # Codes with the seconds since the listener last began to listen.
    played, failed, restarts, since = {}, 0, 0, time.monotonic()

    def wait_for_listener():
        while not server.is_heard():
            assert listener.poll() is None, pathlib.Path(f"{folder}/errors").read_text()
            time.sleep(0.1)

    wait_for_listener()
    end, next_restart = time.monotonic() + 60 * minutes, time.monotonic() + 120
    while time.monotonic() < end:
        if time.monotonic() >= next_restart:
            server.kill()
            server.start()
            # The listener comes back by itself.
            wait_for_listener()
            since = time.monotonic()
            time.sleep(2)
            restarts += 1
            next_restart = time.monotonic() + 120
        code, start = "".join(source.choices(ALPHABET, k=10)), time.monotonic()
        if subprocess.run([CHIRP, "send", code], env=server.environment, capture_output=True).returncode == 0:
            played[code] = f"{start - since:.1f} s after a start, {time.monotonic() - start:.1f} s long"
        else:
            failed += 1
        samples.take(listener)
        time.sleep(1)
    time.sleep(10)
    listener.send_signal(signal.SIGINT)
    status = listener.wait(60)
    reader.join()
    server.kill()
    lost = [(code, when) for code, when in played.items() if not heard[code]]
    false = [code for code in heard if code not in played]
    line, is_flat = samples.verdict()
    say(f"listen: {len(played)} chirps played outside {restarts} restarts of the sound server, {len(lost)} lost {lost[:5]}, "
        f"{len(false)} false {false[:5]}, {failed} not played; exit status {status}")
    if lost:
        say(f"listen: what the listener said: {pathlib.Path(folder, 'errors').read_text()[-2_000:]}")
    if line:
        say(f"{line}: {'flat' if is_flat else 'GROWS'}")
    return not lost and not false and is_flat and status in (0, 130, -signal.SIGINT)


def soak_pipe(hours, folder, say):
    rate, source = 22_050, random.Random(3)
    # Uniform, at a quarter of the full scale. It does not repeat: the receiver would combine its copies as those of a chirp.
    quieter = bytes((value - 256 * (value > 127)) // 4 % 256 for value in range(256))
    process = subprocess.Popen([CHIRP, "decode", "--raw", f"s8:{rate}:1", "--json", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=False, env={**os.environ, "CHIRP_REGISTRY": f"{folder}/none.sqlite"})
    found = []
    reader = threading.Thread(target=lambda: found.extend(json.loads(line) for line in process.stdout))
    reader.start()
    samples, sent, start = Samples("pipe"), {}, time.monotonic()
    for minute in range(round(60 * hours)):
        block = array.array("b", source.randbytes(60 * rate).translate(quieter))
        if minute % 60 == 30:
            code = "".join(source.choices(ALPHABET, k=10))
            wave = subprocess.run([CHIRP, "send", code, "--rate", str(rate), "--volume", "0.5", "-o", "-"], capture_output=True,
                                  check=True).stdout
            chirp = array.array("h", wave[44:])
            for index, value in enumerate(chirp):
                block[20 * rate + index] += value // 256
            sent[code] = 60 * minute + 20
        process.stdin.write(block.tobytes())
        if minute % 15 == 0:
            samples.take(process)
    process.stdin.close()
    status = process.wait()
    reader.join()
    false = [one for one in found if abs(sent.get(one["code"], -1e9) - one["start"]) > 1]
    missed = [code for code in sent if code not in {one["code"] for one in found}]
    line, is_flat = samples.verdict(warm_up=10, window=10)
    say(f"pipe: {hours:g} hours in {time.monotonic() - start:.0f} s, {len(sent)} chirps sent, {len(missed)} missed, "
        f"{len(false)} false {false[:3]}; exit status {status}")
    if line:
        say(f"{line}: {'flat' if is_flat else 'GROWS'}")
    return not false and not missed and is_flat and status == 0


def main():
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    hours = float(os.environ.get("CHIRP_SOAK_HOURS", "100"))
    parts = os.environ.get("CHIRP_SOAK_PARTS", "services listen pipe").split()
    results = {}

    def part(name, work, argument, folder):
        os.makedirs(folder)
        try:
            results[name] = work(argument, folder, lambda line: print(line, flush=True))
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error} {getattr(error, 'stderr', '')}", flush=True)
            results[name] = False

    with tempfile.TemporaryDirectory(prefix="chirp-soak-") as folder:
        os.chmod(folder, 0o755)
        os.makedirs(f"{folder}/services/database")
        threads = [threading.Thread(target=part, args=(name, work, argument, f"{folder}/{name}/work"))
                   for name, work, argument in (("services", lambda m, f, s: soak_services(m, f"{folder}/services", s), minutes),
                                                ("listen", soak_listen, minutes), ("pipe", soak_pipe, hours))
                   if name in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(results, flush=True)
    sys.exit(0 if all(results.values()) else 1)


if __name__ == "__main__":
    main()
