"""Lines about rules while they run, by the list `told` of `display.yaml`: routines that begin, routines that end
without running certain others, and what a verb or a routine has changed.

Reads the events that a state has recorded (`record` has it do so); collects lines by the number of the answer that
caused them, each with the headings of its moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from dsl import program as hdr
from dsl.base.types import INT, MemberType, SetType
from dsl.program import Program
from dsl.shows.program import ToldChange
from dsl.shows.spec import ShowSpec
from interpreter import State, copy
from interpreter.core import stack
from interpreter.core.words import Words, new_store
from interpreter.machine.recorder import Event, Recorder
from interpreter.rules.messages import Named
from interpreter.rules.rules import Rules
from interpreter.visibility.audiences import knows
from tools.shows.content import Hidden, ShownValue
from tools.shows.headings import headings
from tools.shows.labels import label_of
from tools.shows.presenter import Presenter
from tools.shows.words import bare_text, content_text, name_text

Spec = ToldChange
Change = tuple[int, str, str, str]  # thing (0: none), name of the value, its text before and after


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line to be printed; `style`: its style in rich."""

    headings: tuple[str, ...]
    text: str
    style: str


@dataclass(slots=True)
class RunningRoutine:
    """A running routine. `ran`: routines that have run inside it, None if unknown; `lines`: id -> line to be
    reported if certain routines do not run; `before`: the store at its beginning, if it is compared at the end;
    `reported`: changes that were reported by routines inside it."""

    routine: int
    ran: set[int] | None = field(default_factory=set)
    lines: dict[str, str] = field(default_factory=dict)
    before: Words = field(default_factory=new_store)
    reported: set[Change] = field(default_factory=set)


def specs_of_events(program: Program) -> list[Spec]:
    """The entries of `told` about what happens while rules run."""
    return [spec for spec in program.display.told if not spec.compares_positions]


def causes_of(program: Program, spec: Spec) -> set[int]:
    """The numbers of the causes that an entry of `told` is about."""
    causes = program.domains.get(program.causes)
    known = dict(zip(causes.ids, causes.values, strict=True)) if causes else {}
    return {known.get(name, 0) for name in spec.causes}


def record(state: State) -> None:
    """Have a state record what its readers are told of, if that is anything, from its next answer on; what it has
    recorded before is let go."""
    state.recorder, state.events = state.game.cached(_recorder), {}


def _recorder(rules: Rules) -> Recorder | None:
    program = rules.program
    if not (specs := specs_of_events(program)):
        return None
    phases = {number for number, proc in enumerate(program.procs) if proc.word == "phase"}
    named = (routine_numbers(program, names) for spec in specs for names in (spec.run, spec.without, spec.during))
    causes = frozenset(number for spec in specs for number in causes_of(program, spec))
    return Recorder(program, rules.runner, frozenset(phases.union(*named)), causes)


def routine_numbers(program: Program, names: Sequence[str]) -> frozenset[int]:
    """The numbers of the routines of these names; `Kind.effect` means the effects of all things of the kind, and
    `Kind.STRIP` their strips of that name."""
    wanted = set()
    for name in names:
        kind, _, part = str(name).rpartition(".")
        domain = program.domains.get(kind)
        wanted |= {f"{id_}.{part}" for id_ in domain.ids} if domain is not None else {str(name)}
    return frozenset(number for number, proc in enumerate(program.procs) if proc.name in wanted)


class RuleLines:
    """The lines of one reader, from a position on. `take_changes` gives the texts, with their styles, of what has
    changed since its last call; it is called before anything else is reported, and when a phase begins."""

    def __init__(
        self, state: State, lang: str, seat: int | None, take_changes: Callable[[State], list[tuple[str, str]]]
    ) -> None:
        program = self.program = state.game.program
        self.lang, self.seat, self.take_changes = lang, seat, take_changes
        self.specs = specs_of_events(program)
        self.numbers = {
            (spec.id, key): routine_numbers(program, names)
            for spec in self.specs
            for key, names in {"run": spec.run, "without": spec.without, "during": spec.during}.items()
        }
        self.by_cause = {spec.id: causes_of(program, spec) for spec in self.specs}
        self.lines_after: dict[int, list[PrintedLine]] = {}  # number of an answer -> lines after it
        self.lines_before: dict[int, list[PrintedLine]] = {}  # number of an answer -> lines before it
        self.headings: dict[int, tuple[str, ...]] = {}  # number of an answer -> headings above it
        self.entry = 0  # the number of the answer whose events are read
        self.before: Words = new_store()  # the store before the current verb
        self.begin(state)

    def begin(self, state: State) -> None:
        """Go on from this position; nothing is told of what led to it."""
        self.lines_after.clear()
        self.lines_before.clear()
        self.headings.clear()
        self.known_entries = len(state.log)
        frames = [state.words[base + 2] for base in stack.bases(state.words)]
        self.running = [RunningRoutine(number, None) for number in reversed(frames) if number >= 0]

    def read(self, state: State) -> None:
        """Read what has been recorded since."""
        for number in range(self.known_entries, len(state.log)):
            if number in state.events:
                self.entry, moment = number, copy(state)
                moment.log, moment.plan = state.log[:number], None
                self.tell(moment, state.events[number])
        self.known_entries = len(state.log)

    def tell(self, moment: State, events: Iterable[Event]) -> None:
        """Add the lines about what an answer caused; `moment` becomes the position of each event in turn."""
        for event in events:
            moment.replace_words(event.words)
            match event.sort:
                case "taken":
                    self.headings[self.entry] = tuple(headings(moment, self.seat, self.lang))
                case "begins":
                    self.routine_begins(moment, event.number, event.args)
                case "ends":
                    self.routine_ends(moment, event.number)
                case "before":
                    self.add_changes(moment)
                    self.before = event.words
                case "done":
                    self.verb_done(moment, event.number)

    def routine_begins(self, state: State, routine: int, args: Sequence[Any]) -> None:
        self.add_changes(state)
        presenter = Presenter(state, self.seat, self.lang)
        for spec in self.specs:
            if routine in self.numbers[spec.id, "run"] and not spec.without:
                self.add(state, self.routine_text(presenter, spec, routine, args))
        for outer in self.running:
            if outer.ran is not None:
                outer.ran.add(routine)
        new = RunningRoutine(routine)
        for spec in self.specs:
            if routine in self.numbers[spec.id, "during"] and not new.before:
                new.before = state.words
            if routine in self.numbers[spec.id, "run"] and spec.without:
                new.lines[spec.id] = self.routine_text(presenter, spec, routine, args)
        self.running.append(new)

    def routine_ends(self, state: State, routine: int) -> None:
        place = next((n for n in reversed(range(len(self.running))) if self.running[n].routine == routine), -1)
        if place < 0:
            return
        ended = self.running[place]
        del self.running[place:]
        if not ended.lines and not ended.before:
            return
        self.add_changes(state)
        reported: set[Change] = set()
        for spec in self.specs:
            without = self.numbers[spec.id, "without"]
            if spec.id in ended.lines and ended.ran is not None and not ended.ran & without:
                self.add(state, ended.lines[spec.id])
            if ended.before and routine in self.numbers[spec.id, "during"]:
                reported |= self.compare(state, spec, ended.before, ended.reported)
        for outer in self.running:
            outer.reported |= reported

    def verb_done(self, state: State, cause: int) -> None:
        for spec in self.specs:
            if cause in self.by_cause[spec.id]:
                self.compare(state, spec, self.before)

    # ------------------------------------------------------------ lines

    def add_changes(self, state: State) -> None:
        """Add lines for what has changed so far."""
        for text, style in self.take_changes(state):
            self.add(state, text, style)

    def add(self, state: State, text: str, style: str = "magenta") -> None:
        """Store a line after its answer; in an open plan that the reader does not see, before the next answer."""
        if text:
            planner = state.game.names.seat_number(state.words[hdr.PLAN_SEAT])
            before_next = state.words[hdr.PLAN] and planner != self.seat
            current = tuple(headings(state, self.seat, self.lang))
            lines = (
                self.lines_before.setdefault(self.entry + 1, [])
                if before_next
                else self.lines_after.setdefault(self.entry, [])
            )
            lines.append(PrintedLine(current, text, style))

    def template(self, presenter: Presenter, spec: Spec) -> str:
        found = presenter.game.texts.find(self.lang, f"told.{spec.id}")
        return "{whose} {it}" if found is None else found

    def routine_text(self, presenter: Presenter, spec: Spec, routine: int, args: Sequence[Any]) -> str:
        """The line about a routine, with its parameters by name; `it`: the thing that has the routine as its effect
        or strip."""
        proc, game = self.program.procs[routine], presenter.game
        values: dict[str, Named | str] = {"whose": ""}
        owner = proc.name.partition(".")[0]
        values["it"] = name_text(presenter, game.things[owner]).plain if owner in game.things else ""
        for (name, type_), value in zip(proc.params, args, strict=False):
            secret = isinstance(type_, MemberType) and value and self.is_hidden(presenter, type_, value)
            values[name.lstrip("$")] = game.texts.engine(self.lang, "hidden") if secret else Named(value, type_)
        return self.fill(presenter, spec, values)

    def is_hidden(self, presenter: Presenter, type_: MemberType, value: int) -> bool:
        domain = self.program.domains[type_.domain]
        return domain.sort != "enum" and not knows(presenter.game, presenter.words, value, self.seat)

    def fill(self, presenter: Presenter, spec: Spec, values: dict[str, Named | str]) -> str:
        return " ".join(presenter.game.texts.fill(self.lang, self.template(presenter, spec), values).split())

    # ------------------------------------------------------------ readings

    def compare(self, state: State, spec: Spec, before: Words, reported: Set[Change] = frozenset()) -> set[Change]:
        """Add a line for each thing with a value that differs from the store `before`, except for changes that were
        already `reported`; return the changes reported now."""
        found: set[Change] = set()
        now = Presenter(state, self.seat, self.lang)
        then = Presenter(state, self.seat, self.lang)
        then.words = before
        for thing in now.things(spec.per) if spec.per else (0,):
            changed = []
            for show in spec.changes or ((spec.change,) if spec.change is not None else ()):
                if then.read_unrestricted(show.of, thing) != now.read_unrestricted(show.of, thing):
                    was, is_ = read_difference(then, now, show, thing)
                    key = (thing, show.of, was, is_)
                    if was != is_ and key not in reported:  # to this reader
                        changed.append((show, was, is_))
                        found.add(key)
            if changed:
                self.add(state, self.changes_text(now, spec, thing, changed))
        return found

    def changes_text(
        self, presenter: Presenter, spec: Spec, thing: int, changed: Sequence[tuple[ShowSpec, str, str]]
    ) -> str:
        values: dict[str, Named | str] = {"whose": name_text(presenter, thing).plain if thing else ""}
        if spec.changes:
            kind = spec.per
            parts = [format_change(label_of(presenter, show, "display", kind), was, now) for show, was, now in changed]
            values["it"] = presenter.game.texts.joined(self.lang, parts)
        else:
            ((_, was, now),) = changed
            values |= {"was": was, "it": now, "by": Named(abs(number_change(was, now) or 0), INT)}
        return self.fill(presenter, spec, values)


def read_difference(then: Presenter, now: Presenter, show: ShowSpec, thing: int) -> tuple[str, str]:
    """The texts of a SHOW then and now; of two sets only the members that differ."""
    name = show.of
    match then.read(name, thing), now.read(name, thing):
        case ShownValue(was, SetType() as type_), ShownValue(is_, SetType()):
            both = was & is_
            return content_text(then, ShownValue(was & ~both, type_)).plain, content_text(
                now, ShownValue(is_ & ~both, type_)
            ).plain
        case Hidden(was), Hidden(is_):
            return ("", "") if was is None or is_ is None else (str(was), str(is_))
    return bare_text(then, show, thing).plain, bare_text(now, show, thing).plain


def number_change(was: str, now: str) -> int | None:
    """The difference of two numbers; None if one of the texts is not a number."""
    try:
        return int(now) - int(was)
    except ValueError:
        return None


def format_change(label: str, was: str, now: str) -> str:
    by = number_change(was, now)
    return f"{label} {by:+}" if by is not None else f"{label} {was or '-'} -> {now or '-'}"
