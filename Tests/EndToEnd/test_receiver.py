"""The receiver in a real browser: what it hears, what it asks of the service, and what it does without one."""

import array
import io
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import wave
from random import Random

import pytest
from playwright.sync_api import expect

from conftest import CHROMIUM
from service import BINARY, ROOT, Service, metrics
from test_page import microphone, share

pytestmark = pytest.mark.skipif(not (BINARY.parent / "chirp.wasm").exists(), reason="made by make wasm")
LISTEN = "Listen with the microphone"


def is_ready(page):
    expect(page.locator("#listen-where")).to_contain_text("decoded in this browser")


def test_a_chirp_is_heard_in_the_page_and_only_its_link_is_asked_for(browsers, service, tmp_path):
    code = service.register(kind="url", url="https://example.org/heard-here", title="Heard here")
    page = browsers.page(service, microphone=microphone(tmp_path, service.wave(code)))
    page.goto("/")
    is_ready(page)
    page.get_by_role("button", name=LISTEN).click()
    expect(page.get_by_text("Listening. Hold the microphone")).to_be_visible()
    asked = []
    page.on("request", lambda request: asked.append((request.method, request.url.removeprefix(service.url))))
    row = page.locator(f"#heard li[data-code='{code}']")
    expect(row.locator(".what")).to_have_text("Heard here", timeout=60_000)
    assert [one for one in asked if not one[1].startswith("/assets/")] == [("GET", f"/registry/links/{code}")]


def test_pages_that_listen_ask_the_service_for_links_alone(browsers, tmp_path):
    service = Service("--metrics", "127.0.0.1")

    def requests():
        series = metrics(service)
        return {name: value for name, value in series.items()
                if name.startswith("chirp_http_requests_total") and "/metrics" not in name}

    try:
        codes = [service.register(kind="text", text=f"for page {number}") for number in range(3)]
        pages = []
        for number, code in enumerate(codes):
            folder = tmp_path / str(number)
            folder.mkdir()
            page = browsers.page(service, microphone=microphone(folder, service.wave(code), lead=4), service_workers="block",
                                 expected=["Service Worker"])
            page.goto("/")
            is_ready(page)
            # What it is made of is there: the rest is asked for by listening.
            page.wait_for_load_state("networkidle")
            pages.append(page)
        before = requests()
        for page in pages:
            page.get_by_role("button", name=LISTEN).click()
        for page, code in zip(pages, codes):
            expect(page.locator(f"#heard li[data-code='{code}'] .what")).to_contain_text("for page", timeout=60_000)
        asked = {name: value - before.get(name, 0) for name, value in requests().items() if value != before.get(name, 0)}
        lookups = sum(value for name, value in asked.items() if 'route="/registry/links/{code}"' in name)
        assert lookups == len(codes), asked
        # The audio thread's and the worker's scripts, which are files.
        assert all('method="GET"' in name for name in asked)
        assert sum(asked.values()) - lookups == sum(value for name, value in asked.items() if "/assets/" in name), asked
    finally:
        for browser in browsers.open:
            browser.close()
        browsers.open.clear()
        service.stop()


def test_without_the_module_the_page_has_the_service_decode(browsers, tmp_path, monkeypatch):
    """As `make build` leaves the program, where `make wasm` was never run."""
    program = tmp_path / "bin/chirp"
    program.parent.mkdir()
    shutil.copy(BINARY, program)
    monkeypatch.setattr("service.BINARY", program)
    service = Service()
    try:
        code = service.register(kind="text", text="decoded by the service")
        page = browsers.page(service, microphone=microphone(tmp_path, service.wave(code)))
        page.goto("/")
        expect(page.locator("#listen-where")).to_contain_text("is sent to this service")
        page.get_by_role("button", name=LISTEN).click()
        expect(page.locator(f"#heard li[data-code='{code}']")).to_have_count(1, timeout=60_000)
        page.context.browser.close()
    finally:
        service.stop()


def test_without_a_network_the_page_opens_listens_and_looks_up_later(browsers, service, tmp_path):
    code = service.register(kind="text", text="heard without a network")
    expected = ("ERR_INTERNET_DISCONNECTED", "Failed to load resource", "fetch")
    page = browsers.page(service, microphone=microphone(tmp_path, service.wave(code), lead=3), expected=expected)
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.reload()
    is_ready(page)
    page.get_by_role("button", name=LISTEN).click()
    row = page.locator(f"#heard li[data-code='{code}']")
    expect(row).to_have_count(1, timeout=60_000)
    expect(row.locator(".about")).to_contain_text("Looked up when there is a network")
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(row.locator(".what")).to_have_text("heard without a network")


def test_a_service_that_hangs_keeps_no_page_from_listening(browsers, tmp_path):
    service = Service()
    try:
        code = service.register(kind="text", text="heard all the same")
        page = browsers.page(service, microphone=microphone(tmp_path, service.wave(code), lead=15))
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.wait_for_function("navigator.serviceWorker.controller")
        is_ready(page)
        service.process.send_signal(signal.SIGSTOP)
        page.get_by_role("button", name=LISTEN).click()
        expect(page.locator("#listen-status")).to_contain_text("Listening.", timeout=30_000)
        expect(page.locator(f"#heard li[data-code='{code}']")).to_have_count(1, timeout=60_000)
        page.context.browser.close()
    finally:
        service.process.send_signal(signal.SIGCONT)
        service.stop()


def test_a_chirp_that_is_heard_again_has_one_row_and_one_look_up(browsers, service, tmp_path):
    code = service.register(kind="text", text="again and again")
    sounds = [service.wave(code)] * 3
    page = browsers.page(service, microphone=microphone(tmp_path, *sounds))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    page.get_by_role("button", name=LISTEN).click()
    row = page.locator("#heard li")
    expect(row.locator(".about")).to_contain_text("heard 3 times", timeout=60_000)
    expect(row).to_have_count(1)
    expect(row.locator(".what")).to_have_text("again and again")
    assert sum("/registry/links/" in url for url in asked) == 1


def test_the_file_that_was_chosen_last_is_shown(browsers, service):
    codes = [service.register(kind="text", text=text) for text in ["the first file", "the last file"]]
    long, short = (service.wave(code) for code in codes)
    long = long[:44] + bytes(2 * 44_100 * 200) + long[44:]
    page = browsers.page(service)
    page.goto("/")
    is_ready(page)
    for name, wave in [("long.wav", long), ("short.wav", short)]:
        page.locator("#file-choice").set_input_files({"name": name, "mimeType": "audio/wav", "buffer": wave})
    expect(page.locator("#file-heard .what")).to_have_text("the last file", timeout=60_000)
    # That of the first one, which takes longer.
    page.wait_for_timeout(5_000)
    expect(page.locator("#file-status")).to_contain_text("short.wav: 1 chirp")
    expect(page.locator("#file-heard .what")).to_have_text("the last file")


def test_what_was_known_of_a_code_is_shown_without_a_network(browsers, service):
    code = service.register(kind="text", text="known before")
    page = browsers.page(service, expected=["ERR_INTERNET_DISCONNECTED", "Failed to load resource"])
    page.goto("/")
    is_ready(page)
    sound = {"name": "sound.wav", "mimeType": "audio/wav", "buffer": service.wave(code)}
    what = page.locator(f"#file-heard li[data-code='{code}'] .what")
    page.locator("#file-choice").set_input_files(sound)
    expect(what).to_have_text("known before", timeout=60_000)
    page.evaluate("document.querySelector('#file-heard').replaceChildren()")
    page.context.set_offline(True)
    page.locator("#file-choice").set_input_files(sound)
    expect(what).to_have_text("known before", timeout=60_000)
    expect(page.locator(f"#history li[data-code='{code}'] .what")).to_have_text("known before")


def test_a_file_is_decoded_in_the_page(browsers, service, tmp_path):
    code = service.register(kind="text", text="in a file")
    page = browsers.page(service)
    page.goto("/")
    is_ready(page)
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    page.locator("#file-choice").set_input_files(
        {"name": "sound.wav", "mimeType": "audio/wav", "buffer": service.wave(code)})
    row = page.locator(f"#file-heard li[data-code='{code}']")
    expect(row.locator(".what")).to_have_text("in a file", timeout=60_000)
    expect(row.locator(".about")).to_contain_text("at 0.0")
    expect(page.locator("#file-spectrogram")).to_be_visible()
    assert set(asked) == {"GET"}


@pytest.mark.parametrize("sample", sorted(path.name for path in (ROOT / "Samples").glob("*.flac")))
def test_samples_give_the_codes_that_they_are_named_for(browsers, service, sample):
    code = re.search(r"-([0-9a-v]{10})\.flac$", sample).group(1)
    # The service knows none of them.
    page = browsers.page(service, expected=["404"])
    page.goto("/")
    is_ready(page)
    page.locator("#file-choice").set_input_files(ROOT / "Samples" / sample)
    expect(page.locator(f"#file-heard li[data-code='{code}']")).to_have_count(1, timeout=60_000)


def file_of(*channels):
    """A WAV file of 16 bits with a channel for each of some WAV files."""
    samples = [array.array("h", content[44:]) for content in channels]
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((len(channels), 2, 44_100, 0, "NONE", ""))
        out.writeframes(array.array("h", [value for values in zip(*samples) for value in values]).tobytes())
    return {"name": "channels.wav", "mimeType": "audio/wav", "buffer": file.getvalue()}


# How a browser, a policy or a network keeps a worker from beginning.
WITHOUT_WORKER = {
    "missing": lambda page: page.route("**/assets/decoder.js", lambda route: route.fulfill(status=404, body="")),
    "a part missing": lambda page: page.route("**/assets/waterfall.js", lambda route: route.abort()),
    "late": lambda page: page.route("**/assets/decoder.js", lambda route: None),
    "forbidden": lambda page: page.route(re.compile("/$"), lambda route: route.fulfill(
        response=(answer := route.fetch()), headers={**answer.headers, "content-security-policy":
            answer.headers["content-security-policy"].replace("worker-src 'self'", "worker-src 'none'")})),
    "refused": lambda page: page.add_init_script(
        'window.Worker = class { constructor() { throw new DOMException("no", "SecurityError"); } };'),
    "without WebAssembly": lambda page: page.route("**/assets/decoder.js", lambda route: route.fulfill(
        response=(answer := route.fetch()), body="delete globalThis.WebAssembly;" + answer.text())),
}
IN_PAGE = "as this browser lets it decode nothing in the background"


@pytest.mark.parametrize("failure", WITHOUT_WORKER)
def test_the_page_itself_decodes_where_no_worker_begins(browsers, service, tmp_path, failure):
    codes = [service.register(kind="text", text=f"{failure} {channel}") for channel in ("left", "right")]
    waves = [service.wave(code) for code in codes]
    page = browsers.page(service, microphone=microphone(tmp_path, waves[0], lead=15), service_workers="block",
                         expected=["Service Worker", "decoder.js", "waterfall.js", "worker", "404"])
    WITHOUT_WORKER[failure](page)
    page.goto("/")
    is_ready(page)
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text(IN_PAGE, timeout=30_000)
    expect(page.locator("#listen-tones")).to_be_hidden()
    expect(page.locator(f"#heard li[data-code='{codes[0]}']")).to_have_count(1, timeout=60_000)
    page.locator("#file-choice").set_input_files(file_of(*waves))
    for code in codes:
        expect(page.locator(f"#file-heard li[data-code='{code}']")).to_have_count(1, timeout=60_000)
    expect(page.locator("#file-spectrogram")).to_be_visible()
    # The page had promised that no sound leaves it.
    assert set(asked) == {"GET"}


# A worker that ends as soon as it has the sound.
MORTAL = """
    window.deaths = 0;
    const Plain = Worker;
    window.Worker = class extends Plain {
        postMessage(message, ...rest) {
            super.postMessage(message, ...rest);
            if (message.module) return;
            this.terminate();
            setTimeout(() => { window.deaths++; this.dispatchEvent(new ErrorEvent("error")); }, 100);
        }
    };"""


def test_the_page_goes_on_where_a_worker_dies(browsers, service, tmp_path):
    code, other = (service.register(kind="text", text=text) for text in ("after a death", "of a file after a death"))
    page = browsers.page(service, microphone=microphone(tmp_path, service.wave(code), lead=5))
    page.add_init_script(MORTAL)
    page.goto("/")
    is_ready(page)
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text(IN_PAGE)
    assert page.evaluate("window.deaths") == 1
    expect(page.locator(f"#heard li[data-code='{code}'] .what")).to_have_text("after a death", timeout=60_000)
    page.get_by_role("button", name="Stop listening").click()
    expect(page.locator("#listen-status")).to_have_text("")
    page.locator("#file-choice").set_input_files(file_of(service.wave(other)))
    expect(page.locator("#file-heard .what")).to_have_text("of a file after a death", timeout=60_000)
    assert page.evaluate("window.deaths") == 2


def test_a_files_channels_are_handed_over_one_by_one_and_not_copied(browsers, service):
    codes = [service.register(kind="text", text=text) for text in ("left", "right")]
    page = browsers.page(service)
    page.add_init_script("""
        window.copied = 0;
        window.sent = [];
        const { slice } = Float32Array.prototype, { postMessage } = Worker.prototype;
        Float32Array.prototype.slice = function (...bounds) {
            window.copied += this.length;
            return slice.apply(this, bounds);
        };
        Worker.prototype.postMessage = function (message, ...rest) {
            const sounds = Object.values(message).flat().filter((value) => value instanceof Float32Array);
            const before = sounds.map(({ length }) => length);
            postMessage.call(this, message, ...rest);
            if (sounds.length > 0) window.sent.push({ before, after: sounds.map(({ length }) => length) });
        };""")
    page.goto("/")
    is_ready(page)
    page.locator("#file-choice").set_input_files(file_of(*map(service.wave, codes)))
    for code in codes:
        expect(page.locator(f"#file-heard li[data-code='{code}']")).to_have_count(1, timeout=60_000)
    expect(page.locator("#file-spectrogram")).to_be_visible()
    sent = page.evaluate("window.sent")
    assert [one["after"] for one in sent] == [[0], [0]]
    # What is played is synthesised and copied out of the module; no sound of the file is.
    assert page.evaluate("window.copied") < sent[0]["before"][0]


def test_a_file_that_is_too_long_for_a_browser_is_refused_before_it_is_read(browsers, service, tmp_path):
    path = tmp_path / "five hours.wav"
    seconds, rate = 5 * 3_600, 8_000
    with open(path, "wb") as file:
        file.write(struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + rate * seconds, b"WAVEfmt ", 16, 1, 1, rate, rate, 1, 8,
                               b"data", rate * seconds))
        file.truncate(44 + rate * seconds)
    page = browsers.page(service)
    page.add_init_script("""
        Object.defineProperty(Navigator.prototype, "deviceMemory", { value: 1 });
        window.read = 0;
        const { arrayBuffer } = Blob.prototype;
        Blob.prototype.arrayBuffer = function () { window.read += this.size; return arrayBuffer.call(this); };""")
    page.goto("/")
    is_ready(page)
    page.locator("#file-choice").set_input_files(path)
    expect(page.locator("#file-status")).to_have_text(
        "five hours.wav is too long for this browser, which takes up to 4.6 hours of it at once. Cut it into shorter files, or decode it "
        "with the command chirp decode.", timeout=30_000)
    assert page.evaluate("window.read") < 1_000


FORMATS = ["original", "telephone", "ultrasonic", "fast"]


def sent(folder, code, format):
    path = folder / f"{format}.wav"
    subprocess.run([BINARY, "send", code, "--format", format, "--rate", "44100", "-o", path], check=True,
                   env={**os.environ, "CHIRP_HISTORY": "off"})
    return path.read_bytes()


def test_every_format_is_heard_by_the_microphone(browsers, service, tmp_path):
    codes = {format: service.register(kind="text", text=f"sent as {format}") for format in FORMATS}
    sounds = [sent(tmp_path, code, format) for format, code in codes.items()]
    page = browsers.page(service, microphone=microphone(tmp_path, *sounds))
    page.goto("/")
    is_ready(page)
    page.get_by_role("button", name=LISTEN).click()
    for format, code in codes.items():
        row = page.locator(f"#heard li[data-code='{code}']")
        expect(row.locator(".what")).to_have_text(f"sent as {format}", timeout=60_000)
    expect(page.locator("#heard li")).to_have_count(len(FORMATS))


# What is played, and not what is meant to be: a buffer that starts is kept.
PLAYED = """
    window.played = [];
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function () { window.played.push(this.buffer); start.call(this); };
"""


@pytest.mark.parametrize("format", FORMATS)
def test_what_the_page_plays_in_a_format_is_heard_in_it(browsers, service, format):
    page = browsers.page(service)
    page.add_init_script(PLAYED)
    code = share(page, "text", Note=f"played as {format}")
    page.locator("#send-as").select_option(format)
    page.locator("#shared-play").click()
    page.wait_for_function("window.played.length === 1")
    heard = page.evaluate("""async (format) => {
        const { load } = await import("/assets/chirp.js"), chirp = await load();
        const [buffer] = window.played, receiver = new chirp.Receiver(buffer.sampleRate, [format]);
        const found = [...receiver.process(buffer.getChannelData(0)), ...receiver.finish()];
        return found.map(({ code, format }) => ({ code, format }));
    }""", format)
    assert heard == [{"code": code, "format": format}]


def test_silent_sending_says_where_the_device_filters_it_away(browsers, service):
    page = browsers.page(service)
    page.add_init_script("""
        const Plain = AudioContext;
        window.AudioContext = class extends Plain { constructor(options) { super({ ...options, sampleRate: 16000 }); } };""")
    share(page, "text", Note="not through this device")
    page.locator("#send-as").select_option("ultrasonic")
    page.locator("#shared-play").click()
    expect(page.locator("#share-status")).to_have_text(
        "This device plays at 16 kHz, which filters the ultrasonic format away: choose another.")


def faked(page, body):
    """A microphone of a script's making: `body` answers getUserMedia, with a sounding stream in `stream`."""
    page.add_init_script("""
        navigator.mediaDevices.getUserMedia = async () => {
            const context = new AudioContext(), out = new MediaStreamAudioDestinationNode(context);
            const tone = new OscillatorNode(context);
            tone.connect(out);
            tone.start();
            const { stream } = out, [track] = stream.getAudioTracks();
            window.track = track;
            %s
            return stream;
        };""" % body)


@pytest.mark.parametrize("name, text", [
    ("NotAllowedError", "The microphone was refused."),
    ("NotFoundError", "There is no microphone."),
    ("NotReadableError", "The microphone does not answer"),
])
def test_a_microphone_that_is_not_given_is_explained_and_may_be_asked_for_again(browsers, service, name, text):
    page = browsers.page(service)
    faked(page, f'if (!window.given) {{ window.given = true; throw new DOMException("no", "{name}"); }}')
    page.goto("/")
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text(text)
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text("Listening.")


def test_an_unplugged_microphone_ends_listening_and_another_goes_on(browsers, service):
    page = browsers.page(service)
    faked(page, "")
    page.goto("/")
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text("Listening.")
    page.evaluate("window.track.dispatchEvent(new Event('ended'))")
    expect(page.locator("#listen-status")).to_have_text("The microphone is gone. Connect it, then listen again.")
    assert page.evaluate("window.track.readyState") == "ended"
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text("Listening.")


def test_when_listening_fails_the_microphone_is_let_go_of(browsers, service):
    page = browsers.page(service)
    page.add_init_script("""
        const Plain = MediaStreamAudioSourceNode;
        window.MediaStreamAudioSourceNode = class { constructor() {
            window.MediaStreamAudioSourceNode = Plain;
            throw new DOMException("different sample-rate", "NotSupportedError"); } };""")
    faked(page, "")
    page.goto("/")
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_have_text("Listening does not work: different sample-rate")
    assert page.evaluate("window.track.readyState") == "ended"
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text("Listening.")


@pytest.mark.parametrize("rate, text", [(16000, "16 kHz, too little for the highest tones"),
                                        (32000, "32 kHz: ultrasonic chirps do not come through")])
def test_a_microphone_of_a_low_rate_is_said_and_listened_to(browsers, service, rate, text):
    page = browsers.page(service)
    faked(page, "const known = track.getSettings(); track.getSettings = () => ({ ...known, sampleRate: %d });" % rate)
    page.goto("/")
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text(text)
    expect(page.get_by_role("button", name="Stop listening")).to_be_visible()


def test_a_suspended_tab_says_that_it_pauses_and_goes_on(browsers, service):
    page = browsers.page(service)
    page.add_init_script("""
        const Plain = AudioContext;
        window.contexts = [];
        window.AudioContext = class extends Plain { constructor(...given) { super(...given); window.contexts.push(this); } };""")
    faked(page, "")
    page.goto("/")
    page.get_by_role("button", name=LISTEN).click()
    expect(page.locator("#listen-status")).to_contain_text("Listening.")
    page.evaluate("window.contexts.at(-1).suspend()")
    expect(page.locator("#listen-status")).to_contain_text("The browser has paused listening.")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#listen-status")).to_contain_text("Listening. Hold")


def test_the_module_is_kept_for_good_under_the_name_of_its_digest(service):
    import urllib.request
    script = service.ask("GET", "/assets/chirp.js").decode()
    name = re.search(r'new URL\("\./(chirp-[0-9a-z]+\.wasm)", import', script).group(1)
    with urllib.request.urlopen(f"{service.url}/assets/{name}") as answer:
        assert answer.headers["Content-Type"] == "application/wasm"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    manifest = json.loads(service.ask("GET", "/assets/app.webmanifest"))
    assert manifest["start_url"] == "/" and manifest["icons"]


def installability(playwright, folder, url, change=lambda manifest: manifest):
    """What Chromium finds wrong with a page as an app, and its manifest."""
    context = playwright.chromium.launch_persistent_context(folder, executable_path=CHROMIUM, args=["--no-sandbox"])
    try:
        page = context.pages[0]
        page.route("**/app.webmanifest", lambda route: route.fulfill(
            body=json.dumps(change(route.fetch().json())), content_type="application/manifest+json"))
        page.goto(url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        session = context.new_cdp_session(page)
        manifest = session.send("Page.getAppManifest")
        return session.send("Page.getInstallabilityErrors")["installabilityErrors"], manifest
    finally:
        context.close()


def test_chromium_would_install_the_page_as_an_app(playwright, service, tmp_path):
    errors, manifest = installability(playwright, tmp_path / "sound", service.url)
    assert manifest["url"] == f"{service.url}/assets/app.webmanifest"
    assert manifest["errors"] == errors == []
    # It does look: without icons it would not.
    errors, _ = installability(playwright, tmp_path / "bare", service.url, lambda manifest: {**manifest, "icons": []})
    assert errors != []


def test_icons_are_of_the_sizes_that_the_manifest_tells(browsers, service):
    page = browsers.page(service)
    page.goto("/")
    icons = json.loads(service.ask("GET", "/assets/app.webmanifest"))["icons"]
    sizes = page.evaluate("""(sources) => Promise.all(sources.map(async (source) => {
        const image = new Image(); image.src = source; await image.decode(); return `${image.naturalWidth}x${image.naturalHeight}`;
    }))""", [icon["src"] for icon in icons if icon["type"] == "image/png"])
    assert sizes == [icon["sizes"] for icon in icons if icon["type"] == "image/png"]
    assert {"192x192", "512x512"} <= set(sizes)
    assert any(icon["purpose"] == "maskable" for icon in icons)


def in_noise(sound):
    """A sound, halved, and seconds of noise before and after it, 40 dB below full scale."""
    random, quiet = Random(1), bytes(2 * 2 * 44_100)
    samples = array.array("h", quiet + sound[44:] + quiet)
    return sound[:44] + array.array("h", (int(sample / 2 + random.gauss(0, 300)) for sample in samples)).tobytes()


@pytest.mark.parametrize("format, rows", [("telephone", (56, 88)), ("original", (32, 64)), ("ultrasonic", (0, 32))])
def test_the_tones_of_the_format_that_sounds_are_drawn(browsers, service, tmp_path, format, rows):
    code = service.register(kind="text", text=f"drawn as {format}")
    page = browsers.page(service, microphone=microphone(tmp_path, in_noise(sent(tmp_path, code, format))))
    page.goto("/")
    is_ready(page)
    page.get_by_role("button", name=LISTEN).click()
    # Each pitch has one row, the highest above: 32 ultrasonic ones, and 56 semitones of which 24 are the original's alone.
    # A busy machine's microphone clicks, and a click lights whole columns, which do not count.
    page.wait_for_function("""([first, last]) => {
        const canvas = document.getElementById("listen-tones"), copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        const lit = Array.from({ length: copy.width }, (_, x) => Array.from({ length: copy.height }, (_, y) => y)
            .filter((y) => data[4 * (y * copy.width + x) + 1] > 150)).filter((rows) => rows.length < 8).flat();
        const within = lit.filter((y) => first <= y && y < last).length;
        return copy.height === 88 && within >= 20 && within > 0.8 * lit.length;
    }""", arg=list(rows), timeout=60_000)
