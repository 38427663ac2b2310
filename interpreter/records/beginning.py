"""Games that begin from a position instead of at the beginning: rows of a text, a named position, or a ruling's.

A position has no place in the course of a game, so its game is what its steps begin: the routine behind `do`, up to the
question that this asks, and over when the routine has ended. What the game begins with stays in its state, so that
a save of it can be replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from dsl.driver.reference import NoSuchRules, RulesetReference, parse_reference
from interpreter.core import rng
from interpreter.core.errors import IllegalAnswer
from interpreter.records.position import base_state, place_rows, with_setup
from interpreter.records.position_checks import PositionError, check_position
from interpreter.records.steps import StepError, run_steps
from interpreter.rules.names import hint
from interpreter.rules.rules import Rules
from interpreter.session.advance import settle
from interpreter.session.game import Game, find_ruleset
from interpreter.session.setup import ASK, DRAW
from interpreter.session.state import Beginning, State

if TYPE_CHECKING:
    from dsl.driver.position_rows import RowReader  # the compiler: who brings no text does without it

NOTHING_BEGUN = "nothing is asked in it, and no step `do ROUTINE(...)` begins anything"


def position(
    game: Game,
    rows: str = "",
    begins: str = "",
    seed: int = 0,
    checked: bool = False,
    auto: bool = True,
    chance: str = DRAW,
) -> State:
    """A state that is no beginning: what the `rows` say, as they stand under `given`, over the position of the ruling
    or position named by `begins`, or over the empty store. With a `when` behind the rows its steps are taken, else
    those of the ruling up to its first `do`; what is begun so is the whole game. For tests, notebooks and comparisons.
    The first rows cost a check of the rules. Raises PositionError."""
    case = case_of(game, begins) if begins else None
    own = rows_of(game, rows) if rows.strip() else None
    base = begins if isinstance(case, ir.Position) else case.base if case is not None else ""
    state = base_state(game, base, case.seats, case.options) if case is not None else base_state(game, "", 0, ())
    state.game = game
    if isinstance(case, ir.Ruling):
        place_rows(game, state, case.given)
    if own is not None:
        with_setup(game, state, own.seats, own.options)
        place_rows(game, state, own.given)
    state.checked = checked
    check_position(state)
    words = state.words[:]
    rng.seed(words, seed)
    words[hdr.ASKING] = int(chance == ASK)
    state.replace_words(words)
    state.seed = seed
    steps = own.steps if own is not None and own.steps else first_steps(case)
    try:
        run_steps(state, steps)
    except (IllegalAnswer, StepError) as fault:
        raise PositionError(f"a step of it cannot be taken: {fault}") from None
    begin_here(state)
    if auto:
        state.auto = True
        settle(state)
    return state


def begin_here(state: State) -> None:
    """Let the log of a state begin now; what is running is the whole game."""
    state.log, state.automatic = [], 0
    words = state.words[:]
    words[hdr.DRIVEN] = 0
    state.script, words[hdr.SCRIPT] = state.script[words[hdr.SCRIPT] :], 0
    if state.plan is not None:
        state.plan = replace(state.plan, entries=0)
    state.replace_words(words)
    state.begun = Beginning(words, state.plan)


def is_open(state: State) -> bool:
    """True if anything goes on in a position: a question, chance that is awaited, or an end."""
    return state.over or state.decision is not None or state.chance is not None


def begun_from(game: Game, name: str, seed: int, chance: str = DRAW) -> State:
    """A game to be played from the position of a ruling, or from a named one. Raises PositionError where that cannot
    be, RulesetError where the rules cannot go on from it."""
    state = position(game, begins=name, seed=seed, chance=chance)
    if not is_open(state):
        raise PositionError(NOTHING_BEGUN)
    return state


def case_of(game: Rules, name: str) -> ir.Ruling | ir.Position:
    """The ruling or position of this name. Raises PositionError."""
    rulings, positions = game.program.rulings, game.program.positions
    found = rulings.get(name) or positions.get(name)
    if found is None:
        raise PositionError(f"no ruling or position `{name}`{hint(name, [*rulings, *positions])}")
    return found


def first_steps(case: ir.Ruling | ir.Position | None) -> Sequence[ir.RulingStep]:
    """The steps of a ruling up to its first `do`; none for a position, whose steps belong to it."""
    if not isinstance(case, ir.Ruling):
        return ()
    steps = case.stages[0].steps if case.stages else ()
    number = next((n for n, step in enumerate(steps) if step.op == "do"), -1)
    return steps[: number + 1]


def rows_of(game: Game, text: str) -> ir.Position:
    """The rows and steps of a text. Raises PositionError with all that is wrong with it."""
    from dsl.diagnostics.render import render_text

    reader = game.cached(_readers)
    if not reader:
        from dsl.driver.position_rows import row_reader

        rules = reference_of(game)
        program, _, _ = rules.compile()
        made = row_reader(rules) if program is not None and program.digest == game.program.digest else None
        if made is None:
            raise PositionError(f"the files of {game.program.named} are no longer those that it was loaded from")
        reader.append(made)
    found, messages, source = reader[0].read(text)
    if found is None:
        raise PositionError("the text is no position\n" + render_text(messages, {source.file: source}))
    return found


def _readers(_: Rules) -> list[RowReader]:
    """An empty list, cached with a game, into which its row reader comes once somebody asks for rows."""
    return []


def reference_of(game: Game) -> RulesetReference:
    """The reference by which the rules of a game were read. Raises PositionError where they are not found by their
    name."""
    if game.reference is not None:
        return game.reference
    try:
        return parse_reference(game.program.named, find_ruleset)
    except (NoSuchRules, FileNotFoundError, ValueError) as fault:
        raise PositionError(f"rows are read with the files of the rules: {fault}") from None
