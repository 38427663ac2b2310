"""Transfers of counted pieces in a function that is being written.

The plain case, in which all pieces are there and fit, stands in the text; the rest is left to `execute.transfer`.
"""

from __future__ import annotations

from dsl import ir
from interpreter.backends.python.emit.expressions import Scope
from interpreter.backends.python.emit.function import ANY, Range


class Pieces(Scope):
    def do_Transfer(self, s: ir.Transfer) -> None:
        amount, n = self.span(s.amount), self.hold(self(s.amount), "n")
        a, code_a = self.end(s.source)
        b, code_b = self.end(s.target)
        call = f"pieces({self.unit.object(s)}, {n}, {a}, {code_a}, {b}, {code_b})"
        fits = self.fitting(s, amount, n, (a, code_a), (b, code_b))
        if fits is None:
            self.line(call if s.moved is None else f"t{s.moved} = {call}")
        else:
            rare, changes = fits
            if not rare and changes and self.same_word(s.amount, s.source.address):
                self.line(f"if {n}:")  # as many as there are, and that may be none
                changes = [f" {change}" for change in changes]
            moved = "" if s.moved is None else f"t{s.moved} = "
            if rare:
                self.line(f"if {' or '.join(rare)}: {moved}{call}")
                self.line("else:")
                self.line.depth += 1
            for change in changes:
                self.line(change)
            if s.moved is not None:
                self.line(f"t{s.moved} = {n}")
            if not changes and s.moved is None:
                self.line("pass")
            self.line.depth -= 1 if rare else 0
        if s.moved is not None:
            self.names.temps[s.moved], self.names.ranges[s.moved] = f"t{s.moved}", (0, ANY[1])
            self.names.known.pop(s.moved, None)

    def same_word(self, e: ir.Expr | None, address: ir.Expr | None) -> bool:
        """Whether a value is what stands at an address."""
        return isinstance(e, ir.Cell) and e.address == address

    def surely(self, pool: ir.Pool) -> bool:
        """Whether a piece is in a pool."""
        return False

    def end(self, pool: ir.Pool) -> tuple[str, str]:
        """Address and code of one end of a transfer."""
        if pool.kind == "endless" or pool.address is None:
            return "0", "0"
        code = "0" if pool.kind == "count" else "1" if pool.code is None else self.hold(self(pool.code), "c")
        return self.hold(self.address(pool.address), "a"), code

    def fitting(
        self, s: ir.Transfer, amount: Range, n: str, source: tuple[str, str], target: tuple[str, str]
    ) -> tuple[list[str], list[str]] | None:
        """When the transfer is a rare case, and what it changes otherwise; None: always ask the reference."""
        (a, code_a), (b, code_b) = source, target
        kinds = (s.source.kind, s.target.kind)
        if "slot" in kinds and n != "1":
            return None
        whole = self.same_word(s.amount, s.source.address)  # as many as there are
        rare = [f"{n} < 0"] if amount[0] < 0 and not whole else []
        changes = []
        if s.source.kind == "count":
            if not whole:
                if n != "1" or not self.surely(s.source):
                    rare.append(f"S[{a}] < {n}")
            changes.append(f"S[{a}] = 0" if whole else f"S[{a}] -= {n}")
        elif s.source.kind == "slot":
            if not (isinstance(s.source.code, ir.Linear) and self.same_word(single(s.source.code), s.source.address)):
                rare.append(f"S[{a}] != {code_a}")
            changes.append(f"S[{a}] = 0")
        if kinds == ("count", "count") and s.source.symbol == s.target.symbol and not (a.isdigit() and b.isdigit()):
            rare.append(f"{a} == {b}")
        if a == b and "endless" not in kinds:
            return None
        if s.target.kind == "count":
            if s.limit is not None:
                rare.append(f"{n} > {s.limit} - S[{b}]")
            changes.append(f"S[{b}] += {n}")
        elif s.target.kind == "slot":
            rare.append(f"S[{b}]")
            changes.append(f"S[{b}] = {code_b}")
        return rare, changes


def single(e: ir.Linear) -> ir.Expr | None:
    """The only term of a sum."""
    return e.terms[0][0] if e.const == 0 and len(e.terms) == 1 and e.terms[0][1] == 1 else None
