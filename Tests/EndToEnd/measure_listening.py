"""What listening in the page costs and how late a code shows: make bench-page."""

import os
import pathlib
import statistics
import tempfile
import time
import wave

import numpy
from playwright.sync_api import sync_playwright

from conftest import CHROMIUM
from service import Service

COUNT = 8
GAP = 3.0
CLOCK = """
    window.blocks = []; window.chirps = []; window.rows = {};
    const Plain = Worker;
    window.Worker = class extends Plain {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => {
                if (!data.columns) return;
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


def processor_seconds():
    """Of every renderer of Chromium that this program started, all threads."""
    total = 0.0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
                total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            pass
    return total


def main():
    service = Service()
    folder = tempfile.TemporaryDirectory()
    path = pathlib.Path(folder.name) / "microphone.wav"
    rate, random = 44100, numpy.random.default_rng(1)
    codes = [service.register(kind="text", text=f"number {number}") for number in range(COUNT)]
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))

        def noise(seconds, sound=0):
            samples = random.normal(0, 300, int(seconds * rate)) + sound
            out.writeframes(numpy.clip(samples, -32767, 32767).astype("<i2").tobytes())

        noise(30)
        for code in codes:
            sound = numpy.frombuffer(service.wave(code)[44:], "<i2") * 0.3
            noise(len(sound) / rate, sound)
            noise(GAP)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[
            "--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-audio-capture={path}%noloop"])
        page = browser.new_page(base_url=service.url, bypass_csp=True)
        page.add_init_script(CLOCK)
        page.goto("/")
        page.get_by_text("decoded in this browser").wait_for()
        page.get_by_role("button", name="Listen with the microphone").click()
        page.wait_for_function("window.blocks.length > 30")
        start, before = time.monotonic(), processor_seconds()
        page.wait_for_function("window.blocks.length > 200", timeout=60_000)
        seconds, used = time.monotonic() - start, processor_seconds() - before
        print(f"listening to noise: {100 * used / seconds:.1f} % of a core over {seconds:.0f} s, page, audio and worker together")
        page.wait_for_function(f"Object.keys(window.rows).length >= {COUNT}", timeout=120_000)
        used_all, seconds_all = processor_seconds() - before, time.monotonic() - start
        print(f"with a chirp every {1.744 + GAP:.1f} s in it: {100 * used_all / seconds_all:.1f} % over {seconds_all:.0f} s")
        blocks, chirps, rows = page.evaluate("[window.blocks, window.chirps, window.rows]")
        found = page.evaluate("navigator.mediaDevices.getUserMedia({ audio: true }).then(() => new AudioContext().sampleRate)")
        origin = min(at - 1000 * samples / found for at, samples in blocks)
        late = [rows[chirp["code"]] - origin - 1000 * (chirp["start"] + chirp["duration"]) for chirp in chirps]
        print(f"{len(late)} codes on the page {statistics.median(late):.0f} ms after their last tone (median), "
              f"{min(late):.0f} to {max(late):.0f} ms")
        browser.close()
    service.stop()


main()
