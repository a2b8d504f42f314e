"""What listening in the page costs and how late a code shows: make bench-page."""

import collections
import os
import pathlib
import re
import statistics
import tempfile
import time
import wave

import numpy
from playwright.sync_api import sync_playwright

from conftest import CHROMIUM
from service import Service, metrics

COUNT = 8
GAP = 3.0
# Seconds before anything is measured, and of noise alone.
LEAD = 10
QUIET = 30
ROUNDS = 3
CLOCK = """
    window.blocks = []; window.chirps = []; window.rows = {};
    const Plain = Worker;
    window.Worker = class extends Plain {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => {
                if (!data.samples) return;
                window.blocks.push([performance.now(), data.samples]);
                window.chirps.push(...data.chirps);
            });
        }
    };
    addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
        for (const change of changes) for (const row of change.addedNodes)
                if (row.dataset?.code) window.rows[row.dataset.code] ??= performance.now();
    }).observe(document.getElementById("heard"), { childList: true }));
"""


def descendants(process):
    for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
        yield int(child)
        yield from descendants(child)


def processor_seconds():
    """Of every thread of Chromium, by the kind of its process and its name."""
    used, ticks = collections.Counter(), os.sysconf("SC_CLK_TCK")
    for process in descendants(os.getpid()):
        try:
            command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            if "chromium" not in command.split(" ")[0]:
                continue
            kind = re.search(r"--type=([a-z-]+)(?:.*--utility-sub-type=([a-zA-Z.]+))?", command)
            name = " ".join(filter(None, kind.groups())) if kind else "browser"
            for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
                stat = (thread / "stat").read_text()
                fields = stat[stat.rindex(")") + 2:].split()
                used[name, stat[stat.index("(") + 1:stat.rindex(")")]] += (int(fields[11]) + int(fields[12])) / ticks
        except OSError:
            pass
    return used


class Meter:
    """Prints what Chromium took since it was begun, in hundredths of a core."""

    def __init__(self):
        self.before, self.start = processor_seconds(), time.monotonic()

    def tell(self, name):
        seconds = time.monotonic() - self.start
        used = processor_seconds()
        used.subtract(self.before)
        share = {thread: 100 * value / seconds for thread, value in used.items() if 100 * value / seconds >= 0.05}
        page = sum(value for (kind, _), value in share.items() if kind == "renderer")
        print(f"{name}: {page:.1f} % of a core for the page, {sum(share.values()) - page:.1f} % for the rest of Chromium, "
              f"over {seconds:.0f} s")
        for (kind, thread), value in sorted(share.items(), key=lambda one: -one[1]):
            print(f"    {value:5.1f} %  {kind}  {thread}")
        return page


def sound(service, path, rate):
    """White noise 40 dB below full scale, and in it chirps 20 dB above it; gives back their codes."""
    random = numpy.random.default_rng(1)
    codes = [service.register(kind="text", text=f"number {number}") for number in range(COUNT)]
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))

        def noise(seconds, sound=0):
            samples = random.normal(0, 300, int(seconds * rate)) + sound
            out.writeframes(numpy.clip(samples, -32767, 32767).astype("<i2").tobytes())

        noise(LEAD + QUIET)
        for code in codes:
            sound = numpy.frombuffer(service.wave(code)[44:], "<i2") * 0.3
            noise(len(sound) / rate, sound)
            noise(GAP)
        noise(10)
    return codes


def listen(playwright, service, path, count):
    """Nothing waits in the page itself: Playwright's own waiting has it draw sixty times a second."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[
        "--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={path}%noloop"])
    page = browser.new_page(base_url=service.url, bypass_csp=True)
    page.add_init_script(CLOCK)
    page.goto("/")
    page.get_by_text("decoded in this browser").wait_for()
    page.get_by_role("button", name="Listen with the microphone").click()
    time.sleep(LEAD)
    asked, meter = metrics(service), Meter()
    time.sleep(QUIET)
    noise = meter.tell("listening to noise")
    asked_after = metrics(service)
    used = asked_after["process_cpu_seconds_total"] - asked["process_cpu_seconds_total"]
    print(f"    meanwhile the service answered {served(asked_after) - served(asked):.0f} requests and took {used:.2f} s")
    meter = Meter()
    time.sleep(count * (1.744 + GAP) + 2)
    meter.tell(f"with a chirp every {1.744 + GAP:.1f} s in it")
    blocks, chirps, rows, rate = page.evaluate("[window.blocks, window.chirps, window.rows, new AudioContext().sampleRate]")
    # Sound cannot be there before it has sounded: of the blocks of the five seconds around a chirp, the one that was handed over
    # soonest tells when the first sample was. Not of all blocks, as a busy machine drops sound now and then.
    late = []
    for chirp in chirps:
        end = chirp["start"] + chirp["duration"]
        origin = min(at - 1000 * samples / rate for at, samples in blocks if abs(samples / rate - end) < 2.5)
        late.append(rows[chirp["code"]] - origin - 1000 * end)
    browser.close()
    return noise, late


LOOKUPS = 1000


def lookups(service, code):
    """Prints what the service takes for what 1,000 pages ask of it when each has heard a code."""
    before = metrics(service)["process_cpu_seconds_total"]
    for _ in range(LOOKUPS):
        service.ask("GET", f"/registry/links/{code}")
    used = metrics(service)["process_cpu_seconds_total"] - before
    print(f"{LOOKUPS} look-ups: {used:.2f} s of the service's processor time, each by a connection of its own")


def served(series):
    return sum(value for name, value in series.items() if name.startswith("chirp_http_requests_total") and "/metrics" not in name)


def main():
    service = Service("--metrics", "127.0.0.1")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = pathlib.Path(folder) / "microphone.wav"
        codes = sound(service, path, 44100)
        rounds = [listen(playwright, service, path, len(codes)) for _ in range(ROUNDS)]
    late = sorted(value for _, values in rounds for value in values)
    print(f"the page listening to noise: {statistics.median(noise for noise, _ in rounds):.1f} % of a core, median of {ROUNDS} rounds")
    print(f"{len(late)} of {ROUNDS * len(codes)} codes on the page {statistics.median(late):.0f} ms after their last tone "
          f"(median), {late[0]:.0f} to {late[-1]:.0f} ms")
    lookups(service, codes[0])
    service.stop()


main()
