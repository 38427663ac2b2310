"""A loaded ruleset: what never changes in a game.

Takes a program and gives what every question about a position needs: a machine to evaluate with, names, texts and the
answers of each site. It knows no position; later rooms cache here what they compute from the ruleset (`cached`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, Type
from dsl.program import ALL, Program
from interpreter.backends.native.targets import TARGETS
from interpreter.choices import plan
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from interpreter.rules.names import Names
from interpreter.rules.site_texts import Answers
from interpreter.rules.texts import Texts

if TYPE_CHECKING:
    from interpreter.backends.native.games import NativeGames
    from interpreter.backends.native.making import Making
    from interpreter.backends.native.runner import NativeRunner

NATIVE, REFERENCE = "native", "reference"
BACKENDS = (NATIVE, *TARGETS, REFERENCE)
"""Back ends: the best low code that can be had, made behind the game; low code of this sort, made at once; the
reference, which defines the meaning. All give the same words."""

T = TypeVar("T")


def native_runner(machine: Machine, backend: str) -> NativeRunner:
    from interpreter.backends.native.runner import NativeRunner  # the reference does without it

    return NativeRunner(machine, backend)


class Rules:
    """A program with its machine, names and texts. `machine`: the reference, which says what a value is and why; it is
    one machine, so nothing may be asked of it while it runs. `runner`: what runs games, the same machine or native code
    (`backend`), with the same words."""

    def __init__(self, program: Program, backend: str = NATIVE) -> None:
        self.program, self.backend = program, backend
        self.names = Names(program)
        self.texts = Texts(self.names)
        self.machine = Machine(program)
        self.runner: Machine | NativeRunner = (
            self.machine if backend == REFERENCE else native_runner(self.machine, backend)
        )
        self.answers = [Answers(program, self.names, self.texts, site) for site in program.sites]
        self.layout = sorted(program.layout, key=lambda e: e.base)
        self.has_secrets = any(e.audience != ALL for e in program.layout)
        self.things = {id_: i for i, id_ in enumerate(program.thing_ids) if i}
        self.owner_fns = {e.symbol: e.owner_fn for e in program.layout}
        rooms = [p.temps for p in program.procs] + [f.temps for f in program.functions]
        rooms += [s.temps for s in program.sites] + [program.needs.temps]
        self.temps = max(rooms)  # enough for any expression of the program
        self._cache: dict[Callable[[Rules], Any], Any] = {}

    @property
    def making(self) -> Making | None:
        """The making of the native module of these rules; None where the reference plays, or a machine that
        observes."""
        return None if isinstance(self.runner, Machine) else self.runner.making

    @cached_property
    def native(self) -> NativeGames | None:
        """The native player of whole random games of these rules; None where the reference plays."""
        if self.making is None:
            return None
        from interpreter.backends.native.games import NativeGames  # it takes long to load, and few ask for it

        return NativeGames(self.machine, making=self.making)

    def played_by(self, machine: Machine) -> Self:
        """The same rules, played by this machine, which observes what it does."""
        other = copy(self)
        other.machine = other.runner = machine
        return other

    def cached(self, make: Callable[[Rules], T]) -> T:
        """The result of `make` for these rules, computed at the first call."""
        if make not in self._cache:
            self._cache[make] = make(self)
        found: T = self._cache[make]
        return found

    @cached_property
    def shapes(self) -> dict[str, dict[str, ir.LayoutEntry]]:
        """The fields and zones that the things of each kind have, by name, those of its unions among them."""
        domains = self.program.domains
        found: dict[str, dict[str, ir.LayoutEntry]] = {}
        for entry in self.layout:
            owner, _, name = entry.symbol.rpartition(".")
            if entry.dims and owner in domains:
                for kind in {self.program.thing_kinds[v] for v in domains[owner].values}:
                    found.setdefault(kind, {})[name] = entry
        return found

    @cached_property
    def backs(self) -> dict[int, tuple[tuple[str, Any, Type], ...]]:
        """The constants on the back of each thing: their names, with values and types."""
        found: dict[int, list[tuple[str, Any, Type]]] = {}
        for symbol in sorted(self.program.backs):
            kind, _, name = symbol.rpartition(".")
            table, type_ = self.program.consts[symbol]
            things = self.program.domains[kind].values
            for thing, value in zip(things, self.program.tables[table], strict=True):
                found.setdefault(thing, []).append((name, value, type_))
        return {thing: tuple(rows) for thing, rows in found.items()}

    @cached_property
    def default_addresses(self) -> frozenset[str]:
        """The addresses of questions that are answered by default, unless somebody asks to choose."""
        return frozenset(site.address for site in self.program.sites if site.by_default)

    @cached_property
    def payment_addresses(self) -> dict[str, bool]:
        """The addresses of questions about how to pay (false) or how to gain (true)."""
        return {site.address: site.payment.gain for site in self.program.sites if site.payment is not None}

    @cached_property
    def chance_domains(self) -> dict[str, str]:
        """The kind or enum that each chance event draws from, by its address."""
        events = (i for i in self.program.code if isinstance(i, ir.Chance))
        return {i.address: i.type.domain for i in events if isinstance(i.type, MemberType)}

    def read(self, words: Words, expr: ir.Expr) -> int:
        """The value in this store of an expression that is a number and has no bound names."""
        if type(expr) is ir.FrameVar and type(expr.type) is MemberType:
            return words[words[hdr.FP] + hdr.FRAME_LINK + expr.slot]
        self.machine.words = words
        value: int = self.machine.value(expr, [0] * self.temps)
        return value

    def evaluate(
        self,
        words: Words,
        expr: ir.Expr,
        temps: Mapping[int, Any] | None = None,
        size: int = 0,
        machine: Machine | None = None,
    ) -> Any:
        """The value of an expression in this store; `temps` are the values of bound names."""
        return (machine or self.machine).evaluate(words, expr, self._fill_temps(temps, size))

    def _fill_temps(self, temps: Mapping[int, Any] | None, size: int) -> list[Any]:
        room = [0] * max(size, max(temps or {}, default=-1) + 1, self.temps)
        for slot, value in (temps or {}).items():
            room[slot] = value
        return room

    def store_with_order(self, words: Words, order: ir.Possible, temps: Mapping[int, Any], size: int) -> Words:
        """A copy of this store with what an order changes while its action runs."""
        return plan.scoped_copy(self.machine, words, order, self._fill_temps(temps, size))
