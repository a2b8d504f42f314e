"""The Python package, as it is installed from its wheel."""

import json
import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import chirp
import numpy as np
import pytest
import soundfile
from chirp._receiver import LOWEST_RATES

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "Tests/ChirpTests/Vectors/longcodes.json").read_text())["vectors"]
SAMPLES = sorted((ROOT / "Samples").glob("*.flac"))


def test_the_version_is_that_of_the_sources():
    assert f'"{chirp.__version__}"' in (ROOT / "Sources/Chirp/ChirpVersion.swift").read_text()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["code"])
def test_longcodes_are_those_of_the_original_service(vector):
    word = vector["code"] + vector["parity"]
    assert chirp.longcode(vector["code"]) == word
    assert chirp.parse(word.upper()) == vector["code"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_decodes(path):
    [found] = chirp.decode(path)
    assert found.code == path.stem.split("-")[-1]
    assert found.file == str(path)
    assert found.longcode == chirp.longcode(found.code)
    assert (found.format, found.repeats) == ("original", 1)


def test_a_thread_decodes_after_the_main_thread_has_ended():
    program = f"""
import chirp, threading, time
def work():
    time.sleep(0.5)
    print(chirp.decode({str(SAMPLES[0])!r})[0].code)
threading.Thread(target=work).start()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (run.stdout.strip(), run.stderr) == (SAMPLES[0].stem.split("-")[-1], "")


@pytest.mark.parametrize("rate", [22_050, 44_100, 48_000, 192_000])
def test_what_is_synthesised_decodes(rate):
    sound = chirp.synthesise("gsm2h88c7u", rate)
    assert sound.dtype == np.float32 and sound.shape == (round(1.744 * rate),)
    [found] = chirp.decode(sound, rate)
    assert found.code == "gsm2h88c7u"
    assert found.start == pytest.approx(0, abs=0.002)


@pytest.mark.parametrize("size", [1_000, 44_100, 10**6])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int16])
def test_blocks_of_any_size_and_kind_give_the_same(size, kind):
    sound = np.concatenate([chirp.synthesise(code) for code in ("gsm2h88c7u", "kingfisher")])
    sound = (sound * 30_000).astype(kind) if kind is np.int16 else sound.astype(kind)
    receiver = chirp.Receiver()
    found = []
    for start in range(0, len(sound), size):
        found += receiver.process(sound[start : start + size])
    found += receiver.finish()
    assert [one.code for one in found] == ["gsm2h88c7u", "kingfisher"]


def test_a_row_with_gaps_in_memory_is_read_as_it_is():
    both = np.repeat(chirp.synthesise("gsm2h88c7u"), 2).reshape(-1, 2)
    receiver = chirp.Receiver()
    found = receiver.process(both[:, 1]) + receiver.finish()
    assert [one.code for one in found] == ["gsm2h88c7u"]


def test_a_receiver_begins_anew_after_the_end():
    receiver = chirp.Receiver()
    for _ in range(2):
        found = receiver.process(chirp.synthesise("gsm2h88c7u")) + receiver.finish()
        assert [round(one.start, 2) for one in found] == [0]


def test_channels_that_hear_the_same_chirp_are_one_detection(tmp_path):
    sound = chirp.synthesise("gsm2h88c7u")
    other = chirp.synthesise("kingfisher")
    rest = np.zeros(3 * len(sound), np.float32)
    noise = np.random.default_rng(1).normal(0, 0.02, (4 * len(sound), 2)).astype(np.float32)
    both = np.stack([np.concatenate([sound, rest]), np.concatenate([sound, rest])], axis=1) + noise
    both[2 * len(sound) : 3 * len(sound), 1] += other
    soundfile.write(tmp_path / "both.wav", both, 44_100)
    first, second = chirp.decode(tmp_path / "both.wav")
    assert (first.code, first.channels) == ("gsm2h88c7u", (0, 1))
    assert (second.code, second.channels, second.channel) == ("kingfisher", (1,), 1)


def faint_copies(channels):
    """Copies of a chirp three seconds apart, a column for each channel, none of which can be decoded alone."""
    noise = np.random.default_rng(3).normal(0, 0.1, (15 * 44_100, channels)).astype(np.float32)
    for start in (1, 4, 7, 10):
        sound = chirp.synthesise("gsm2h88c7u", volume=0.0056 if channels == 1 else 0.005)
        noise[start * 44_100 : start * 44_100 + len(sound)] += sound[:, np.newaxis]
    return noise


def test_copies_are_combined_where_none_can_be_decoded_alone():
    sound = faint_copies(1)[:, 0]
    [found] = chirp.decode(sound)
    assert found.code == "gsm2h88c7u" and found.repeats > 1
    assert found.start == pytest.approx(1, abs=0.05)
    assert chirp.decode(sound, combine=False) == []
    for combine, expected in ((True, [found]), (False, [])):
        receiver = chirp.Receiver(combine=combine)
        assert receiver.process(sound) + receiver.finish() == expected


def test_channels_are_combined_where_none_can_be_decoded_alone():
    sound = faint_copies(4)
    sound[:, 2] *= -1
    found = chirp.decode(sound)
    assert {one.code for one in found} == {"gsm2h88c7u"} and found[0].channels == (0, 1, 2, 3)
    assert chirp.decode(sound, combine=False) == []


@pytest.mark.parametrize("name", ["song.raw", "s\udcff.wav", "song"])
def test_a_file_may_have_any_name(tmp_path, name):
    path = os.path.join(tmp_path, name)
    with open(path, "wb") as file:
        soundfile.write(file, chirp.synthesise("gsm2h88c7u"), 44_100, format="WAV")
    [found] = chirp.decode(path)
    assert (found.code, found.file) == ("gsm2h88c7u", path)


def test_a_file_at_a_rate_of_no_chirps_is_named(tmp_path):
    soundfile.write(tmp_path / "low.wav", np.zeros(4_000), 4_000)
    with pytest.raises(chirp.Error, match="low.wav: 4000 Hz: "):
        chirp.decode(tmp_path / "low.wav")


def test_a_file_that_is_damaged_has_what_was_found_before(tmp_path):
    path = tmp_path / "damaged.flac"
    sound = np.concatenate([chirp.synthesise("gsm2h88c7u"), np.random.default_rng(1).normal(0, 0.1, 10 * 44_100)])
    soundfile.write(path, sound, 44_100)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)
    with pytest.raises(chirp.Error, match="damaged.flac: cannot read") as caught:
        chirp.decode(path)
    assert [(one.code, one.file) for one in caught.value.detections] == [("gsm2h88c7u", str(path))]


@pytest.mark.parametrize("format", ["original", "telephone", "ultrasonic", "fast"])
def test_each_format_is_heard_by_those_that_listen_for_it(format):
    sound = chirp.synthesise("gsm2h88c7u", format=format)
    assert sound.shape == (round((0.72 if format == "fast" else 1.744) * 44_100),)
    others = [name for name in ("original", "telephone", "ultrasonic", "fast") if name != format]
    for formats in ([format], "all"):
        [found] = chirp.decode(sound, formats=formats)
        assert (found.code, found.format) == ("gsm2h88c7u", format)
    assert chirp.decode(sound, formats=others) == []


def test_a_telephone_chirp_is_sent_and_received_at_8_khz():
    sound = chirp.synthesise("gsm2h88c7u", 8_000, format="telephone")
    [found] = chirp.decode(sound, 8_000, formats=("original", "telephone"))
    assert found.format == "telephone"


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_099, 44_100])
@pytest.mark.parametrize("formats", ["all", ["all"]])
def test_all_formats_are_those_that_the_rate_has_room_for(rate, formats):
    sound = chirp.synthesise("gsm2h88c7u", rate, format="telephone")
    [found] = chirp.decode(sound, rate, formats=formats)
    assert found.format == "telephone"
    receiver = chirp.Receiver(rate, formats)
    assert [one.format for one in receiver.process(sound) + receiver.finish()] == ["telephone"]


@pytest.mark.parametrize(("name", "lowest"), LOWEST_RATES.items())
def test_formats_are_heard_from_the_rates_on_that_the_package_knows(name, lowest):
    chirp.Receiver(lowest, [name])
    with pytest.raises(chirp.Error, match="cannot receive at this sample rate"):
        chirp.Receiver(lowest - 1, [name])


@pytest.mark.parametrize("share", [0.6, 1])
def test_a_file_that_is_shorter_than_its_header_says_is_warned_of(tmp_path, share):
    path = tmp_path / "short.wav"
    soundfile.write(path, np.concatenate([chirp.synthesise("gsm2h88c7u"), np.zeros(2 * 44_100)]), 44_100)
    content = path.read_bytes()
    path.write_bytes(content[: round(share * len(content))])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        [found] = chirp.decode(path)
    assert found.code == "gsm2h88c7u"
    sentence = f"{path}: the data length does not match the header; decoded what is there"
    assert [(str(one.message), one.category, one.filename) for one in caught] == (
        [] if share == 1 else [(sentence, UserWarning, __file__)]
    )


def test_nothing_is_found_in_silence():
    assert chirp.decode(np.zeros(44_100)) == []
    assert chirp.decode(np.zeros(0)) == []


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: chirp.parse(""), "there is no code here"),
        (lambda: chirp.parse("gsm2h88c7"), "wrong length"),
        (lambda: chirp.parse("gsm2h88c7w"), "not one of a code"),
        (lambda: chirp.parse("aagsm2h88c7udtnef4ok"), "does not begin with “hj”"),
        (lambda: chirp.longcode("gsm2h88c7udtnef4o0"), "not the parity"),
        (lambda: chirp.parse("gsm\0"), "zero character"),
        (lambda: chirp.synthesise("gsm2h88c7u", 8_000), "from 22050 Hz to 192000 Hz"),
        (lambda: chirp.synthesise("gsm2h88c7u", format="loud"), "as loud: there is no such format"),
        (lambda: chirp.Receiver(formats=["loud"]), "there is no such format"),
        (lambda: chirp.Receiver(formats=[]), "there is no such format"),
        (lambda: chirp.Receiver(formats=["original\0fast"]), "zero character"),
        (lambda: chirp.Receiver(32_000, ["ultrasonic"]), "for ultrasonic from 44100 Hz"),
        (lambda: chirp.Receiver(32_000, ["original", "ultrasonic"]), "for ultrasonic from 44100 Hz"),
        (lambda: chirp.Receiver(7_999), "from 8000 Hz to 192000 Hz"),
        (lambda: chirp.Receiver(7_999, "all"), "from 8000 Hz to 192000 Hz"),
        (lambda: chirp.Receiver(float("nan"), "all"), "from 8000 Hz to 192000 Hz"),
        (lambda: chirp.Receiver(float("nan")), "from 8000 Hz to 192000 Hz"),
        (lambda: chirp.Receiver().process(np.zeros((2, 2))), "one row of real numbers"),
        (lambda: chirp.Receiver().process(np.zeros(2, complex)), "one row of real numbers"),
        (lambda: chirp.decode(np.zeros((2, 2, 2))), "a column for each channel"),
        (lambda: chirp.decode(np.zeros((65, 65))), "65 channels: this receiver does not take so many"),
        (lambda: chirp.decode(np.zeros((2, 65))), r"shape \(2, 65\): samples have a column for each channel.*samples\.T"),
        (lambda: chirp.decode(np.zeros((1, 88_200))), r"shape \(1, 88200\): .*samples\.T"),
        (lambda: chirp.decode("missing.wav"), "missing.wav: cannot read: No such file"),
        (lambda: chirp.decode("/"), "/: cannot read: Is a directory"),
        (lambda: chirp.decode(__file__), "cannot read: Format not recognised|cannot read: .*unknown format"),
        (lambda: chirp.decode("a\0.wav"), "cannot read: embedded null"),
    ],
)
def test_what_goes_wrong_has_a_sentence(act, sentence):
    with pytest.raises(chirp.Error, match=sentence):
        act()


def test_other_threads_run_while_a_receiver_computes():
    sound = np.tile(chirp.synthesise("gsm2h88c7u"), 5)
    receiver = chirp.Receiver()
    steps = 0
    worker = threading.Thread(target=lambda: receiver.process(sound))
    worker.start()
    while worker.is_alive():
        steps += 1
    worker.join()
    # With the interpreter's lock held for the whole call this thread would take one step or two.
    assert steps > 100
