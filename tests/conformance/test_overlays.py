"""Overlays that come with a ruleset: each checks clean, and all that do not meet can be played together."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import interpreter as rw
from dsl.driver.reference import RulesetReference, shipped_overlays, with_bases
from tests.conformance.tables import finish, folders, has_rivals, is_large, rivals

Overlays = tuple[str, ...]


def overlay_sets(path: Path, whole: bool) -> list[Overlays]:
    """Each overlay alone and all together; with `whole` every subset. Without those that exclude each other."""
    names = list(shipped_overlays(path))
    if not whole:
        together = len(names) > 1 and not has_rivals(path)
        return [*((name,) for name in names), *([tuple(names)] if together else [])]
    pairs = list(rivals(path))
    found = [overlays for size in range(1, len(names) + 1) for overlays in combinations(names, size)]
    return [names for names in found if not any(pair <= {*names} for pair in pairs)]


def cases(whole: bool) -> list[tuple[Path, Overlays]]:
    return [(path, overlays) for path in folders() for overlays in overlay_sets(path, whole)]


def compiled(path: Path, overlays: Overlays) -> rw.Game:
    shipped = shipped_overlays(path)
    program, found, _ = RulesetReference(path, with_bases(path, [shipped[name] for name in overlays])).compile()
    assert program is not None and not found, [(d.code, d.message) for d in found]
    return rw.Game(program, "reference")  # many builds, each played a little


def play_and_restore(path: Path, overlays: Overlays, moves: int) -> None:
    """A game goes on under all invariants, and a save of it is continued under the name of its rules."""
    game = compiled(path, overlays)
    state = game.new(seats=game.program.seats[1], seed=len(overlays), checked=True)
    finish(state, moves, moves)
    data = rw.save(state)
    again = rw.load(data["rules"].replace(path.name, str(path), 1), backend="reference")
    assert rw.restore(again, data).digest() == state.digest()


def case_id(value: object) -> str:
    return value.name if isinstance(value, Path) else "+".join(map(str, value)) if isinstance(value, tuple) else ""


def quick_cases() -> list[tuple[Path, Overlays]]:
    """Each overlay and all of them; of a large game the last of these, for the soak has all."""
    found = cases(whole=False)
    last = dict(found)
    return [(path, overlays) for path, overlays in found if not is_large(path) or overlays == last[path]]


@pytest.mark.parametrize(("path", "overlays"), quick_cases(), ids=case_id)
def test_overlays_that_come_along_are_played(path: Path, overlays: Overlays) -> None:
    play_and_restore(path, overlays, moves=60 if is_large(path) else 150)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Which sets of overlays there are takes a while to find out, and only the soak asks."""
    if metafunc.function is test_every_set_of_overlays_is_played:
        wanted = metafunc.config.getoption("markexpr") == "soak"
        metafunc.parametrize(("path", "overlays"), cases(whole=True) if wanted else [], ids=case_id)


@pytest.mark.soak
def test_every_set_of_overlays_is_played(path: Path, overlays: Overlays) -> None:
    play_and_restore(path, overlays, moves=600)
