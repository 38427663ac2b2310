"""The games that every conformance test is run on: a table for each ruleset, with numbers of seats and presets.

It finds the rulesets of the repository and the small ones beside this module, loads each once, and plays them by a
random policy that also answers out of turn. It is not a test itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from dsl.base.cache import digest_files, load_cached, store_cached
from dsl.driver.load import compile_ruleset
from dsl.files.ruleset import variants_of
from dsl.program import Program
from tests.games import ROOT, overlay_suffixes
from tools.pytest_plugin import load_rules

SMALL = Path(__file__).parent / "rulesets"
LARGE = 1000  # words of a state: larger games are sampled in quick tests
LEAST_SHARE = 4  # of their positions a quick test looks at one in so many, or more
OUT_OF_TURN = 0.15  # how often somebody else than the one asked acts, where that is possible


@dataclass(frozen=True)
class Table:
    """A ruleset with seats and a preset of its manifest (empty: none)."""

    folder: str  # relative to the root of the repository; overlays may follow
    seats: int
    preset: str = ""

    @property
    def game(self) -> rw.Game:
        return load(self.folder)

    @property
    def small(self) -> bool:
        return (ROOT / self.folder).parent == SMALL

    @property
    def name(self) -> str:
        return f"{Path(self.folder).name}-{self.seats}{self.preset and '-' + self.preset}"

    @property
    def large(self) -> bool:
        return self.game.program.state_words > LARGE

    def share(self, positions: int) -> int:
        """How many of so many positions a test can afford, however large a state is."""
        return max(positions // LEAST_SHARE, positions * LARGE // max(LARGE, self.game.program.state_words))

    def new(self, seed: int, **how: Any) -> rw.State:
        game = how.pop("game", None) or self.game
        options = game.program.presets[self.preset] if self.preset else {}
        state: rw.State = game.new(seats=self.seats, options=options, seed=seed, **how)
        return state


@cache
def load(folder: str, backend: str = "python") -> rw.Game:
    """Loaded once in a process, for the rulings too."""
    path = ROOT / folder
    return load_rules(str(path)) if backend == "python" else rw.load(path, backend=backend)


def folders(*places: Path) -> list[Path]:
    """Every ruleset of these places; else those of the repository, then the small ones."""
    return sorted(p for place in places or (ROOT / "rulesets", SMALL) for p in place.iterdir() if p.is_dir())


def ruleset(name: str) -> Program:
    """The program of a ruleset of the repository, or of a small one."""
    program = compile_ruleset((SMALL if (SMALL / name).is_dir() else ROOT / "rulesets") / name)[0]
    assert program is not None
    return program


def tables() -> list[Table]:
    """For each ruleset: its fewest seats, its most seats with each preset and with overlays."""
    found = []
    for path in folders():
        folder = str(path.relative_to(ROOT))
        program = load(folder).program
        low, high = program.seats
        found.append(Table(folder, low))
        found += [Table(folder, high, preset) for preset in program.presets or ("",)]
        found += [Table(folder + o, load(folder + o).program.seats[1]) for o in overlay_suffixes(path)]
    return found


def combined_tables() -> list[Table]:
    """Each ruleset with all of its variants, without errata and with all of them."""
    found = []
    for path in folders():
        variants = "".join(f"+{p.stem}" for p in variants_of(path))
        folder = str(path.relative_to(ROOT))
        if variants.count("+") > 1 and not has_rivals(path):
            most = load(folder).program.seats[1]
            found += [Table(f"{folder}{variants}{day}", most) for day in ("", "@9999-12-31")]
    return found


def rivals(path: Path) -> Iterator[set[str]]:
    """Pairs of variants that cannot be played together, since they change the same places: two scenarios of a game."""
    for pair in combinations([p.stem for p in variants_of(path)], 2):
        if exclude_each_other("+".join((str(path.relative_to(ROOT)), *pair))):
            yield {*pair}


@cache
def has_rivals(path: Path) -> bool:
    return any(True for _ in rivals(path))


def exclude_each_other(folder: str) -> bool:
    """Whether overlays change the same places. What does not compile is not cached, so this answer is."""
    rules = ROOT / folder.partition("+")[0]
    files = sorted(p for place in (rules, ROOT / "cards" / rules.name) for p in place.rglob("*") if p.is_file())
    key = f"rivals {folder} {digest_files(files, ROOT)}"
    known = load_cached(key)
    if known is None:
        known = _cannot_be_loaded(folder)
        store_cached(key, known)
    return bool(known)


def _cannot_be_loaded(folder: str) -> bool:
    try:
        load(folder)
    except rw.RulesetInvalid as invalid:
        return {d.code for d in invalid.diagnostics} == {"RW1005"}
    return False


def tables_by_cost() -> list[Any]:
    """All tables; in the soak those of many overlays, and all of a large game but its fewest seats."""
    found: list[Any] = []
    for table in tables():
        plain = table.seats == table.game.program.seats[0] and not {"+", "@"} & {*table.folder}
        dear = table.large and not plain
        found.append(pytest.param(table, marks=pytest.mark.soak) if dear else table)
    return found + [pytest.param(table, marks=pytest.mark.soak) for table in combined_tables()]


each_table = pytest.mark.parametrize("table", tables_by_cost(), ids=lambda t: t.name)


def for_each(found: Iterable[Table]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", list(found), ids=lambda t: Path(t.folder).name)


RULESETS = [Table(str(p.relative_to(ROOT)), load(str(p.relative_to(ROOT))).program.seats[0]) for p in folders()]
each_ruleset = for_each(RULESETS)
each_small_ruleset = for_each(t for t in RULESETS if t.small)


def advance(state: rw.State, chooser: random.Random) -> None:
    """One random decision: mostly of the one asked, sometimes of somebody else who may act now."""
    decision = state.decision
    assert decision is not None
    if chooser.random() < OUT_OF_TURN and act_out_of_turn(state, chooser):
        return
    rw.apply(state, chooser.choice(rw.legal(state)))


def act_out_of_turn(state: rw.State, chooser: random.Random) -> bool:
    """An action at any moment, or an answer of another member of an open question; False where there is none."""
    decision = state.decision
    assert decision is not None
    seat = chooser.randint(1, state.seats)
    actions = rw.moments(state, seat)
    if actions:
        rw.apply(state, chooser.choice(actions))
        return True
    others = [s for s in decision.open_seats if s != decision.seat]
    if not others:
        return False
    other = chooser.choice(others)
    options = rw.view(state, other)["decision"]["options"]
    rw.answer(state, " ".join(chooser.choice(options)["ids"]), other)
    return True


def random_states(table: Table, seed: int, most: int = 10**9, **how: Any) -> Iterator[rw.State]:
    """The state of a random game at each of its first `most` questions and, if it ends before, at its end. It is one
    state, which is changed by each step."""
    state = table.new(seed, **how)
    chooser = random.Random(f"{table.name} {seed}")
    for _ in range(most):
        yield state
        if state.over:
            return
        advance(state, chooser)


def sample_states(table: Table, seed: int, most: int, **how: Any) -> Iterator[rw.State]:
    """Positions of a random game, `most` in a row at the beginning; of a large game fewer, and from further on."""
    skipped = seed % 5 * most if table.large else 0
    states = random_states(table, seed, skipped + table.share(most), **how)
    return (state for number, state in enumerate(states) if number >= skipped or state.over)


def is_large(path: Path) -> bool:
    """Whether the ruleset of this folder is a large game."""
    return Table(str(path.resolve().relative_to(ROOT)), 0).large


def in_soak_if_large(paths: Iterable[Path]) -> list[Any]:
    """Folders of rulesets for a test of each, the large games in the soak."""
    return [pytest.param(p, marks=[pytest.mark.soak] if is_large(p) else [], id=p.name) for p in paths]


@cache
def short_seed(table: Table) -> int:
    """The first seed whose random game is over soon: a whole game that a quick test can afford."""
    for seed in range(9):
        *_, state = random_states(table, seed, 3000)
        if state.over:
            return seed
    raise AssertionError(f"none of nine random games of {table.name} ends within 3000 decisions")


def finish(state: rw.State, seed: int, most: int = 10**9) -> rw.State:
    """Play on at random."""
    chooser = random.Random(seed)
    for _ in range(most):
        if state.over:
            break
        advance(state, chooser)
    return state


def snapshot(state: rw.State) -> dict[str, Any]:
    """A state as plain data, to compare before and after."""
    return {
        "words": list(state.words),
        "log": [entry.to_json() for entry in state.log],
        "question": (state.decision.address, state.decision.seat) if state.decision else None,
        "options": [(o.kind, o.code) for o in rw.legal(state)],
        "begun": (state.seats, dict(state.options), state.seed, state.script, state.auto, state.checked),
        "plan": state.plan,
    }
