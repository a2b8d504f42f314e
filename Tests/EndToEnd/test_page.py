"""The page in a real browser."""

import json
import re
import wave

import pytest
from playwright.sync_api import expect

from service import ROOT


def microphone(folder, *sounds, lead=1.0, tail=8.0):
    """A WAV file for the fake microphone: sounds with silence around them."""
    path = folder / "microphone.wav"
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, 44100, 0, "NONE", ""))
        out.writeframes(bytes(2 * int(lead * 44100)))
        for sound in sounds:
            out.writeframes(sound[44:])
            out.writeframes(bytes(2 * 44100 * 3))
        out.writeframes(bytes(2 * int(tail * 44100)))
    return path


def share(page, kind, **fields):
    page.goto("/")
    page.locator(f"input[name=kind][value={kind}]").check()
    for label, value in fields.items():
        page.locator("#share-form .fields").get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Get a code").click()
    code = page.locator("#shared-code")
    expect(code).to_have_text(re.compile("^[0-9a-v]{10}$"))
    return code.text_content()


def test_a_link_shared_in_one_page_is_heard_by_another_that_has_the_service_decode(browsers, service, tmp_path):
    sender = browsers.page(service)
    code = share(sender, "url", Web_address="https://example.org/from-one-page", Title="A page of mine")
    other = service.register(kind="text", text="a second one")
    ear = microphone(tmp_path, service.wave(code), service.wave(other))
    receiver = browsers.page(service, microphone=ear)
    receiver.add_init_script("delete globalThis.WebAssembly")
    receiver.goto("/")
    expect(receiver.locator("#listen-where")).to_contain_text("is sent to this service")
    receiver.get_by_role("button", name="Listen with the microphone").click()
    heard = receiver.locator("#heard li")
    expect(heard).to_have_count(2, timeout=60_000)
    first = receiver.locator(f"#heard li[data-code='{code}']")
    expect(first.locator(".what")).to_have_text("A page of mine")
    expect(first.locator(".about")).to_contain_text("Link to example.org")
    assert first.locator(".what").get_attribute("href") == f"/{code}"
    # Pieces overlap: each chirp lies in several of them, and is shown once.
    for _ in range(3):
        with receiver.expect_response("**/decode"):
            pass
    expect(heard).to_have_count(2)
    expect(receiver.locator("#history li")).to_have_count(2)
    receiver.get_by_role("button", name="Stop listening").click()
    expect(receiver.get_by_role("button", name="Listen with the microphone")).to_be_visible()


def test_the_microphone_is_asked_for_without_what_spoils_chirps(browsers, service, tmp_path):
    page = browsers.page(service, microphone=microphone(tmp_path))
    page.add_init_script("""
        const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.mediaDevices.getUserMedia = (wish) => { window.wish = wish; return ask(wish); };""")
    page.goto("/")
    page.get_by_role("button", name="Listen with the microphone").click()
    expect(page.get_by_text("Listening. Hold the microphone")).to_be_visible()
    audio = page.evaluate("window.wish.audio")
    assert [audio[name] for name in ("echoCancellation", "noiseSuppression", "autoGainControl")] == [False] * 3


def test_a_refused_microphone_is_explained(browsers, service):
    page = browsers.page(service, arguments=["--deny-permission-prompts"])
    page.goto("/")
    page.get_by_role("button", name="Listen with the microphone").click()
    expect(page.locator("#listen-status")).to_contain_text("The microphone was refused. Allow it")


def test_a_page_that_is_not_on_https_says_so(browsers, service):
    port = service.url.rsplit(":", 1)[1]

    class Named:
        url = f"http://chirp.test:{port}"

    page = browsers.page(Named, arguments=["--host-resolver-rules=MAP chirp.test 127.0.0.1"])
    page.goto("/")
    expect(page.locator("#listen-status")).to_contain_text("only pages on https use the microphone")


@pytest.mark.parametrize("kind, fields, shown", [
    ("text", {"Note": "Meet me at 6 <b>sharp</b>"}, "Meet me at 6 <b>sharp</b>"),
    ("user", {"Last.fm user": "rj"}, "rj"),
    ("chart", {"Last.fm user": "rj", "A day of the week": "2016-08-17"}, "rj, 2016-08-14 to 2016-08-20"),
    ("url", {"Web address": "example.org/without-scheme"}, "https://example.org/without-scheme"),
])
def test_things_are_shared_and_their_pages_show_them(browsers, service, kind, fields, shown):
    page = browsers.page(service)
    code = share(page, kind, **fields)
    page.get_by_role("link", name="Its page").click()
    expect(page).to_have_url(f"{service.url}/{code}")
    expect(page.get_by_text(shown, exact=True).first).to_be_visible()


def test_a_picture_is_shared_and_shown(browsers, service, tmp_path):
    page = browsers.page(service)
    page.goto("/")
    page.get_by_role("radio", name="Picture").check()
    page.get_by_label("Picture or PDF").set_input_files(ROOT / "Tests/EndToEnd/picture.png")
    page.get_by_role("button", name="Get a code").click()
    page.get_by_role("link", name="Its page").click()
    picture = page.locator("img.picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") == 240


def test_what_cannot_be_shared_is_explained(browsers, service):
    page = browsers.page(service, expected=["400"])
    page.goto("/")
    button = page.get_by_role("button", name="Get a code")
    button.click()
    expect(page.locator("#share-status")).to_have_text("Give a web address.")
    page.get_by_label("Web address").fill("javascript:alert(1)")
    button.click()
    expect(page.locator("#share-status")).to_have_text("A web address begins with http:// or https://.")


def test_a_code_is_played_and_drawn(browsers, service, codes):
    page = browsers.page(service)
    page.add_init_script("""
        window.played = [];
        const start = AudioBufferSourceNode.prototype.start;
        AudioBufferSourceNode.prototype.start = function () { window.played.push(this.buffer.duration); start.call(this); };
    """)
    page.goto(f"/{codes['url']}")
    canvas = page.locator("#spectrogram")
    expect(canvas).to_be_visible()
    # The brightest row of each symbol's column is the tone of its character.
    tones = canvas.evaluate("""(canvas) => {
        const { width, height } = canvas, pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
        return Array.from({ length: 20 }, (_, index) => {
            const x = Math.round((index + 0.5) * width / 20);
            let best = 0;
            for (let y = 0; y < height; y++) if (pixels[4 * (y * width + x) + 1] > pixels[4 * (best * width + x) + 1]) best = y;
            return Math.floor((height - best - 1) / height * 32);
        });
    }""")
    longcode = page.locator("dd").first.text_content()
    assert "".join("0123456789abcdefghijklmnopqrstuv"[tone] for tone in tones) == "hj" + longcode
    button = page.get_by_role("button", name="Play", exact=True)
    button.click()
    page.wait_for_function("window.played.length === 1")
    button.click()
    page.wait_for_function("window.played.length === 2")
    assert page.evaluate("window.played[0]") == pytest.approx(1.744, abs=0.01)


def test_pictures_of_a_code_can_be_decoded_by_a_browser(browsers, service, codes):
    page = browsers.page(service)
    page.goto("/")
    for name in ("png", "svg"):
        size = page.evaluate("""async (source) => {
            const image = new Image(); image.src = source; await image.decode(); return [image.width, image.height];
        }""", f"/{codes['text']}.{name}")
        assert size == [672, 376]
    # The box of each column lies in the row of its character's tone.
    tones = page.evaluate("""async (source) => {
        const image = new Image(); image.src = source; await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d", { willReadFrequently: true });
        context.drawImage(image, 0, 0);
        return Array.from({ length: 20 }, (_, column) => Array.from({ length: 32 }, (_, tone) => tone).filter((tone) =>
            context.getImageData(32 + 32 * column, 21 + 10 * (31 - tone), 1, 1).data[0] > 80));
    }""", f"/{codes['text']}.png")
    longcode = json.loads(service.ask("GET", f"/chirps/encode/{codes['text']}"))["longcode"]
    assert [["0123456789abcdefghijklmnopqrstuv"[tone] for tone in found] for found in tones] == [
        [character] for character in "hj" + longcode]


def test_the_history_is_kept_shown_and_cleared(browsers, service):
    page = browsers.page(service)
    code = share(page, "text", Note="for the history")
    page.reload()
    row = page.locator("#history li")
    expect(row).to_have_count(1)
    expect(row.locator(".what")).to_have_text("for the history")
    expect(row.locator(".about")).to_contain_text(f"{code} · Note · shared")
    # What it can delete, only this browser can.
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Clear the history").click()
    assert asked == ["A code that was shared here can then no longer be deleted. Clear the history?"]
    expect(row).to_have_count(1)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Clear the history").click()
    expect(row).to_have_count(0)
    page.reload()
    expect(row).to_have_count(0)


@pytest.mark.parametrize("data", [{"description": {"length": 200}}, {"title": {"toString": 1}}, {"description": ["x"]}, {"description": 7}])
def test_what_a_stranger_named_so_leaves_the_page_as_it_is(browsers, service, tmp_path, data):
    answer = service.ask("POST", "/chirps", json.dumps({"data": data, "public": True}).encode(), **{"Content-Type": "application/json"})
    code = json.loads(answer)["shortcode"]
    page = browsers.page(service, microphone=microphone(tmp_path, service.wave(code)))
    page.goto("/")
    page.get_by_role("button", name="Listen with the microphone").click()
    expect(page.locator(f"#heard li[data-code='{code}'] .what")).to_have_text("Data", timeout=60_000)
    page.reload()
    expect(page.locator("#history li .what")).to_have_text("Data")
    expect(page.get_by_role("button", name="Clear the history")).to_be_visible()
    # One that an earlier page kept is shown as well.
    page.evaluate("""(code) => localStorage.setItem("chirp-history", JSON.stringify(
        [{ code, direction: "heard", time: 0, link: { kind: "chart", user: "rj", from: "never" } }, { code: "kingfisher", time: 0 }]))""", code)
    page.reload()
    expect(page.locator("#history li .what")).to_have_text(["Unknown here", "Unknown here"])


def test_a_row_of_the_history_keeps_the_focus_when_a_code_comes(browsers, service):
    page = browsers.page(service)
    code = share(page, "text", Note="the first")
    page.locator(f"#history li[data-code='{code}'] button").focus()
    page.evaluate("window.dispatchEvent(new Event('storage'))")
    assert page.evaluate("document.activeElement.closest('li')?.dataset.code + document.activeElement.tagName") == code + "BUTTON"


def test_text_is_dropped_into_fields_and_files_anywhere(browsers, service):
    page = browsers.page(service)
    page.goto("/")
    prevented = """(kind) => {
        const data = new DataTransfer();
        if (kind === "text") data.setData("text/plain", "https://example.org/"); else data.items.add(new File(["x"], "a.txt"));
        return ["dragover", "drop"].map((type) => !document.querySelector("input[name=url]").dispatchEvent(
            new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data })));
    }"""
    assert page.evaluate(prevented, "text") == [False, False]
    assert page.evaluate(prevented, "file") == [True, True]
    expect(page.locator("#file-status")).to_contain_text("a.txt is not a sound file")


def test_a_code_that_could_not_be_looked_up_is_asked_for_again(browsers, service):
    code = service.register(kind="text", text="after a while")
    page = browsers.page(service, expected=["503"])
    failures = []

    def fail_first(route):
        if len(failures) < 2:
            failures.append(route.request.url)
            return route.fulfill(status=503, body="")
        route.continue_()

    page.route("**/registry/links/*", fail_first)
    page.clock.install()
    page.goto("/")
    page.evaluate("""(code) => localStorage.setItem("chirp-history", JSON.stringify(
        [{ code, direction: "heard", time: 0, pending: true }]))""", code)
    page.reload()
    expect(page.locator("#history li .about")).to_contain_text("Looked up when there is a network")
    what = page.locator("#history li .what")
    for _ in range(100):
        # The clock of the page does not hasten answers, and the next pause begins with one.
        page.clock.run_for(21_000)
        if what.text_content() == "after a while":
            break
        page.wait_for_timeout(100)
    expect(what).to_have_text("after a while")
    assert len(failures) == 2


def test_who_shared_a_code_can_delete_it_and_others_cannot(browsers, service):
    page = browsers.page(service, expected=["404"])
    code = share(page, "text", Note="to be deleted")
    stranger = browsers.page(service)
    stranger.goto(f"/{code}")
    expect(stranger.get_by_role("button", name="Delete")).to_have_count(0)
    page.goto(f"/{code}")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete this code").click()
    expect(page).to_have_url(f"{service.url}/")
    expect(page.locator("#history li")).to_have_count(0)
    assert page.goto(f"/{code}").status == 404


def test_a_link_is_not_followed_on_its_own(browsers, service, codes):
    page = browsers.page(service)
    page.goto(f"/{codes['url']}")
    expect(page.locator(".host")).to_have_text("en.wikipedia.org")
    link = page.get_by_role("link", name="Open en.wikipedia.org")
    assert "noreferrer" in link.get_attribute("rel")
    page.wait_for_load_state("networkidle")
    assert page.url == f"{service.url}/{codes['url']}"


def test_a_chart_is_shown_with_artwork_and_its_neighbours(browsers, service, codes):
    page = browsers.page(service)
    page.goto(f"/{codes['chart']}")
    rows = page.locator(".albums li")
    expect(rows).to_have_count(30)
    expect(rows.first).to_contain_text("Björk")
    expect(rows.first.locator(".plays")).to_have_text("17 plays")
    expect(rows.last.locator(".plays")).to_have_text("1 play")
    expect(rows.first.locator(".artwork img")).to_be_visible()
    # Artwork is asked for as rows come into view, and not for all.
    assert rows.last.locator("img").count() == 0
    rows.last.scroll_into_view_if_needed()
    expect(rows.last.locator("img")).to_be_visible(timeout=30_000)
    rows.first.get_by_role("button", name="More about Homogenic").click()
    expect(rows.first.locator(".details")).to_contain_text("41 plays in all, 1,234,567 plays by everybody")
    expect(rows.first.locator(".details")).to_contain_text("Released in 1997 & loved.")
    page.get_by_role("link", name="more than 4", exact=True).click()
    expect(rows).to_have_count(2)
    page.get_by_role("link", name="← 2015").click()
    expect(page).to_have_url(re.compile("years=1&min=4"))
    expect(rows).to_have_count(2)
    page.get_by_role("link", name="2016 →").click()
    expect(page).to_have_url(f"{service.url}/{codes['chart']}?min=4")


def test_a_users_page_shows_the_week_a_year_ago(browsers, service, codes):
    page = browsers.page(service)
    page.goto(f"/{codes['user']}")
    expect(page.get_by_role("heading", name="RJ’s albums a year ago")).to_be_visible()
    expect(page.locator(".albums li")).to_have_count(30)


@pytest.mark.parametrize("now, zone, day", [
    ("2024-03-01T20:00:00Z", "Pacific/Auckland", "2023-03-02"),
    ("2024-03-02T03:00:00Z", "America/New_York", "2023-03-01"),
    ("2024-02-29T12:00:00Z", "Europe/Paris", "2023-02-28"),
])
def test_the_form_offers_the_date_a_year_ago_where_the_person_is(browsers, service, now, zone, day):
    page = browsers.page(service, timezone_id=zone)
    page.clock.set_fixed_time(now)
    page.goto("/")
    page.get_by_role("radio", name="Chart").check()
    expect(page.get_by_label("A day of the week")).to_have_value(day)


@pytest.mark.parametrize("day", ["2024-02-24", "2024-02-28", "2024-03-01"])
def test_a_day_of_the_present_week_means_the_last_one_that_is_over(browsers, service, day):
    page = browsers.page(service)
    page.clock.set_fixed_time("2024-03-01T20:00:00Z")
    share(page, "chart", **{"Last.fm user": "rj", "A day of the week": day})
    page.get_by_role("link", name="Its page").click()
    expect(page.get_by_text("rj, 2024-02-18 to 2024-02-24", exact=True).first).to_be_visible()


def test_without_scripts_the_page_offers_nothing_that_needs_them(browsers, service):
    page = browsers.page(service, java_script_enabled=False)
    page.goto("/")
    expect(page.locator(".notice")).to_contain_text("Without it, a code can be looked up above")
    controls = page.locator(":is(a[href], button, input, select, textarea):not(:disabled)").all()
    offered = [control.get_attribute("id") or control.inner_text().strip() for control in controls if control.is_visible()]
    assert offered == ["chirp", "lookup-code", "Show"]


def test_without_scripts_a_code_is_shown_and_can_be_looked_up(browsers, service, codes):
    page = browsers.page(service, java_script_enabled=False)
    page.goto("/")
    page.get_by_label("Code", exact=True).fill(codes["text"].upper())
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(f"{service.url}/{codes['text']}")
    expect(page.locator(".note")).to_contain_text("by the old oak.")
    expect(page.locator("audio")).to_be_visible()
    expect(page.locator("#drawing")).to_be_visible()
