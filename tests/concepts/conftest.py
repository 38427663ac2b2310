"""After each test every game that it began must replay from its log alone, and have a view and a log for every seat.
What it compiled has a native form: a new construct without one fails."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import interpreter as rw
from tests.concepts import play
from tests.interpreter.low_pair import gaps_of

LOWERED: set[int] = set()  # programs that were looked at, by the hashes of their code


@pytest.fixture(autouse=True)
def games_replay(request: pytest.FixtureRequest) -> Iterator[None]:
    play.STARTED.clear()
    play.COMPILED.clear()
    yield
    for program in play.COMPILED:
        key = hash((program.code, tuple(program.functions), tuple(program.sites)))
        if key not in LOWERED:
            LOWERED.add(key)
            assert gaps_of(program) == ()
    for state in play.STARTED:
        data = json.loads(json.dumps(rw.save(state)))
        assert rw.replay(state.game, data).digest() == state.digest()
        assert rw.restore(state.game, data).digest() == state.digest()
        for seat in (None, *range(1, state.seats + 1)):
            assert rw.view(state, seat)["over"] == state.over
            assert all(rw.log_for(state, seat))
