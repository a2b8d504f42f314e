"""A link of every kind, by the kind: what `POST /registry/links` takes beside it."""

import base64

from service import ROOT


def week(number):
    """The beginning of a week of Last.fm's list, seconds since 1970."""
    return 1108296000 + number * 604800


LINKS = {
    "url": {"url": "https://en.wikipedia.org/wiki/Bird_vocalization", "title": "Bird vocalization"},
    "text": {"text": "Meet me at 6\nby the old oak.\n\n<b>Bring</b> biscuits & tea."},
    "file": {"name": "a picture.png",
             "content": base64.b64encode((ROOT / "Tests/EndToEnd/picture.png").read_bytes()).decode()},
    "user": {"user": "rj"},
    "chart": {"user": "rj", "from": week(600), "to": week(601)},
    "data": {"data": {"title": "A thing", "numbers": [1, 2, {"deep": None}]}},
}
