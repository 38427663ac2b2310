"""Instructions as Python: one function for all that follows an instruction until the machine must look anew.

A block goes through runs, jumps and branches; it ends at a question, at chance, at a call or the end of one, and where
several ways meet. The function takes the store and the temps, counts the steps, and gives the instruction that follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dsl import ir
from dsl import program as hdr
from dsl.program import Program
from interpreter.backends.expressions import Names
from interpreter.backends.statements import Body, ends_early
from interpreter.store import SCALARS

LONGEST = 60  # instructions of one block
SHORT = (ir.EndList, ir.Drain, ir.Leave, ir.Jump, ir.Give)  # written out again wherever they are met


def meetings(code: Sequence[ir.Instr]) -> frozenset[int]:
    """The instructions to which several ways lead."""
    ways: Counter[int] = Counter()
    for pc, i in enumerate(code):
        match i:
            case ir.Jump(target):
                ways[target] += 1
            case ir.Branch(_, target):
                ways.update((pc + 1, target))
            case ir.Run():
                ways[pc + 1] += 1
    return frozenset(pc for pc, n in ways.items() if n > 1)


class Block(Body):
    def __init__(self, unit: Names, program: Program, meet: frozenset[int], checked: bool) -> None:
        super().__init__(unit, program.limits.steps, checked)
        self.program = program
        self.meet = meet
        self.left = LONGEST

    def source(self, name: str, start: int) -> str:
        self.line(f"B = S[{hdr.FP}] + {hdr.FRAME_LINK}")
        self.frame = "B"
        self.go(start, 0, frozenset())
        return "\n".join([f"def {name}(S, T):", *self.line.text])

    def go(self, pc: int, steps: int, path: frozenset[int]) -> None:
        """All that follows from here; always ends with a `return`. `steps` are those not yet counted."""
        code = self.program.code
        while True:
            i = code[pc]
            stop = pc in self.meet and not isinstance(i, SHORT)
            if path and (stop or pc in path or self.left <= 0):
                self.end(str(pc), steps)
                return
            self.left -= 1
            path |= {pc}
            match i:
                case ir.Run(body):
                    self.count(steps + 1)
                    steps = 0
                    self.run(body)
                    pc += 1
                case ir.Jump(target):
                    steps += 1
                    pc = target
                case ir.Branch(test, target):
                    steps += 1
                    self.line(f"if {self.test(test)}:")
                    self.line.depth += 1
                    self.go(pc + 1, steps, path)
                    self.line.depth -= 1
                    pc = target
                case ir.Give(value, target):
                    steps += 1
                    if value is not None:
                        self.line(f"S[{hdr.RV}] = {self(value)}")
                    self.line(f"if S[{hdr.TOGETHER}] and S[{hdr.TOGETHER_FRAME}] == S[{hdr.FP}]:")
                    self.line(f"    S[{hdr.TOGETHER}] = S[{hdr.TOGETHER_FRAME}] = 0")
                    pc = target
                case ir.EndList():
                    self.line(f"if S[{hdr.DEFERRED}] or S[{hdr.TIMED}]:")
                    self.machine_does(i, pc, steps, "    ")
                    self.line(f"if S[S[{hdr.FP}] + 2] >= 0: S[S[{hdr.FP}] + 2] = ~S[S[{hdr.FP}] + 2]")
                    steps += 1
                    pc += 1
                case ir.Drain():
                    self.line(f"if S[{hdr.DEFERRED}] and not S[{hdr.TOGETHER}]:")
                    self.machine_does(i, pc, steps, "    ")
                    steps += 1
                    pc += 1
                case ir.Leave():
                    self.leave_frame(steps + 1)
                    return
                case ir.CallI(proc, args) if not self.program.procs[proc].suspends:
                    self.count(steps + 1)
                    steps = 0
                    self.line(f"call({proc}, [{', '.join(self(a) for a in args)}])")
                    pc += 1
                case ir.CallI():
                    self.call(i, pc, steps + 1)
                    return
                case _:
                    self.machine_does(i, pc, steps, "")
                    return

    def run(self, body: Sequence[ir.Stmt]) -> None:
        if ends_early(body):
            self.line(f"{self.unit.body(body)}(S, T)")
            return
        self.variables(body)
        self.body(body)
        self.names, self.natural = {}, set()

    # ------------------------------------------------------------ ends

    def count(self, steps: int) -> None:
        if steps:
            self.line(f"S[{hdr.STEPS}] += {steps}")

    def end(self, target: str, steps: int) -> None:
        self.count(steps)
        self.line(f"return {target}")

    def machine_does(self, i: ir.Instr, pc: int, steps: int, indent: str) -> None:
        self.line(f"{indent}S[{hdr.STEPS}] += {steps + 1}")
        self.line(f"{indent}S[{hdr.PC}] = {pc}")
        self.line(f"{indent}return do_{type(i).__name__}({self.unit.constant(i)}, {pc}, T)")

    def leave_frame(self, steps: int) -> None:
        self.line(f"b = S[{hdr.FP}]")
        self.line("r = S[b]")
        self.line(f"S[{hdr.FP}] = S[b + 1]")
        self.line("del S[b:]")
        self.count(steps)
        self.line(f"if S[{hdr.PLAN}] and S[{hdr.PLAN_FRAME}] == b: end_plan()")
        self.line("return r")

    def call(self, i: ir.CallI, pc: int, steps: int) -> None:
        """Push a frame; as long as the stack is low, its limits can not be passed."""
        program, limits = self.program, self.program.limits
        proc = program.procs[i.proc]
        args = [self(a) for a in i.args]
        self.count(steps)
        if len(proc.params) != len(args) or not all(type(t) in SCALARS for _, t in proc.params):
            self.line(f"return push({i.proc}, [{', '.join(args)}], {pc + 1})")
            return
        size = hdr.FRAME_LINK + proc.frame_words
        safe = program.state_words + min(limits.stack - size, hdr.FRAME_LINK * (limits.frames - 1))
        rest = ["0"] * (proc.frame_words - len(args))
        self.line("b = len(S)")
        self.line(f"if b > {safe}: return push({i.proc}, [{', '.join(args)}], {pc + 1})")
        self.line(f"S.extend(({', '.join([str(pc + 1), f'S[{hdr.FP}]', str(i.proc), *args, *rest])}))")
        self.line(f"S[{hdr.FP}] = b")
        self.line(f"return {proc.entry}")
