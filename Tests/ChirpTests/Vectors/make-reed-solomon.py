#!/usr/bin/env python3
"""Makes reed-solomon.json: words of the chirp's code by an independent implementation.

    pip install reedsolo==1.7.0 && ./make-reed-solomon.py >reed-solomon.json

The code is RS(31, 23) over GF(32), polynomial 0x25, roots from alpha^1 on; a message is ten symbols and thirteen zeros,
which are not sent. Damaged words have e errors and s erasures with 2e + s <= 8, and are given as reedsolo repaired them.
"""

import json
import random

import reedsolo

ALPHABET = "0123456789abcdefghijklmnopqrstuv"
CODEC = reedsolo.RSCodec(8, nsize=31, fcr=1, prim=0x25, generator=2, c_exp=5)


def full(word):
    return list(word[:10]) + [0] * 13 + list(word[10:])


def sent(word):
    return list(word[:10]) + list(word[23:])


def text(word):
    return "".join(ALPHABET[symbol] for symbol in word)


def main():
    source = random.Random(20120719)
    codewords, damaged = [], []
    for _ in range(400):
        data = [source.randrange(32) for _ in range(10)]
        codewords.append(text(sent(CODEC.encode(data + [0] * 13))))
    patterns = [(e, s) for e in range(5) for s in range(9) if 0 < 2 * e + s <= 8]
    for errors, erasures in patterns * 12:
        data = [source.randrange(32) for _ in range(10)]
        word = sent(CODEC.encode(data + [0] * 13))
        places = source.sample(range(18), errors + erasures)
        received = list(word)
        for place in places[:errors]:
            received[place] ^= source.randrange(1, 32)
        for place in places[errors:]:
            received[place] = source.randrange(32)
        erased = sorted(places[errors:])
        positions = [place if place < 10 else place + 13 for place in erased]
        repaired = sent(CODEC.decode(full(received), erase_pos=positions)[1])
        assert repaired == word
        damaged.append({"received": text(received), "erasures": erased, "repaired": text(repaired)})
    print("{")
    print(' "about": "Made by make-reed-solomon.py with reedsolo 1.7.0",')
    print(' "codewords": ' + json.dumps(codewords, separators=(",", ":")) + ",")
    print(' "damaged": [\n  ' + ",\n  ".join(json.dumps(row, separators=(",", ":")) for row in damaged) + "\n ]")
    print("}")


main()
