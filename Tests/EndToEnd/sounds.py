"""Sounds that are made to cost much: random tones on the chirp's own pitches, and files that unpack to far more than they are
or say what is not so."""

import array
import io
import math
import random
import struct
import subprocess
import wave

PITCHES = [1760 * 2 ** (step / 12) for step in range(32)]
SYMBOL = 0.0872


def hostile(seconds, rate=44_100, channels=1, seed=1):
    """A WAV file of loud random tones on the pitches and symbol times of chirps."""
    source, tracks = random.Random(seed), []
    tones = [array.array("h", (int(30_000 * math.sin(2 * math.pi * pitch * i / rate)) for i in range(int(SYMBOL * rate) + 2)))
             for pitch in PITCHES]
    for _ in range(channels):
        track = array.array("h")
        while len(track) < seconds * rate:
            end = round((len(track) / rate / SYMBOL + 1) * SYMBOL * rate)
            track.extend(source.choice(tones)[:max(1, end - len(track))])
        tracks.append(track[:int(seconds * rate)])
    samples = array.array("h", bytes(2 * channels * len(tracks[0])))
    for channel, track in enumerate(tracks):
        samples[channel::channels] = track
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(samples.tobytes())
    return file.getvalue()


def crc(data, polynomial, width):
    value, top, mask = 0, 1 << (width - 1), (1 << width) - 1
    for byte in data:
        value ^= byte << (width - 8)
        for _ in range(8):
            value = (value << 1 ^ polynomial if value & top else value << 1) & mask
    return value


def flac(frames):
    """Silence as FLAC: every frame has 65,535 samples in 14 bytes or so (RFC 9639, sections 8.2 and 9)."""
    rate, size = 44_100, 65_535
    info = struct.pack(">HH", size, size) + bytes(6) + ((rate << 44) | (15 << 36) | frames * size).to_bytes(8, "big") + bytes(16)
    data = [b"fLaC\x80" + len(info).to_bytes(3, "big") + info]
    for number in range(frames):
        # Block size in 16 bits, 44.1 kHz, mono, 16 bits; the frame's number as in UTF-8.
        head = b"\xff\xf8\x79\x08" + chr(number).encode("utf-8", "surrogatepass") + struct.pack(">H", size - 1)
        head += bytes([crc(head, 0x07, 8)])
        body = head + b"\x00\x00\x00"
        data.append(body + struct.pack(">H", crc(body, 0x8005, 16)))
    return b"".join(data)


def ffmpeg(seconds, rate, *arguments, layout="mono"):
    return subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"anullsrc=r={rate}:cl={layout}", "-t", str(seconds), *arguments, "-"],
        capture_output=True, check=True).stdout


def mp3(size):
    """So many bytes of MP3 frames of silence, 8 kbit/s at 8 kHz."""
    once = ffmpeg(10, 8_000, "-c:a", "libmp3lame", "-b:a", "8k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3")
    return once * (size // len(once))


def wav(*, rate=44_100, channels=1, data=b"", claimed=None):
    size = len(data) if claimed is None else claimed
    return (b"RIFF" + struct.pack("<I", 0xFFFF_FFFF) + b"WAVEfmt "
            + struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * channels * 2 % 2**32, channels * 2 % 2**16, 16)
            + b"data" + struct.pack("<I", size) + data)


def rf64(frames):
    """A header that claims so many frames, and a thousand of them."""
    return (b"RF64\xff\xff\xff\xffWAVEds64" + struct.pack("<IQQQI", 28, 2 * frames + 72, 2 * frames, frames, 0)
            + b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 44_100, 88_200, 2, 16) + b"data\xff\xff\xff\xff" + bytes(2_000))


def w64(frames):
    tail = bytes.fromhex("f3acd3118cd100c04f8edb8a")
    fmt = struct.pack("<HHIIHH", 1, 1, 44_100, 88_200, 2, 16)
    return (b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000") + struct.pack("<Q", 2 * frames + 104) + b"wave" + tail
            + b"fmt " + tail + struct.pack("<Q", 24 + len(fmt)) + fmt
            + b"data" + tail + struct.pack("<Q", 24 + 2 * frames) + bytes(2_000))


def ogg(packets, first=0):
    """Packets as pages of a stream (RFC 3533, section 6), which they end with."""
    table = [crc(bytes([byte]), 0x04C11DB7, 32) for byte in range(256)]
    segments = [packet[start:start + 255] for packet in packets for start in range(0, len(packet) + 1, 255)]
    pages = []
    for number, start in enumerate(range(0, len(segments), 255), first):
        mine = segments[start:start + 255]
        flags = (2 if number == 0 else 0) | (1 if start and len(segments[start - 1]) == 255 else 0)
        head, body = b"OggS\0" + bytes([flags]) + struct.pack("<QII", 0, 1, number), b"".join(mine)
        tail, value = bytes([len(mine), *map(len, mine)]) + body, 0
        for byte in head + bytes(4) + tail:
            value = value << 8 & 0xFFFF_FFFF ^ table[value >> 24 ^ byte]
        pages.append(head + struct.pack("<I", value) + tail)
    return b"".join(pages)


def vorbis_without_codebooks(size):
    """The first header of Vorbis, and comments of so many bytes, but not the third."""
    first = b"\x01vorbis" + struct.pack("<IBIiiiB", 0, 1, 44_100, 0, 80_000, 0, 0xB8) + b"\x01"
    return ogg([first]) + ogg([b"\x03vorbis" + struct.pack("<I", size) + b"x" * size + bytes(4) + b"\x01"], first=1)


def ends_in_a_head():
    """A WAV file that ends within the length of a chunk: past an end that was said to be elsewhere, libsndfile would find that chunk
    again and again."""
    fmt = struct.pack("<IHHIIHHHHI", 40, 0xFFFE, 2, 8_000, 64_000, 8, 32, 22, 32, 3) + bytes.fromhex("0300000000001000800000aa00389b71")
    return b"RIFF\xea\7\0\0WAVEfmt " + fmt + b"fact" + struct.pack("<II", 4, 240) + b"LIST\x1a\xa6"


def caf_of_strings():
    """A CAF file with a chunk of strings that is said to be far longer than the file."""
    desc = b"desc" + struct.pack(">qd4sIIIII", 32, 8_000, b"lpcm", 0, 2, 1, 1, 16)
    return b"caff\0\1\0\0" + desc + b"info" + struct.pack(">q", 2**31 - 1_000) + b"(" * 300


# Each with the statuses that the service may answer.
BOMBS = {
    "FLAC of 400 million samples in 85 KB": (lambda: flac(6_100), {413}),
    "MP3 of 32 MB, 250 million samples": (lambda: mp3(32 * 2**20 - 4_096), {413}),
    "Ogg Vorbis of five minutes of stereo": (
        lambda: ffmpeg(300, 48_000, "-c:a", "libvorbis", "-f", "ogg", layout="stereo"), {200}),
    "1,000 channels": (lambda: wav(channels=1_000, data=bytes(2_000_000)), {415, 422}),
    "65,535 channels": (lambda: wav(channels=65_535, data=bytes(2_000_000)), {400, 415, 422}),
    "RF64 of 2^40 frames": (lambda: rf64(2**40), {200}),
    "RF64 of 2^62 frames": (lambda: rf64(2**62), {200, 400, 415}),
    "W64 of 2^40 frames": (lambda: w64(2**40), {200}),
    "1 Hz": (lambda: wav(rate=1, data=bytes(200_000)), {422}),
    "10^9 Hz": (lambda: wav(rate=10**9, data=bytes(200_000)), {422}),
    "0 Hz": (lambda: wav(rate=0, data=bytes(200_000)), {415, 422}),
    "WAV that ends in a chunk's head": (ends_in_a_head, {415}),
    "CAF of endless strings": (caf_of_strings, {415}),
    "4 GB of data claimed": (lambda: wav(data=bytes(200_000), claimed=0xFFFF_FFFE), {200}),
}
