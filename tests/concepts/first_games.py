"""Games of the kind that people write first, played on every machine: what the tests of these games share.

It is not a test itself.
"""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from interpreter.backends.native.targets import C
from interpreter.core.errors import RulesetError
from interpreter.rules.rules import REFERENCE
from tests.concepts.everywhere import HERE
from tests.concepts.play import answer_all, game

MACHINES = (REFERENCE, *(name for name in HERE if name != C))  # C, which takes a compiler, plays few of them
PROGRAMS: dict[str, Any] = {}


def begun(rules: str, machine: str, *answers: str, manifest: str = "", **how: Any) -> rw.State:
    """The game behind these answers, on one machine; seed 1, two seats, invariants tested."""
    key = rules + manifest
    if key not in PROGRAMS:
        PROGRAMS[key] = game(rules, seats=(2, 2), manifest=manifest).program
    return answer_all(rw.Game(PROGRAMS[key], machine).new(seats=2, seed=1, **how), *answers)


def told(rules: str, machine: str, *answers: str, **how: Any) -> str:
    """The fault that the rules meet."""
    with pytest.raises(RulesetError) as found:
        begun(rules, machine, *answers, **how)
    return str(found.value)
