"""The statements and expressions of a function in C."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.walk import operands, variables

SIGNED = {"==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
WRAPPING = {"+": "+", "-": "-", "*": "*", "&": "&", "|": "|", "^": "^"}
CALLED = {"/": "cut_off", "/u": "divide", "%u": "rest"}
LEAST = -(1 << 63)


class CBody:
    """Writes one function; `functions` gives the names in C, `numbers` the numbers of globals."""

    def __init__(self, f: low.Function, functions: dict[str, str], numbers: dict[str, int]) -> None:
        self.functions, self.numbers = functions, numbers
        names = (*f.params, *variables(f))
        self.locals = {name: f"v{n}" for n, name in enumerate(names)}
        self.lines = [f"int64_t {', '.join(f'{self.locals[v]} = 0' for v in names[len(f.params) :])};"]
        if len(names) == len(f.params):
            self.lines.clear()
        self.labels: dict[str, str] = {}  # those that are open
        self.made = 0  # labels and temporary variables
        self.body(f.body)
        self.lines.append("give_up(m, 0);")

    def text(self) -> str:
        return "".join(f"    {line}\n" for line in self.lines)

    def new(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    # ------------------------------------------------------------ statements

    def body(self, body: low.Body) -> None:
        for s in body:
            self.statement(s)

    def statement(self, s: low.Stmt) -> None:
        match s:
            case low.Set(name, value):
                self.lines.append(f"{self.locals[name]} = {self.value(value)};")
            case low.SetGlobal(name, value):
                self.lines.append(f"{self.place(name)} = {self.value(value)};")
            case low.Store(address, offset, value):
                self.work("store", (address, value), offset)
            case low.StoreLong(address, offset, value):
                self.work("store_long", (address, value), offset)
            case low.Copy(target, source, count):
                self.work("copy", (target, source, count))
            case low.Clear(target, count):
                self.work("clear", (target, count))
            case low.If(test, then, orelse):
                self.lines.append(f"if ({self.value(test)}) {{")
                self.body(then)
                if orelse:
                    self.lines.append("} else {")
                    self.body(orelse)
                self.lines.append("}")
            case low.Block(label, body):
                self.labelled(label, body)
            case low.Loop(label, body):
                self.labelled(label, body, "for (;;) {", "}")
            case low.Leave(label):
                self.lines.append(f"goto {self.labels[label]};")
            case low.Again(label):
                self.lines.append(f"goto {self.labels[label]}_again;")
            case low.Table(value, rows):
                self.lines += [f"switch ({self.value(value)}) {{", f"default: give_up(m, {int(low.Reason.LOST)});"]
                for number, row in rows:
                    self.lines.append(f"case {number}: ;")
                    self.body(row)
                self.lines.append("}")
            case low.Return(value):
                self.lines.append(f"return {self.value(value)};")
            case low.Do(value):
                self.lines.append(f"(void){self.value(value)};")
            case low.Trap(reason):
                self.lines.append(f"give_up(m, {int(reason)});")

    def labelled(self, label: str, body: low.Body, begin: str = "{", end: str = "}") -> None:
        """A body with its label behind it, and the one for another pass at its end."""
        self.labels[label] = mark = self.new("l")
        self.lines.append(begin)
        self.body(body)
        self.lines += [f"{mark}_again: ;", end, f"{mark}: ;"]
        del self.labels[label]

    def work(self, name: str, values: Sequence[low.Expr], offset: int | None = None) -> None:
        """A statement of the runtime; `offset` stands behind its first operand."""
        before, texts = self.in_order(values)
        if offset is not None:
            texts.insert(1, str(offset))
        self.lines.append(f"{{ {before}{name}(m, {', '.join(texts)}); }}")

    # ------------------------------------------------------------ expressions

    def place(self, name: str) -> str:
        return f"m->g[{self.numbers[name]}]"

    def value(self, e: low.Expr) -> str:
        """The text of an expression; its type is `int64_t`."""
        match e:
            case low.Num(value):
                return f"INT64_C({value})" if value != LEAST else "INT64_MIN"
            case low.Local(name):
                return self.locals[name]
            case low.Global(name):
                return self.place(name)
            case low.Op(op, left, right):
                return self.applied((left, right), lambda texts: operation(op, *texts))
            case low.Not(operand):
                return f"(int64_t)!{self.value(operand)}"
            case low.Both(left, right):
                return f"(int64_t)({self.value(left)} && {self.value(right)})"
            case low.Either(left, right):
                return f"(int64_t)({self.value(left)} || {self.value(right)})"
            case low.Choice(test, then, orelse):
                return f"({self.value(test)} ? {self.value(then)} : {self.value(orelse)})"
            case low.Lowest(operand):
                return f"lowest((uint64_t){self.value(operand)})"
            case low.Ones(operand):
                return f"(int64_t)__builtin_popcountll((uint64_t){self.value(operand)})"
            case low.Load(address, offset):
                return f"load(m, {self.value(address)}, {offset})"
            case low.LoadLong(address, offset):
                return f"load_long(m, {self.value(address)}, {offset})"
            case low.Call(function, args):
                return self.applied(args, lambda texts: f"{self.functions[function]}({', '.join(('m', *texts))})")
            case low.Portion(fraction, count):
                return self.applied((fraction, count), lambda texts: f"portion({', '.join(texts)})")
        raise AssertionError(f"no node of the low form: {e}")

    def applied(self, values: Sequence[low.Expr], make: Callable[[list[str]], str]) -> str:
        """The text that `make` gives for operands, behind what has to be worked out before."""
        before, texts = self.in_order(values)
        return f"({{ {before}{make(texts)}; }})" if before else make(texts)

    def in_order(self, values: Sequence[low.Expr]) -> tuple[str, list[str]]:
        """(statements that come before, texts) of operands, so that they are worked out from left to right."""
        if not any(map(calls, values)) or sum(not is_fixed(e) for e in values) < 2:
            return "", [self.value(e) for e in values]
        before, texts = "", []
        for e in values:
            text = self.value(e)
            if not is_fixed(e):
                name = self.new("t")
                before += f"int64_t {name} = {text}; "
                text = name
            texts.append(text)
        return before, texts


def calls(e: low.Expr) -> bool:
    """True if a function is called in it."""
    return isinstance(e, low.Call) or any(map(calls, operands(e)))


def is_fixed(e: low.Expr) -> bool:
    """True if no call can change it: numbers, and local variables, which only their function sets."""
    return isinstance(e, (low.Num, low.Local))


def operation(op: str, a: str, b: str) -> str:
    if op in WRAPPING:
        return f"(int64_t)((uint64_t){a} {op} (uint64_t){b})"
    if op in SIGNED:
        return f"(int64_t)({a} {op} {b})"
    if op in CALLED:
        return f"{CALLED[op]}(m, {a}, {b})"
    if op == "<<":
        return f"(int64_t)((uint64_t){a} << ({b} & 63))"
    if op == ">>":
        return f"({a} >> ({b} & 63))"
    if op == ">>u":
        return f"(int64_t)((uint64_t){a} >> ({b} & 63))"
    assert op == ">u", f"no operator of the low form: {op}"
    return f"(int64_t)((uint64_t){a} > (uint64_t){b})"
