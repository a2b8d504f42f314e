import json
import shutil
import urllib.parse

import pytest
from playwright.sync_api import sync_playwright

from links import LINKS
from nginx import Nginx
from service import KEY, LastFM, ROOT, Service

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
SCREENSHOTS = ROOT / ".build/screenshots"
PICTURE = (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0"
           b"\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82")


@pytest.fixture(scope="session")
def last_fm():
    stand_in = LastFM()
    yield stand_in
    stand_in.stop()


@pytest.fixture(scope="session")
def service(last_fm):
    service = Service(LASTFM_API_KEY="0" * 32, LASTFM_API_URL=last_fm.url)
    yield service
    service.stop()


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


class Browsers:
    """Pages of headless Chromium. What they complain of, and every request that leaves the machine, fails the test."""

    def __init__(self, playwright):
        self.playwright = playwright
        self.open = []
        self.complaints = []

    def page(self, service, *, microphone=None, arguments=(), scale="desktop", expected=(), allowed=(), **options):
        flags = ["--no-sandbox", "--use-fake-device-for-media-stream", "--autoplay-policy=no-user-gesture-required"]
        if microphone:
            flags += ["--use-fake-ui-for-media-stream", f"--use-file-for-fake-audio-capture={microphone}%noloop"]
        browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=[*flags, *arguments])
        self.open.append(browser)
        size = {"desktop": (1280, 900, 1), "phone": (390, 844, 2)}[scale]
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, device_scale_factor=size[2], is_mobile=scale == "phone",
            has_touch=scale == "phone", base_url=service.url, **options)
        page = context.new_page()

        def complain(text):
            if not any(part in text for part in expected):
                self.complaints.append(text)

        def outside(route):
            host = urllib.parse.urlsplit(route.request.url).hostname
            if host == "lastfm.freetls.fastly.net":
                route.fulfill(body=PICTURE, content_type="image/png")
            else:
                complain(f"a request to {host}")
                route.abort()

        context.route(lambda url: not url.startswith((service.url, *allowed, "data:", "blob:")), outside)
        page.on("console", lambda message: message.type in ("error", "warning") and complain(message.text))
        page.on("pageerror", lambda error: complain(str(error)))
        # What a page still asked for when it was left is no failure.
        page.on("requestfailed", lambda request: "ERR_ABORTED" in request.failure
                or complain(f"{request.url}: {request.failure}"))
        return page


@pytest.fixture
def browsers(playwright):
    browsers = Browsers(playwright)
    yield browsers
    for browser in browsers.open:
        browser.close()
    assert browsers.complaints == []


@pytest.fixture
def screenshots():
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture(scope="session")
def codes(service):
    """A code of every kind that the service describes."""
    kinds = json.loads(service.ask("GET", "/openapi.json"))["components"]["schemas"]["Kind"]["enum"]
    assert set(kinds) == set(LINKS), "Tests/EndToEnd/links.py has a link of every kind"
    return {kind: service.register(kind=kind, **link) for kind, link in LINKS.items()}


@pytest.fixture
def nginx(tmp_path):
    """nginx in front of one service."""
    service = Service("--proxy", "127.0.0.1", "--log", "debug", "--log-format", "json")
    nginx = Nginx(tmp_path, service)
    yield nginx.port, service
    nginx.stop()
    service.stop()
