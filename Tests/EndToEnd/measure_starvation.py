"""How long a look-up takes while 32 hostile sounds are decoded, beside an idle service: `make bench-starvation`."""

import http.client
import statistics
import threading
import time
import urllib.parse

from service import Service, metrics
from sounds import hostile

ROUNDS, COUNT = 3, 400


def median(host, code):
    # One for each measurement: the service closes a connection that is idle for as long as the sounds take.
    connection, times = http.client.HTTPConnection(host), []
    for _ in range(COUNT):
        start = time.perf_counter()
        connection.request("GET", f"/{code}.json")
        connection.getresponse().read()
        times.append(time.perf_counter() - start)
        time.sleep(0.001)
    connection.close()
    return 1e6 * statistics.median(times)


service = Service("--metrics", "127.0.0.1")
code = service.register(kind="text", text="looked up")
sound = hostile(300)
host = urllib.parse.urlsplit(service.url).netloc
median(host, code)
ratios = []
for number in range(ROUNDS):
    idle = median(host, code)

    def post():
        one = http.client.HTTPConnection(host, timeout=600)
        one.request("POST", "/decode", sound)
        one.getresponse().read()

    threads = [threading.Thread(target=post) for _ in range(32)]
    for thread in threads:
        thread.start()
    while metrics(service)["chirp_decodes_waiting"] < 28:
        time.sleep(0.05)
    busy = median(host, code)
    waiting = metrics(service)["chirp_decodes_waiting"]
    for thread in threads:
        thread.join()
    ratios.append(busy / idle)
    print(f"round {number + 1}: idle {idle:.0f} µs, with 32 hostile sounds {busy:.0f} µs ({waiting:.0f} still waiting)", flush=True)
seconds = metrics(service)["chirp_decode_processor_seconds_total"] / (32 * ROUNDS)
print(f"median of ratios {statistics.median(ratios):.2f} (limit 3); {seconds:.2f} processor seconds for 300 s of mono, "
      f"{300 / seconds:.0f} times real time")
service.stop()
assert statistics.median(ratios) < 3
