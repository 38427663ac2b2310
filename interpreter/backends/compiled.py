"""A machine whose rules are compiled.

`CompiledMachine` is the reference machine, except that what runs often is written as Python source, compiled once and
called from then on: expressions, blocks of instructions, bodies of procedures and the options of questions. What is
rare, and what the writers can not say, is done by the reference. Words and options never depend on what has been
compiled; a test runs both in lock step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.program import PC, STEPS, Program
from dsl.types import Type
from interpreter import evaluate
from interpreter.backends.blocks import Block, meetings
from interpreter.backends.expressions import Writer, is_choice, natural
from interpreter.backends.helpers import Table, helpers, loader, saver
from interpreter.backends.listing import Lister
from interpreter.backends.statements import Body
from interpreter.binding import Option, levels, rebind
from interpreter.instructions import STOPPED
from interpreter.machine import Machine
from interpreter.sequence import row_parts
from interpreter.store import Temps

OFTEN = 12  # uses after which something is compiled
WORTH = (
    ir.Fold, ir.CallFn, ir.And, ir.Or, ir.If, ir.Compare, ir.Not, ir.Arith, ir.InSet, ir.Reach, ir.Let, ir.MapItem,
    ir.CellSum, ir.Size, ir.TableGet, ir.Cell, ir.ListOp,
)  # fmt: skip

Compiled = Callable[[list[int], Temps], Any]


class CompiledMachine(Machine):
    """`often`: uses after which something is compiled."""

    def __init__(self, program: Program, often: int = OFTEN) -> None:
        super().__init__(program)
        self.often = often
        self.uses: dict[Any, int] = {}
        self.made: dict[Any, Any] = {}  # what has been compiled; None: the reference does it
        self.kept: list[Any] = []  # nodes whose ids are in use
        self.scope = helpers(self)
        self.known: dict[int, str] = {}  # names of constants, by the id of the object
        self.meet = meetings(program.code)
        self.blocks: dict[bool, list[Compiled | None]] = {
            checked: [None] * len(program.code) for checked in (False, True)
        }
        for node in WORTH:
            self.ev[node] = self.reader(self.ev[node])

    # ------------------------------------------------------------ when to compile

    def ready(self, key: Any, write: Callable[[str], str], often: int | None = None) -> Any:
        """What was compiled under a key; compiles it once it has been asked for often enough, None until then."""
        found = self.made.get(key)
        if found is None and key not in self.made:
            n = self.uses.get(key, 0)
            if n < self.often:
                self.uses[key] = n + 1
                return None
            found = self.made[key] = self.build(write)
        return found

    def build(self, write: Callable[[str], str]) -> Any:
        """Compile the text of a function; None where the text can not be made."""
        name = f"g{len(self.scope)}"
        try:
            exec(compile(write(name), "<compiled rules>", "exec"), self.scope)  # noqa: S102 - numbers and our own names
        except (SyntaxError, MemoryError, RecursionError):  # nested too deeply for Python
            return None
        return self.scope[name]

    # ------------------------------------------------------------ names in generated text

    def constant(self, value: Any) -> str:
        name = self.known.get(id(value))
        if name is None:
            name = self.known[id(value)] = f"K{len(self.known)}"
            self.kept.append(value)
            self.scope[name] = value
        return name

    def table(self, number: int) -> str:
        name = f"TABLE{number}"
        if name not in self.scope:
            self.scope[name] = Table(self, self.program.tables[number])
        return name

    def loader(self, t: Type) -> str:
        name = f"load_{self.constant(t)}"
        if name not in self.scope:
            self.scope[name] = loader(t)
        return name

    def saver(self, t: Type) -> str:
        name = f"save_{self.constant(t)}"
        if name not in self.scope:
            self.scope[name] = saver(t)
        return name

    def function(self, number: int) -> str:
        """The name of a compiled function of the program; compiles it when it is met for the first time."""
        name = f"f{number}"
        if name not in self.scope:
            self.scope[name] = lambda S, *args: evaluate.call(self, number, list(args))  # noqa: N803
            self.write_function(name, number, lambda writer, body: writer(body))
        return name

    def lister(self, number: int) -> str | None:
        return self.shaped(f"f{number}_members", number, lambda writer, body: writer.in_order(body) or "")

    def finder(self, number: int) -> str | None:
        return self.shaped(f"f{number}_any", number, lambda writer, body: writer.has_members(body) or "")

    def shaped(self, name: str, number: int, write: Callable[[Writer, ir.Expr], str]) -> str | None:
        """Another form of a function whose body is a choice of members."""
        if not is_choice(self.program.functions[number].body):
            return None
        if name not in self.scope:
            self.write_function(name, number, write)
        return name if name in self.scope else None

    def write_function(self, name: str, number: int, write: Callable[[Writer, ir.Expr], str]) -> None:
        fn = self.program.functions[number]
        params = {i: f"p{i}" for i in range(len(fn.params))}

        def text(_: str) -> str:
            writer = Writer(self, params, {i for i, (_, t) in enumerate(fn.params) if natural(t)})
            writer.room = False
            return f"def {name}({', '.join(['S', *params.values()])}): return {write(writer, fn.body)}"

        self.build_named(name, text)

    def body(self, body: Sequence[ir.Stmt]) -> str:
        """The name of a function of the store and the temps that carries out statements."""
        checked = self.checked
        name = f"r{self.constant(body)}{'c' if checked else ''}"
        if name not in self.scope:

            def write(_: str) -> str:
                return Body(self, self.program.limits.steps, checked).function(name, 0, body)

            self.build_named(name, write)
        return name

    def build_named(self, name: str, write: Callable[[str], str]) -> None:
        try:
            exec(compile(write(name), "<compiled rules>", "exec"), self.scope)  # noqa: S102 - numbers and our own names
        except (SyntaxError, MemoryError, RecursionError):
            return

    # ------------------------------------------------------------ expressions

    def reader(self, walk: Callable[[Machine, Any, Temps], Any]) -> Callable[[Machine, Any, Temps], Any]:
        """Calls the compiled expression; counts readings until there is one."""
        made, uses, often = self.made, self.uses, self.often

        def read(m: Machine, e: Any, t: Temps) -> Any:
            key = id(e)
            found = made.get(key)
            if found is not None:
                return found(m.words, t)
            n = uses.get(key, 0)
            if n < often:
                uses[key] = n + 1
                if n == 0:
                    self.kept.append(e)
            elif key not in made:
                found = made[key] = self.build(lambda name: f"def {name}(S, T): return {Writer(self)(e)}")
                if found is not None:
                    return found(m.words, t)
            return walk(m, e, t)

        return read

    # ------------------------------------------------------------ running

    def loop(self, pc: int) -> None:
        t: Temps = [0] * self.temps
        words, blocks, limit = self.words, self.blocks[self.checked], self.program.limits.steps
        while pc != STOPPED:
            if words[STEPS] >= limit:
                raise self.endless()
            block = blocks[pc]
            pc = block(words, t) if block is not None else self.walk(pc, t)

    def walk(self, pc: int, t: Temps) -> int:
        """One instruction by the reference; later its block."""
        words, i, checked = self.words, self.program.code[pc], self.checked
        block = self.ready((pc, checked), lambda name: Block(self, self.program, self.meet, checked).source(name, pc))
        if block is not None:
            self.blocks[checked][pc] = block
            return block(words, t)  # type: ignore[no-any-return]
        words[PC] = pc
        words[STEPS] += 1
        return self.ins[type(i)](self, i, pc, t)

    def run_plain(self, number: int, args: Temps) -> None:
        proc, checked = self.program.procs[number], self.checked

        def write(name: str) -> str:
            return Body(self, self.program.limits.steps, checked).function(name, len(proc.params), proc.body)

        body = self.ready(("body", number, checked), write)
        if body is None:
            super().run_plain(number, args)
            return
        args.extend([0] * (proc.temps - len(args)))
        body(self.words, args)

    # ------------------------------------------------------------ options

    def singles(self, site: ir.Site, t: Temps) -> list[Option]:
        def write(name: str) -> str:
            kind = "number" if site.shape == "number" else "pick"
            return Lister(self).options(name, kind, [levels(self, a) for a in site.alternatives])

        listed = self.ready(("site", id(site)), write)
        return super().singles(site, t) if listed is None else listed(self.words, t)

    def holds(self, invariant: ir.Invariant) -> bool:
        return bool(self.scope[self.function(invariant.fn)](self.words))

    def rows(self, site: ir.Site, t: Temps) -> Iterable[tuple[Any, ...]]:
        def write(name: str) -> str:
            return Lister(self).rows(name, levels(self, site.alternatives[0]), row_parts(site))

        listed = self.ready(("rows", id(site)), write)
        return super().rows(site, t) if listed is None else listed(self.words, t)

    def bound(self, alternative: ir.Alternative, t: Temps) -> Iterable[tuple[int, ...]]:
        listed = self.ready(("bound", id(alternative)), lambda n: Lister(self).values(n, levels(self, alternative)))
        return super().bound(alternative, t) if listed is None else _rebinding(alternative, listed(self.words, t), t)


def _rebinding(alternative: ir.Alternative, rows: list[tuple[int, ...]], t: Temps) -> Iterator[tuple[int, ...]]:
    for values in rows:
        rebind(alternative, values, t)
        yield values
