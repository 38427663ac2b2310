"""That the proof would notice: rulesets with one wrong rule each do not pass the comparison with OpenSpiel."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.spiel.extras import require

require("pyspiel", "spiel")

from tests.spiel.lockstep import Knowledge, Tally, play  # noqa: E402
from tests.spiel.pairs import PAIRS, ROOT  # noqa: E402

# Ruleset, what its rules say, what they say instead, and what the comparison complains of.
WRONG = [
    ("nim", "set winner to rival(p) if misere else p", "set winner to p", "the end is worth"),
    ("breakthrough", " and t.column is not s.column", "", "we offer"),
    ("othello", "case pass where not can_place(p)", "case pass", "we offer"),
    ("tic_tac_toe", "if has_line(p): set winner to p", "if has_line(p) and full: set winner to p", "is over, we ask"),
    ("kuhn_poker", "zone hand: Card seen by owner", "zone hand: Card", "can tell apart here what is one to it there"),
    ("kuhn_poker", "highest strength(p)", "lowest strength(p)", "the end is worth"),
    (
        "leduc_poker",
        "zone board: Card",
        "zone board: Card seen by nobody",
        "can tell apart there what is one to it here",
    ),
    ("liars_dice", "(0 if f is sixes else shown(sixes))", "0", "the end is worth"),
    ("leduc_poker", "case raise where raises < 2", "case raise where raises < 1", "we offer"),
]


@pytest.mark.parametrize(("name", "right", "wrong", "complaint"), WRONG)
def test_one_wrong_rule_is_noticed(name: str, right: str, wrong: str, complaint: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(ROOT / "rulesets" / name, folder)
    found = 0
    for path in folder.rglob("*.rules"):
        text = path.read_text(encoding="utf-8")
        found += text.count(right)
        path.write_text(text.replace(right, wrong), encoding="utf-8")
    assert found == 1, f"the rules of {name} say `{right}` {found} times"
    pair = replace(next(pair for pair in PAIRS if pair.ruleset == name), ruleset=str(folder))
    knowledge = Knowledge(pair)
    with pytest.raises(AssertionError, match=complaint):
        for number in range(200):
            play(pair, random.Random(number), Tally(), knowledge)
