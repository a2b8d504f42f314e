"""The receiver for browsers in a page of another site, beside the native one."""

import json
import os
import pathlib
import subprocess
import tarfile

import pytest
from playwright.sync_api import expect

from service import BINARY, ROOT
from site_of_files import Site

pytestmark = pytest.mark.skipif(not (BINARY.parent / "chirp.wasm").exists(), reason="made by make wasm")
GATE_TRIALS = pathlib.Path(os.environ.get("CHIRP_GATE_TRIALS", ROOT / ".build/release/gate-trials"))
PER_ROW = 56


def gate():
    with subprocess.Popen([GATE_TRIALS, str(PER_ROW)], stdout=subprocess.PIPE) as trials:
        while piece := trials.stdout.read(1 << 20):
            yield piece
    assert trials.returncode == 0


def samples():
    """The recordings as gate-trials writes its own."""
    for path in sorted((ROOT / "Samples").glob("*.flac")):
        def run(*command):
            return subprocess.run(command, stdout=subprocess.PIPE, check=True, env={**os.environ, "CHIRP_HISTORY": "off"}).stdout

        rate = int(run("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=sample_rate", "-of",
                       "csv=p=0", path))
        sound = run("ffmpeg", "-v", "error", "-i", path, "-af", "pan=mono|c0=c0", "-f", "f32le", "-")
        found = [json.loads(line) for line in run(BINARY, "decode", "--json", path).splitlines()]
        yield json.dumps({"name": path.name, "rate": rate, "count": len(sound) // 4,
                          "expected": [chirp for chirp in found if chirp["channel"] == 0]}).encode() + b"\n"
        yield sound


@pytest.fixture(scope="module")
def site():
    site = Site(gate=gate, samples=samples, **{
        "comparison.mjs": ROOT / "Tests/Wasm/comparison.mjs",
        "vectors.json": ROOT / "Tests/ChirpTests/Vectors/longcodes.json",
    })
    yield site
    site.stop()


@pytest.fixture
def page(browsers, service, site):
    """A page of another site that has loaded chirp.js from the service."""
    page = browsers.page(site, allowed=[service.url])
    page.goto("/")
    page.evaluate("""async (service) => {
        const { load } = await import(`${service}/assets/chirp.js`);
        window.chirp = await load();
    }""", service.url)
    return page


COMPARE = """async (path) => {
    const { compareAll } = await import("/comparison.mjs");
    return compareAll(window.chirp, (await fetch(path)).body);
}"""


def test_what_the_native_receiver_hears_in_trials_of_the_gate_the_page_hears(page):
    result = page.evaluate(COMPARE, "/gate")
    assert result["differences"] == []
    assert result["trials"] == 9 * PER_ROW
    assert len(result["tipped"]) <= 0.01 * result["trials"]
    # Some of them are too faint to be heard.
    assert 0.7 * result["trials"] < result["chirps"] < result["trials"]


def test_what_the_native_receiver_hears_in_the_samples_the_page_hears(page):
    result = page.evaluate(COMPARE, "/samples")
    assert result["differences"] == result["tipped"] == []
    assert result["chirps"] >= result["trials"] == len(list((ROOT / "Samples").glob("*.flac")))


def test_every_code_of_the_vectors_gets_its_parity_and_is_heard_in_the_page(page):
    vectors = json.loads((ROOT / "Tests/ChirpTests/Vectors/longcodes.json").read_text())["vectors"]
    longcodes, heard = page.evaluate("""async () => {
        const { vectors } = await (await fetch("/vectors.json")).json();
        const heard = vectors.map(({ code }) => {
            const receiver = new chirp.Receiver(44100);
            const found = [...receiver.process(chirp.synthesise(code)), ...receiver.finish()];
            receiver.free();
            return found.map(({ longcode }) => longcode);
        });
        return [vectors.map(({ code }) => chirp.longcode(code)), heard];
    }""")
    expected = [vector["code"] + vector["parity"] for vector in vectors]
    assert longcodes == expected
    assert heard == [[longcode] for longcode in expected]


def test_the_example_of_the_package_decodes_a_file_and_plays_without_a_service(browsers, service, tmp_path):
    notices = tmp_path / "notices"
    subprocess.run([ROOT / "Tools/make-notices.py", notices, "--of", "module"], check=True)
    subprocess.run([ROOT / "Tools/make-npm.sh", ROOT / ".build/wasm", notices, tmp_path], check=True, stdout=subprocess.DEVNULL)
    [package] = tmp_path.glob("chirp-receiver-*.tgz")
    with tarfile.open(package) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / "package"
    assert {path.name for path in folder.iterdir()} == {
        "LICENSE", "NOTICES", "README.md", "chirp.d.ts", "chirp.js", "chirp.wasm", "example", "package.json"}
    assert "swift-numerics" in (folder / "NOTICES").read_text() and "wasi-libc" in (folder / "NOTICES").read_text()
    site = Site(**{str(path.relative_to(folder)).replace("index.html", ""): path for path in folder.rglob("*") if path.is_file()})
    try:
        page = browsers.page(site)
        page.add_init_script("""
            window.played = [];
            AudioBufferSourceNode.prototype.start = function () { window.played.push(this.buffer.duration); };""")
        page.goto("/example/")
        page.locator("input").set_input_files({"name": "a.wav", "mimeType": "audio/wav", "buffer": service.wave("gsm2h88c7u")})
        expect(page.locator("li")).to_have_text(["gsm2h88c7u at 0.00 s"])
        page.get_by_role("button", name="Play gsm2h88c7u").click()
        assert page.evaluate("window.played") == [pytest.approx(1.744, abs=0.001)]
    finally:
        site.stop()
