"""The receiver in a real browser: what it hears, what it asks of the service, and what it does without one."""

import json
import re

import pytest
from playwright.sync_api import expect

from service import BINARY, ROOT
from test_page import microphone

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


def test_the_module_is_kept_for_good_under_the_name_of_its_digest(service):
    import urllib.request
    script = service.ask("GET", "/assets/chirp.js").decode()
    name = re.search(r'moduleName = "(chirp-[0-9a-z]+\.wasm)"', script).group(1)
    with urllib.request.urlopen(f"{service.url}/assets/{name}") as answer:
        assert answer.headers["Content-Type"] == "application/wasm"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    manifest = json.loads(service.ask("GET", "/assets/app.webmanifest"))
    assert manifest["start_url"] == "/" and manifest["icons"]
