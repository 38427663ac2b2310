"""The statements of a function of the low form in Python.

Blocks and loops are `while True`, left by `break` and begun again by `continue`. Where these have to go through others
around them, `j` says where to: 0 nowhere, else the number of a jump. Tables are searched in halves.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.verify import falls_through
from interpreter.backends.low.form.walk import operands, variables
from interpreter.backends.printed.expressions import Expressions, PythonNames
from interpreter.backends.printed.facts import ModuleFacts, statements
from interpreter.backends.printed.ranges import WORD, inside
from interpreter.backends.printed.unset import read_unset

MOST_LOOPS = 20  # inside each other, as Python has it
FEW = 3  # parts of a table that are tried one after another


class Open:
    """A block or loop that is open. `number`: of its jumps; `passing`: jumps that end statements inside it."""

    def __init__(self, label: str, number: int) -> None:
        self.label, self.number = label, number
        self.passing: set[int] = set()


class PrintedBody:
    """Writes one function."""

    def __init__(self, f: low.Function, facts: ModuleFacts, names_of: PythonNames) -> None:
        functions, global_names = names_of.functions, names_of.globals
        own = variables(f)
        names = {name: f"v{n}" for n, name in enumerate((*f.params, *own))}
        self.write = Expressions(facts, facts.functions[f.name].of_local, names_of, names)
        self.globals, self.locals = global_names, names
        inner = statements(f.body)
        self.left = {s.label for s in inner if isinstance(s, (low.Leave, low.Again))}
        self.lines: list[str] = []
        self.depth, self.jumps, self.tables = 1, 0, 0
        self.open: list[Open] = []
        changed = sorted({global_names[s.name] for s in inner if isinstance(s, low.SetGlobal)})
        unset = read_unset(f)
        first = [names[name] for name in own if name in unset]
        self.head = [f"def {functions[f.name]}({', '.join(names[p] for p in f.params)}):"]
        self.head += [f" global {', '.join(changed)}"] if changed else []
        self.body(f.body)
        if self.far:
            first.append("j")
        self.head += [f" {' = '.join(first)} = 0"] if first else []

    far = False  # whether jumps go through others

    def text(self) -> str:
        return "\n".join((*self.head, *self.lines))

    def line(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    # ------------------------------------------------------------ statements

    def body(self, body: low.Body) -> None:
        """The statements; `pass` where there is none."""
        if not body:
            self.line("pass")
        for s in body:
            self.statement(s)

    def inside(self, head: str, body: low.Body) -> None:
        self.line(head)
        self.depth += 1
        self.body(body)
        self.depth -= 1

    def statement(self, s: low.Stmt) -> None:
        match s:
            case low.Set(name, value):
                self.line(f"{self.locals[name]} = {self.write.value(value)}")
            case low.SetGlobal(name, value):
                self.line(f"{self.globals[name]} = {self.write.value(value)}")
            case low.Store(address, offset, value):
                self.line(f"M[{self.place(address, offset, value)}] = {self.word(value)}")
            case low.StoreLong(address, offset, value):
                at = self.place(address, offset, value)
                self.line(f"x = {self.write.value(value)}")
                self.line(f"y = {at}")
                self.line("M[y + 1] = word(x >> 32)")  # first, so that nothing is written where there is no room
                self.line("M[y] = word(x)")
            case low.Copy(target, source, count):
                self.line(f"copy({', '.join(map(self.write.value, (target, source, count)))})")
            case low.Clear(target, count):
                self.line(f"clear({', '.join(map(self.write.value, (target, count)))})")
            case low.If(test, then, orelse):
                self.inside(f"if {self.write.test(test)}:", then)
                if orelse:
                    self.inside("else:", orelse)
            case low.Block(label, body) if label not in self.left:
                self.body(body)
            case low.Block(label, body) | low.Loop(label, body):
                self.labelled(label, body, isinstance(s, low.Block))
            case low.Leave(label):
                self.jump(label, again=False)
            case low.Again(label):
                self.jump(label, again=True)
            case low.Table(value, rows):
                self.table(value, rows)
            case low.Return(value):
                self.line(f"return {self.write.value(value)}")
            case low.Do(value):
                self.line(self.write.value(value))
            case low.Trap(reason):
                self.line(f"give_up({int(reason)})")

    def place(self, address: low.Expr, offset: int, value: low.Expr) -> str:
        """An address, worked out before the value where a call in either could change the other."""
        at = self.write.address(address, offset)
        if (calls(address) or calls(value)) and not isinstance(address, (low.Num, low.Local)):
            self.tables += 1
            self.line(f"k{self.tables} = {at}")
            return f"k{self.tables}"
        return at

    def word(self, value: low.Expr) -> str:
        """The lower 32 bits of a value."""
        text, found = self.write.loose(value)
        return text if inside(found, WORD) else f"t if {WORD[0]} <= (t := {text}) <= {WORD[1]} else word(t)"

    # ------------------------------------------------------------ jumps

    def labelled(self, label: str, body: low.Body, once: bool) -> None:
        self.jumps += 2
        here = Open(label, self.jumps)
        self.open.append(here)
        if len(self.open) > MOST_LOOPS:
            raise Unsupported("loops that are nested more deeply than in Python")
        match body:
            case (low.If(test, (low.Leave(out),), ()), *_) if out == label and not once:
                self.inside(f"while {self.write.test(low.Not(test))}:", body[1:])
            case _:
                self.inside("while True:", body)
        self.open.pop()
        if once and falls_through(body):
            self.line(" break")
        if here.passing:
            self.pass_on(here.passing)

    def jump(self, label: str, again: bool) -> None:
        depth = next(n for n in range(len(self.open)) if self.open[~n].label == label)
        if not depth:
            self.line("continue" if again else "break")
            return
        self.far = True
        number = self.open[~depth].number + again
        for passed in self.open[len(self.open) - depth :]:
            passed.passing.add(number)
        self.line(f"j = {number}")
        self.line("break")

    def pass_on(self, numbers: set[int]) -> None:
        """Write, behind a loop, how the jumps that ended it go on."""
        here = self.open[-1].number
        self.line("if j:")
        for number in sorted(numbers & {here, here + 1}):
            self.line(f" if j == {number}:")
            self.line("  j = 0")
            self.line("  break" if number == here else "  continue")
        if numbers - {here, here + 1}:
            self.line(" break")

    # ------------------------------------------------------------ tables

    def table(self, value: low.Expr, rows: Sequence[tuple[int, low.Body]]) -> None:
        """Write a table; rows that go on with the next one are one part of it."""
        self.tables += 1
        name = f"k{self.tables}"
        self.line(f"{name} = {self.write.value(value)}")
        parts: list[list[tuple[int, low.Body]]] = [[]]
        for number, row in rows:
            parts[-1].append((number, row))
            if not falls_through(row):
                parts.append([])
        self.parts(name, [part for part in parts if part])

    def parts(self, name: str, parts: list[list[tuple[int, low.Body]]]) -> None:
        if len(parts) <= FEW:
            word = "if"
            for part in parts:
                self.line(f"{word} {name} {among([number for number, _ in part])}:")
                self.depth += 1
                for n, (number, row) in enumerate(part):
                    if n == len(part) - 1:
                        self.body(row)
                    elif row:
                        self.inside(f"if {name} <= {number}:", row)
                self.depth -= 1
                word = "elif"
            self.line("else:")
            self.line(f" give_up({int(low.Reason.LOST)})")
            return
        half = len(parts) // 2
        for head, some in (f"if {name} < {parts[half][0][0]}:", parts[:half]), ("else:", parts[half:]):
            self.line(head)
            self.depth += 1
            self.parts(name, some)
            self.depth -= 1


def among(numbers: list[int]) -> str:
    """The comparison with one of some numbers."""
    return f"== {numbers[0]}" if len(numbers) == 1 else f"in {{{', '.join(map(str, numbers))}}}"


def calls(e: low.Expr) -> bool:
    """True if a function is called in it."""
    return isinstance(e, low.Call) or any(map(calls, operands(e)))
