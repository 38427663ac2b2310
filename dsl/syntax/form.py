"""Checks of a line's form against the table of words: its clauses, its operands and its block.

Takes one line at a time, while the tree is built, and collects diagnostics. Names and types are not checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.syntax.lexer import Token
from dsl.syntax.nodes import Amount, Bool, Clause, Decl, Expr, Line, Name, Row, Text
from dsl.syntax.vocabulary import (
    BLOCKS,
    CLAUSES,
    CONDITIONS,
    FOLDS,
    MUST,
    NEVER,
    REPEATABLE,
    RETIRED_VERBS,
    SENTENCES,
    STARTERS,
    TABLE,
    TITLED,
    TOP_LEVEL,
    Word,
)

REASON = "write it right behind `where ...` or `such that ...` of a question or action, or behind `require ...`"
MANY_OPERANDS = ("illegal", "legal", "perform", "holds with", "holds without", "case")


def old_spelling(span: Span, old: str, new: str, mend: bool = True) -> Diagnostic:
    """The message about what an earlier language wrote as `old`. To `mend` it, `new` can stand in this place."""
    help = f"write `{new}`; `rulewright fmt --upgrade` rewrites a whole ruleset"
    return Diagnostic(
        "RW0138", Severity.ERROR, span, f"`{old}` is said `{new}` today", help, fix=Fix(span, new) if mend else None
    )


def old_test(span: Span, word: str) -> Diagnostic:
    """The message about `S is {}` and `S is not {}` of the first language."""
    new = "no S" if word == "is" else "some S"
    return old_spelling(span, f"S {word} {{}}", new, mend=False)


class HasBlock(Protocol):
    """The part of a line after its head: `shape` is `block`, `inline` or empty."""

    @property
    def block(self) -> tuple[Line, ...]: ...
    @property
    def shape(self) -> str: ...
    @property
    def at(self) -> int: ...


def listed(words: Iterable[str]) -> str:
    """Words for a message: "`from`, `to` and `as`"; of more than eight only the first five."""
    quoted = [f"`{'with .. by' if word == 'with by' else word}`" for word in words]
    if len(quoted) > 8:
        return ", ".join(quoted[:5]) + f" and {len(quoted) - 5} more clauses"
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1] if quoted else "no clause"


def is_row(word: str) -> bool:
    """True for a word that takes no clause, and under which rows stand: what looks like its clause is such a row."""
    row = TABLE.get(word)
    return row is not None and row.kind == "typed" and not row.clauses and row.block != NEVER


def known_misfit(sentence: str, words: Sequence[str], in_fits: bool) -> tuple[str, str, str] | None:
    """Code, message and help where the second of these words does not fit behind the first, for known mistakes;
    `in_fits`: whether `in` would."""
    name, read, *more = words
    if read == "because":
        return "RW0137", "this is no condition of a question, so it has no `because`", REASON
    if read != "," or not in_fits:
        return None
    other = more[0] if more and more[0].isidentifier() else "y"
    help = f"each name has its own `in`: `{name} in SET, {other} in SET`"
    if sentence == "always for every":
        help = f"a check has one name: `{sentence} {name} in SET where any({other} in SET: CONDITION)`"
    return "RW0123", f"`{name}` needs `in` with a set before this comma", help


class Form:
    """Diagnostics of one declaration; `live` and `chained` hold the starts of binders with `in live` and of `if`s that
    belong to an `else if`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Diagnostic] = []
        self.live: set[int] = set()
        self.chained: set[int] = set()

    def report(self, code: str, span: Span, message: str, help: str | None = None, label: Label | None = None) -> None:
        self.found.append(Diagnostic(code, Severity.ERROR, span, message, help, (label,) if label else ()))

    def _span_of(self, token: Token) -> Span:
        return Span(self.file, token.start, token.end)

    # ---------------------------------------------------------------- a line

    def line(self, word: Token, operands: Sequence[Expr], clauses: Sequence[Clause], tail: HasBlock) -> None:
        row = TABLE[word.value]
        if row.word not in MANY_OPERANDS:
            self.one_operand(row.word, operands)
        reported = len(self.found)
        for operand in operands:
            if isinstance(operand, Amount):
                self._check_amount(row, operand)
        if len(self.found) > reported:
            return  # the clauses of a misread line are unreliable
        self.clauses(row.word, row.clauses, clauses)
        for group in row.needs:
            if not any(clause.word in group for clause in clauses):
                ways = " or ".join(f"`{w}`" for w in group)
                self.report(
                    "RW0120", self._span_of(word), f"`{row.word}` needs {ways}", f"add {ways} with what belongs to it"
                )
        self._check_block(row, word, tail)

    def one_operand(self, word: str, operands: Sequence[Expr]) -> None:
        if len(operands) > 1:
            self.report("RW0125", operands[1].span, f"`{word}` takes one operand, no list", "write one line for each")

    def _check_block(self, row: Word, word: Token, tail: HasBlock) -> None:
        if row.block == MUST and not tail.shape:
            self.report(
                "RW0115", self._span_of(word), f"`{row.word}` has nothing under it",
                "put its lines below, indented by four more spaces, or one sentence behind a `:`",
            )  # fmt: skip
        elif row.block == NEVER and tail.shape:
            first = tail.block[0].span if tail.block else Span(self.file, tail.at, tail.at)
            label = Label(self._span_of(word), f"`{row.word}` stands here")
            help = "indent this line like the one above" if tail.shape == "block" else "write it on a line of its own"
            start = Span(self.file, first.start, first.start + 1)
            self.report("RW0116", start, f"no block stands under `{row.word}`", help, label)
        elif row.word in SENTENCES:
            for line in tail.block:
                if isinstance(line, Row):
                    self._report_stray_row(line)

    def _report_stray_row(self, row: Row) -> None:
        key = row.key.id if isinstance(row.key, Name) else ""
        near = nearest(key, STARTERS) if key else None
        help = f"did you mean `{near}`?" if near else "a sentence begins with a verb and has no `:`"
        self.report("RW0126", row.key.span, "this is a row of data (`key: ...`); sentences stand here", help)

    def _check_amount(self, row: Word, amount: Amount) -> None:
        """Check what follows an operand without a clause word: a piece, a title, or a mistake."""
        run: list[Expr] = [amount.what]
        while isinstance(amount.count, Amount):
            amount = amount.count
            run.insert(0, amount.what)
        if "counts" in row.facts and len(run) == 1:
            return
        if isinstance(run[0], Text) and row.word in TITLED:
            run = run[1:]
        for number, part in enumerate(run):
            read = part.id if isinstance(part, Name) else ""
            near = nearest(read, row.clauses) if read.isalpha() else None  # an id such as `B3` is no misspelt `by`
            if near:
                return self._report_misspelt(row.word, row.clauses, part.span, read, near)
            if read in STARTERS and row.block != NEVER and number + 1 < len(run):
                message = f"a `:` is missing before `{read}`"
                return self._report_lost_colon(part, message, f"`{row.word} ...: {read} ...`")
        if not run or row.word in ("illegal", "legal"):
            return
        first = run[min("counts" in row.facts, len(run) - 1)]
        if row.terminal == "TYPED":
            return self._report_lost_colon(first, "a `:` is missing before this", f"`{row.word} name: type`")
        what = f"`{first.id}`" if isinstance(first, Name) else "this"
        self.report(
            "RW0125", first.span, f"{what} does not belong behind the operand of `{row.word}`", self._clauses_of(row)
        )

    def _report_lost_colon(self, before: Expr, message: str, help: str) -> None:
        at = before.span.start - 1  # a blank separates it from what stands before it
        fix = Fix(Span(self.file, at, at), ":")
        self.found.append(Diagnostic("RW0114", Severity.ERROR, before.span, message, help, fix=fix))

    def _clauses_of(self, row: Word) -> str:
        return f"`{row.word}` takes {listed(row.clauses)}"

    # ---------------------------------------------------------------- clauses

    def verb_of_today(self, word: Token) -> Token:
        """The token of a verb; of one that an earlier language had, that of the verb which says it today."""
        today = RETIRED_VERBS.get(word.value)
        if today is None:
            return word
        self.found.append(old_spelling(self._span_of(word), word.value, today))
        return Token(word.type, today, word.start, word.end, word.words)

    def without_old_result(self, word: Token, clauses: Sequence[Clause]) -> Sequence[Clause]:
        """The clauses without `giving x`, in which the first language named what a `do` gives."""
        given = next((c for c in clauses if c.word == "giving"), None) if word.value == "do" else None
        if given is None:
            return clauses
        name = given.args[0].id if isinstance(given.args[0], Name) else "x"
        self.found.append(old_spelling(given.span, f"do ... giving {name}", f"let {name} = do ...", mend=False))
        return [c for c in clauses if c is not given]

    def clauses(self, word: str, allowed: Sequence[str], clauses: Sequence[Clause]) -> None:
        seen: dict[str, Clause] = {}
        before = ""
        followed = (c.word == "because" and "because" in allowed for c in clauses[1:])
        reasoned = {n for n, has in enumerate(followed) if has and clauses[n].word in CONDITIONS}
        for number, clause in enumerate(clauses):
            kind = clause.word
            if kind == "because" and kind not in allowed:
                self._report_stray_reason(word, clause, allowed is FOLDS.get(word))
            elif kind not in allowed:
                near = nearest(kind, allowed)
                help = f"did you mean `{near}`?" if near else self._owner_of_clause(word, kind)
                span = Span(self.file, clause.span.start, clause.span.start + len(kind.removesuffix(" by")))
                fix = (
                    Fix(span, near) if near else Fix(Span(self.file, span.end, span.end), ":") if is_row(word) else None
                )
                message = f"`{word}` takes {listed(allowed)}; I read `{kind}`"
                self.found.append(Diagnostic("RW0119", Severity.ERROR, span, message, help, fix=fix))
            elif kind in seen and kind not in REPEATABLE and number not in reasoned:
                span = Span(self.file, clause.span.start, clause.span.start + len(kind))
                label = Label(seen[kind].span, "the first one")
                help = "join the two by `and`" if kind in ("where", "while", "such that") else "keep one of them"
                if kind in CONDITIONS and "because" in allowed:
                    help += ", or give each a `because` of its own"
                self.report("RW0118", span, f"a second `{kind}` in one sentence", help, label)
            elif kind == "because":
                self._check_because(word, clause, before, allowed)
            if number not in reasoned:  # a condition with a reason of its own may stand beside others
                seen[kind] = clause
            before = kind
            if kind in CONDITIONS:
                seen.pop("because", None)
            if "or decline" in allowed:
                self._check_decline(clause)

    def _check_because(self, word: str, clause: Clause, before: str, allowed: Sequence[str]) -> None:
        """Report a reason without its condition, and one that is no text."""
        conditions = [c for c in CONDITIONS if c in allowed]
        if conditions and before not in conditions:
            help = f"write it right behind {' or '.join(f'`{c} ...`' for c in conditions)}"
            self.report("RW0137", clause.span, f"`because` of `{word}` tells why a condition does not hold", help)
        elif not isinstance(clause.args[0], Text):
            self.report("RW0137", clause.args[0].span, "`because` takes a text in quotes", '`because "..."`')

    def _report_stray_reason(self, word: str, clause: Clause, in_fold: bool) -> None:
        span = Span(self.file, clause.span.start, clause.span.start + len(clause.word))
        way = f"{REASON}; players are told which part of the set's own condition fails" if in_fold else REASON
        self.report("RW0137", span, f"`{word}` takes no `because`, which says why something is not offered", way)

    def _check_decline(self, clause: Clause) -> None:
        """Report `... or declin`, which is not a clause but a condition with an unknown name."""
        last = clause.args[-1] if clause.args else None
        name = last.items[-1] if isinstance(last, Bool) and last.op == "or" else None
        if isinstance(name, Name) and nearest(name.id, ("decline",)):
            self.report("RW0111", name.span, f"I read `or {name.id}`", "did you mean `or decline`?")

    def _report_misspelt(self, word: str, allowed: Sequence[str], span: Span, read: str, near: str) -> None:
        message = f"`{word}` takes {listed(allowed)}; I read `{read}`"
        fix = Fix(span, near)
        self.found.append(Diagnostic("RW0111", Severity.ERROR, span, message, f"did you mean `{near}`?", fix=fix))

    def _owner_of_clause(self, word: str, clause: str) -> str | None:
        owners = [row.word for row in TABLE.values() if clause in row.clauses and row.word in STARTERS]
        if is_row(word):
            return f"a row of data under `{word}` needs a `:` after its key: `{clause}: ...`"
        if word in owners or not owners or clause not in CLAUSES:
            return None
        return f"`{clause}` belongs to {listed(owners[:4])}"

    def fold(self, word: str, clauses: Sequence[Clause], span: Span) -> None:
        self.clauses(word, FOLDS[word], clauses)

    # ---------------------------------------------------------------- others

    def row(self, key: Expr, cell: Sequence[Expr]) -> None:
        """Report `hwen: do x()`, which reads as a row with the cell `do x()`."""
        verb = cell[0].id if len(cell) > 1 and isinstance(cell[0], Name) else ""
        if isinstance(key, Name) and verb in STARTERS and (near := nearest(key.id, BLOCKS)):
            self.report("RW0109", key.span, f"`{key.id}` begins no line with a sentence", f"did you mean `{near}`?")

    def answer(self, who: Expr, tail: HasBlock) -> None:
        if tail.shape:
            at = tail.block[0].span.start if tail.block else tail.at
            self.report("RW0116", Span(self.file, at, at + 1), "no block stands under an answer")

    def name_expected(self, word: Token, head: Expr) -> None:
        self.report(
            "RW0127", head.span, f"`{word.value}` declares a name, and this is not one",
            f"write `{word.value} name`, letters, digits and `_` only",
        )  # fmt: skip

    def top_level(self, lines: Sequence[Line]) -> None:
        for line in lines:
            if not isinstance(line, Decl):
                key = line.key.id if isinstance(line, Row) and isinstance(line.key, Name) else ""
                near = nearest(key, TOP_LEVEL) if key else None
                help = f"did you mean `{near}`?" if near else "it belongs under a declaration, indented by four spaces"
                start = line.span.start
                self.report("RW0128", Span(self.file, start, start + 1), "only declarations stand in column 1", help)
