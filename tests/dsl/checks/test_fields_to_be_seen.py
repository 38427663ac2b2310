"""Fields that no rule reads, and that are there all the same: to be seen."""

from __future__ import annotations

import pytest

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import check_texts

MANIFEST = "id: x\nversion: 1\ntitle: {en: X}\nseats: 2..3\nload: [x.rules]\n"
RULES = """\
kind Card: 3
    field told: bool
zone deck: Card
kind Seat
    zone hand: Card
phase game
    for every c in Card: move c to deck
    for every c in Card
        set c.told to true
        if c in deck: move c to p1.hand
"""


def unread(rules: str) -> list[Diagnostic]:
    return [d for d in check_texts({"x.rules": rules}, {"ruleset.yaml": MANIFEST}) if d.code == "RW1106"]


def test_a_field_that_nothing_reads_is_told_with_the_ways_out() -> None:
    (found,) = unread(RULES)
    assert "`Card.told` is set" in found.message and "display.yaml" in (found.help or "")


@pytest.mark.parametrize(("who", "reports"), [("owner", 0), ("nobody", 1), ("all", 1)])
def test_a_field_that_says_who_sees_it_is_there_to_be_seen(who: str, reports: int) -> None:
    assert len(unread(RULES.replace("told: bool", f"told: bool seen by {who}"))) == reports
