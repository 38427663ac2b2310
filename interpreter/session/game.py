"""A loaded ruleset ready to play: new games, legal options, one decision after the other.

`Game` holds what never changes (program, machine, names, texts). `apply` takes one small decision, lets the machine
run to the next question, answers forced questions, and writes the log; what it refuses leaves the state as it was.
Whole answers in words are in `interpreter.play.answer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import dsl
from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.reference import find_overlay, read_name
from dsl.program import Program
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.choices import plan
from interpreter.core import rng
from interpreter.core.errors import IllegalAnswer
from interpreter.core.question import Option as MachineOption
from interpreter.machine.machine import Machine
from interpreter.play.explain import refusal
from interpreter.rules.names import Names, hint
from interpreter.rules.site_texts import Answers
from interpreter.rules.texts import Texts
from interpreter.session.chance import ChanceEvent, Outcome
from interpreter.session.decision import Decision, Option
from interpreter.session.interrupts import is_moment, moment_decision, open_decision
from interpreter.session.log import chance_entry, choice_entry
from interpreter.session.playouts import Engine
from interpreter.session.state import OpenPlan, State
from interpreter.visibility.audiences import ALL
from interpreter.visibility.cells import ReadingMachine
from interpreter.visibility.static import Openness

PYTHON, REFERENCE = "python", "reference"  # back ends
DRAW, ASK = "draw", "ask"  # what is done at a chance event
AUTOMATIC_LIMIT = 10_000  # forced answers in a row; more of them are an endless loop


Member = str | bool | int  # of an option: its id; also True, False or a number


class RulesetInvalid(Exception):
    """A ruleset that does not check; `diagnostics` say why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [d for d in diagnostics if d.severity is Severity.ERROR]
        first = f": {errors[0].code} {errors[0].message}" if errors else ""
        super().__init__(f"the ruleset has {len(errors)} error{'' if len(errors) == 1 else 's'}{first}")


class GameSetupError(ValueError):
    """A game can not begin like this: wrong number of seats, unknown option."""


def load(
    ruleset: str | Path, *, overlays: Sequence[str | Path] = (), home: Path | None = None, backend: str = PYTHON
) -> Game:
    """Load a ruleset by id (a folder of `home`/rulesets) or by path; overlays by name behind it
    (`orchard+long_winter@2020-05-01`) or in `overlays` by name or path. Raises RulesetInvalid."""
    named = read_name(str(ruleset), lambda name: find_ruleset(name, home))
    named = replace(named, overlays=(*named.overlays, *(find_overlay(named.path, str(o)) for o in overlays)))
    program, diagnostics, _ = named.compile()
    if program is None:
        raise RulesetInvalid(diagnostics)
    return Game(program, backend)


def find_ruleset(ruleset: str | Path, home: Path | None = None) -> Path:
    """The folder of a ruleset: a path as it is, an id below `home`, the current folder or the folder of this
    package."""
    path = Path(ruleset)
    if path.exists():
        return path
    roots = [home] if home is not None else [Path.cwd(), Path(dsl.__file__).resolve().parents[1]]
    for root in roots:
        if (root / "rulesets" / path).is_dir():
            return root / "rulesets" / path
    known = sorted(p.name for root in roots for p in (root / "rulesets").glob("*") if p.is_dir())
    raise FileNotFoundError(
        f"no ruleset `{ruleset}` here{hint(str(ruleset), known)} (known: {', '.join(known) or 'none'})"
    )


class Game:
    """A program with its machine, names and texts. `backend`: `python` (code written for this ruleset) or `reference`
    (the walk over the tree that defines the meaning); both give the same words."""

    def __init__(self, program: Program, backend: str = PYTHON) -> None:
        self.program = program
        self.names = Names(program)
        self.texts = Texts(self.names)
        self.machine: Machine = PythonMachine(program) if backend == PYTHON else Machine(program)
        self.answers = [Answers(self, site) for site in program.sites]
        self.layout = sorted(program.layout, key=lambda e: e.base)
        self.secrets = any(e.audience != ALL for e in program.layout)
        self.openness = Openness(program)
        self.things = {id_: i for i, id_ in enumerate(program.thing_ids) if i}
        self.owner_fns = {e.symbol: e.owner_fn for e in program.layout}
        rooms = [p.temps for p in program.procs] + [f.temps for f in program.functions]
        rooms += [s.temps for s in program.sites] + [program.needs.temps]
        self.temps = max(rooms)  # room that any expression of the program finds enough

    @cached_property
    def engine(self) -> Engine:
        """Bare play over stores, without logs and texts."""
        return Engine(self)

    @cached_property
    def unasked(self) -> frozenset[str]:
        """The addresses of questions that are answered by default, unless somebody wishes to choose."""
        return frozenset(site.address for site in self.program.sites if site.by_default)

    @cached_property
    def ways(self) -> dict[str, bool]:
        """The addresses of questions how to pay, or how to gain (true)."""
        return {site.address: site.ways.gain for site in self.program.sites if site.ways is not None}

    @cached_property
    def drawn(self) -> dict[str, str]:
        """What kind or enum each chance event draws from, by its address."""
        events = (i for i in self.program.code if isinstance(i, ir.Chance))
        return {i.address: i.type.domain for i in events if isinstance(i.type, MemberType)}

    def read(self, words: list[int], expr: ir.Expr) -> int:
        """The number that an expression without bound names stands for in this store."""
        if type(expr) is ir.FrameVar and type(expr.type) is MemberType:
            return words[words[hdr.FP] + hdr.FRAME_LINK + expr.slot]
        self.machine.words = words
        value: int = self.machine.value(expr, [0] * self.temps)
        return value

    @cached_property
    def reader(self) -> ReadingMachine:
        """The machine that says what an expression reads."""
        return ReadingMachine(self)

    def evaluate(
        self,
        words: list[int],
        expr: ir.Expr,
        temps: Mapping[int, Any] | None = None,
        size: int = 0,
        machine: Machine | None = None,
    ) -> Any:
        """The value of an expression in this store; `temps` are the values of bound names."""
        return (machine or self.machine).evaluate(words, expr, self._room(temps, size))

    def _room(self, temps: Mapping[int, Any] | None, size: int) -> list[Any]:
        room = [0] * max(size, max(temps or {}, default=-1) + 1, self.temps)
        for slot, value in (temps or {}).items():
            room[slot] = value
        return room

    def ordered(self, words: list[int], order: ir.Possible, temps: Mapping[int, Any], size: int) -> list[int]:
        """A copy of this store in which holds what an order changes while its action runs."""
        return plan.scene(self.machine, words, order, self._room(temps, size))

    def new(
        self,
        seats: int | None = None,
        options: Mapping[str, Member] | None = None,
        seed: int = 0,
        script: Sequence[Any] = (),
        checked: bool = False,
        auto: bool = True,
        chance: str = DRAW,
    ) -> State:
        """A new game, run to its first question. `script` are chance outcomes that come before those of the
        generator. `chance` is `draw`, or `ask`: the game then waits at each chance event for an outcome
        (`State.chance`)."""
        seats = self.program.seats[0] if seats is None else seats
        words = self.blank(seats, options or {}, seed, chance)
        state = State(self, words, seats, self.option_ids(words), seed, tuple(script), auto, checked)
        self.begin(state)
        settle(state)
        return state

    def begin(self, state: State) -> None:
        """Start the game on an empty store and run to the first question."""
        words = state.words[:]
        self.machine.start(words, self.program.entry, ())
        self.go_on(state, words)

    def blank(self, seats: int, options: Mapping[str, Member], seed: int = 0, chance: str = DRAW) -> list[int]:
        """The store before the first instruction."""
        low, high = self.program.seats
        if not low <= seats <= high:
            raise GameSetupError(f"{seats} seats, but this game is for {low} to {high}")
        words = [0] * self.program.state_words
        for address, value in self.program.init:
            words[address] = value
        if chance not in (DRAW, ASK):
            raise GameSetupError(f"chance can not be `{chance}`{hint(chance, (DRAW, ASK))} (one of: {DRAW}, {ASK})")
        words[hdr.SEATS] = seats
        words[hdr.ASKING] = int(chance == ASK)
        for info in self.program.options:
            words[info.address] = info.default
        for name, member in options.items():
            info = self.option(name)
            words[info.address] = self.option_value(info, member)
        rng.seed(words, seed)
        return words

    def option(self, name: str) -> ir.OptionInfo:
        for info in self.program.options:
            if info.name == name:
                return info
        known = [o.name for o in self.program.options]
        raise GameSetupError(
            f"no option `{name}` in this game{hint(name, known)} (known: {', '.join(known) or 'none'})"
        )

    def option_value(self, info: ir.OptionInfo, member: Member) -> int:
        """The number of a member in the store; True and 3 are good for `true` and `3`."""
        member = str(member).lower() if isinstance(member, bool) else str(member)
        domain = self.program.domains.get(info.domain)
        ids = dict(zip(domain.ids, domain.values, strict=True)) if domain else {"false": 0, "true": 1}
        if member not in ids:
            raise GameSetupError(
                f"option `{info.name}` can not be `{member}`{hint(member, ids)} (one of: {', '.join(ids)})"
            )
        return ids[member]

    def option_ids(self, words: list[int]) -> dict[str, str]:
        """The options of a store, as ids."""
        found = {}
        for info in self.program.options:
            value = words[info.address]
            domain = self.program.domains.get(info.domain)
            ids = dict(zip(domain.values, domain.ids, strict=True)) if domain else {0: "false", 1: "true"}
            found[info.name] = ids[value]
        return found

    def go_on(
        self, state: State, words: list[int], option: MachineOption | None = None, outcome: Outcome | None = None
    ) -> None:
        """Take `option` (one that is offered) or `outcome` (one that is possible) if one is given, run on, and note
        what chance brought; `words` become the state's at the end."""
        machine = self.machine
        machine.draws.clear()
        machine.plan_start = []
        machine.checked = state.checked
        longer = outcome is not None and words[hdr.DRAWN] > 0  # a shuffle goes on: its line of the log grows
        if outcome is not None:
            machine.draw(words, outcome.code, state.script)
        elif option is None:
            machine.run(words, state.script)
        else:
            machine.take(words, option, state.script)
        if longer:
            del state.log[-1]
        state.replace_words(words, machine.offers, machine.undecided)
        if machine.draws:
            state.log.extend([chance_entry(self, words, draw) for draw in machine.draws])
        note_plan(state)


def legal(state: State) -> list[Option]:
    """The options of the pending question, in canonical order; none when the game is over."""
    return list(state.decision.options) if state.decision else []


def apply(state: State, option: Option | Outcome | tuple[int, ...], paying: bool = False) -> State:
    """Take one small decision, or an outcome of the awaited chance event, and go on to the next question. With `paying`
    what this seat pays or gains next is such a question too, where that can be done in several ways, and so on behind
    each of these; else it is done in the usual way. IllegalAnswer leaves the state unchanged."""
    if isinstance(option, Outcome):
        return draw(state, option)
    decision = state.decision
    if isinstance(option, Option) and option.decision is not decision:
        if is_moment(option):
            decision = moment_decision(state, option.decision.seat)
        elif decision is not None and option.decision.seat != decision.seat:
            decision = open_decision(state, option.decision.actor) or decision
    if decision is None:
        awaited = f"an outcome of chance is awaited at {state.chance.address}" if state.chance else "the game is over"
        raise IllegalAnswer(f"{awaited}; nothing is asked")
    step(state, decision, offered(decision, option), automatic=False)
    settle(state, decision.seat if paying or decision.site.by_default else 0)
    return state


def draw(state: State, outcome: Outcome) -> State:
    """Let a possible outcome of the awaited chance event happen."""
    event = state.chance
    found = event.outcome(outcome.id) if event else None
    if event is None or found is None:
        where = f"at {event.address}, where {_possible(event)}" if event else "now: no chance event is awaited"
        raise IllegalAnswer(f"the outcome `{outcome.id}` can not come {where}")
    state.game.go_on(state, state.words[:], outcome=found)
    settle(state)
    return state


def _possible(event: ChanceEvent) -> str:
    ids = [o.id for o in event.outcomes]
    return f"possible is {', '.join(ids[:20])}{f' and {len(ids) - 20} more' if len(ids) > 20 else ''}"


def offered(decision: Decision, option: Option | tuple[int, ...]) -> Option:
    """The option of this decision with the same code; raises IllegalAnswer where there is none."""
    if isinstance(option, Option) and option.decision is decision and option.raw in decision.offers:
        return option
    code = option.code if isinstance(option, Option) else tuple(option)
    for number, known in enumerate(decision.offers):
        if known.code == code:
            return decision.options[number]
    raise refusal(decision, option if isinstance(option, Option) else code)


def step(state: State, decision: Decision, option: Option, automatic: bool) -> None:
    """Take an offered option without answering what is forced afterwards."""
    entries = len(state.log)
    state.automatic = state.automatic + 1 if automatic else 0
    if state.automatic > AUTOMATIC_LIMIT:
        state.game.machine.words = state.words
        raise state.game.machine.fault(
            f"{AUTOMATIC_LIMIT} questions with one possible answer in a row, the last at `{decision.address}`: "
            "this does not seem to end",
            decision.site.span,
            decision.site.cites,
        )
    state.log.append(choice_entry(decision, option, automatic))
    try:
        state.game.go_on(state, decision.words[:], option.raw)
    except Exception:
        del state.log[entries:]
        raise
    if decision.site.at_once and not still_answering(state, decision):
        tell_all(state)


def still_answering(state: State, before: Decision) -> bool:
    """Whether the question that is open now belongs to the same round of answers of a loop `at once` as the one
    before: the place in the order of the members goes up, or a member goes on."""
    now = state.decision
    if now is None or now.site.at_once is None or now.site.at_once != before.site.at_once:
        return False
    frame = before.words[hdr.FP]
    if now.words[hdr.FP] != frame:
        return False
    slot = frame + hdr.FRAME_LINK + now.site.at_once[1]
    if before.words[slot] != now.words[slot]:
        return before.words[slot] < now.words[slot]
    return now.number > before.number or (now.number == before.number and now.cursor > 0)


def tell_all(state: State) -> None:
    """All have answered at once: what waited for that is told to everybody."""
    for number, entry in enumerate(state.log):
        if entry.waiting():
            state.log[number] = entry.told()


def note_plan(state: State) -> None:
    """Keep the position from before the plan that is open now; a plan that was open before keeps its own."""
    machine = state.game.machine
    if not state.words[hdr.PLAN]:
        state.plan = None
    elif machine.plan_start:
        seat = state.game.names.seat_number(state.words[hdr.PLAN_SEAT])
        state.plan = OpenPlan(seat, tuple(machine.plan_start), len(state.log))


def settle(state: State, paying: int = 0) -> None:
    """Take forced answers and the usual ways of paying and gaining, where the state says so; with `paying` up to where
    this seat can pay or gain in several ways."""
    while state.auto and (decision := state.decision) is not None and (option := decision.forced) is not None:
        if paying and decision.site.by_default and decision.seat == paying:
            return
        step(state, decision, option, automatic=True)
