"""Accessibility rules, and pictures of the pages to look at."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from links import LINKS

PAGES = ["home", *LINKS, "unknown"]


def open_page(page, name, codes):
    page.goto("/" if name == "home" else f"/{codes.get(name, '0123456789')}")
    if name == "home":
        page.get_by_label("Web address").fill("https://example.org/looks")
        page.get_by_role("button", name="Get a code").click()
        expect(page.locator("#shared-code")).to_have_text(re.compile("^[0-9a-v]{10}$"))
    elif name != "unknown":
        expect(page.locator("#spectrogram")).to_be_visible()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_the_page_keeps_every_rule_of_axe(browsers, service, codes, name, scheme):
    page = browsers.page(service, scale="phone", color_scheme=scheme, bypass_csp=True, expected=["404"])
    open_page(page, name, codes)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("scale", ["phone", "desktop"])
@pytest.mark.parametrize("name", PAGES)
def test_the_page_fits_its_screen(browsers, service, codes, screenshots, name, scale):
    page = browsers.page(service, scale=scale, expected=["404"])
    open_page(page, name, codes)
    page.screenshot(path=screenshots / f"{name}-{scale}.png", full_page=True)
    # On a phone the window is as wide as what is in it.
    for width in [page.viewport_size["width"], 320]:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate("""() => [...document.querySelectorAll("button, input, textarea, a.button")]
        .filter((element) => element.offsetParent && element.type !== "radio")
        .filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML)""")
    assert small == [], "what is touched is 44 pixels high or more"
