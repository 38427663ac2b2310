"""Edits of a part of a page: what the browser makes of them is the new text, and they are small where little has
changed."""

from __future__ import annotations

import json
import random

import pytest

from tests.conformance.tables import load
from tests.tools.web.server import edited
from tools.table.log import Log
from tools.table.table import Table
from tools.web.page.drawn import Before, drawn_table
from tools.web.running.edits import SMALL, differing, edits, pieces
from tools.web.running.viewers import Viewer


def test_pieces_are_the_text() -> None:
    text = "<section id='a'><h2>one &lt;b&gt;</h2><svg><g><text>x</text></g><g></g></svg></section>\n"
    assert "".join(pieces(text)) == text and len(pieces(text)) == 6


@pytest.mark.parametrize("old, new, found", [
    ("abcd", "abcd", []),
    ("abcd", "axcd", [(1, 1, "x")]),
    ("abcd", "acd", [(1, 1, "")]),
    ("abcd", "abxycd", [(2, 0, "xy")]),
    ("abcd", "abcdx", [(4, 0, "x")]),
    ("abcd", "xabcd", [(0, 0, "x")]),
    ("abcd", "", [(0, 4, "")]),
    ("abcdef", "axcdyf", [(1, 1, "x"), (4, 1, "y")]),
    ("aabcc", "abccc", [(1, 1, ""), (5, 0, "c")]),
])  # fmt: skip
def test_what_differs(old: str, new: str, found: list[tuple[int, int, str]]) -> None:
    assert differing(list(old), list(new)) == found


def test_edits_lead_to_the_new_text_whatever_it_is() -> None:
    chance = random.Random(5)
    tags = [f"<{name} n={n}>t</{name}>" for name in ("g", "text", "p") for n in range(60)] + [
        "<g>",
        "</g></g>",
        "<p>ä🎲",
    ]
    small = 0
    for _ in range(400):
        old = ["<section>", *chance.choices(tags, k=chance.randrange(10, 120))]
        new = list(old)
        for _ in range(chance.randrange(0, 9)):
            at = chance.randrange(1, len(new) + 1)
            new[at : at + chance.randrange(3)] = chance.choices(tags, k=chance.randrange(3))
        if chance.random() < 0.1:
            chance.shuffle(new)
            new.insert(0, "<section>")
        before, now = "".join(old), "".join(new)
        found = edits(before, now)
        if found is not None:
            assert edited(before, json.loads(json.dumps(found))) == now
            small += 1
    assert small > 200


def test_small_parts_and_other_ones_are_sent_whole() -> None:
    assert edits("<p>a</p>", "<p>b</p>") is None
    other = ["".join(f"<p>{word} {n}</p>" for n in range(SMALL // 10)) for word in ("one", "two")]
    assert edits(*other) is None


async def silent(_: str) -> None:
    return None


@pytest.mark.parametrize("ruleset, most", [("dominant_species", 0.5), ("bios_origins", 0.1), ("love_letter", 0.7)])
def test_an_answer_sends_what_it_changes(ruleset: str, most: float) -> None:
    """Of all that the changed parts hold, little is sent; and the browser has the whole page in the end."""
    game = load(f"rulesets/{ruleset}")
    table = Table(game.new(seats=2, seed=3, chance="ask"), frozenset(), "random", chance=random.Random(1))
    log, kept, viewer, has = Log(table.state, "en", 1), Before(), Viewer("1", "en", silent), dict[str, str]()
    whole = sent = 0
    for number in range(25):
        log.follow(table)
        drawn = drawn_table(table, 1, "en", log, kept=kept)
        changed = [name for name, html in drawn.parts.items() if has.get(name) != html]
        text = viewer.message(number, drawn)
        told = json.loads(text)
        assert {*told["parts"], *told["edits"]} == set(changed)
        for name in told["gone"]:
            del has[name]
        has |= told["parts"] | {name: edited(has[name], found) for name, found in told["edits"].items()}
        assert has == drawn.parts
        if number:
            whole, sent = whole + sum(len(drawn.parts[name]) for name in changed), sent + len(text)
        table.bot_turn()
    assert sent < most * whole, (sent, whole)
