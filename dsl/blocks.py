"""From text to tokens, logical lines and pieces: the layout of a file, before any grammar.

It joins continuation lines, counts brackets, turns indentation into levels, collects citations, and cuts the file at the lines
that begin in column 1. A mistake of layout is reported here and mended, so that the grammar sees well-formed lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.span import Span
from dsl.words import CLASSES, CONTINUES, PHRASES, STARTS

INDENT = 4
MOST = 2**31 - 1

OPERATORS = {
    ":": "COLON", ",": "COMMA", ".": "DOT", "=": "EQ", "..": "TO", "+": "PLUS", "-": "MINUS", "*": "TIMES", "/": "SLASH",
    "->": "ARROW", "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE", "<": "COMPARE",
    "<=": "COMPARE", ">": "COMPARE", ">=": "COMPARE",
}  # fmt: skip
CLOSING = {")": "(", "]": "[", "}": "{"}

# `if any(...)` and `choose one in S` are no phrases; `in live` needs something that is live.
_AFTER = {"if any": r"(?!\s*\()", "choose one": r"(?!\s+in\b)", "in live": r"(?=\s+[\w({])"}
for _shape in ("choose some", "choose number", "random some", "random number"):
    _AFTER[_shape] = r"(?=\s+\w+\s+in\b)"
_AFTER["choose amounts"] = r"(?=\s+\w+\s+for\b)"
_phrase = "|".join(p.replace(" ", " +") + r"\b" + _AFTER.get(p, "") for p in PHRASES)

_TOKEN = re.compile(
    rf"""(?P<word>{_phrase}|[A-Za-z_]\w*)
    |(?P<blank>[ \r]+|\#[^\n]*)
    |(?P<newline>\n[ \t]*)
    |(?P<op>\.\.|->|<=|>=(?!=)|==|!=|[:,.=+\-*/()\[\]{{}}<>])
    |(?P<num>\d+\w*)
    |(?P<text>"(?:[^"\\\n]|\\.)*")
    |(?P<open>"[^\n]*)
    |(?P<bad>.)""".replace(" +", "[ ]+"),
    re.VERBOSE | re.ASCII,
)
_CITE = re.compile(r"\[\s*[A-Z]{2,}-\d[\w.]*(?:\s*,\s*[A-Z]{2,}-\d[\w.]*)*\s*\]")


class Token:
    """A token for the parser: `words` are the terminals a word may be, `type` the one it was taken for."""

    __slots__ = ("type", "value", "start", "end", "words")

    def __init__(self, type: str, value: str, start: int, end: int, words: tuple[str, ...] | None = None) -> None:
        self.type = type
        self.value = value
        self.start = start
        self.end = end
        self.words = words


@dataclass(slots=True)
class Line:
    """A logical line: its tokens, its level of indentation, its citations. `reported`: a message stands already."""

    tokens: list[Token]
    level: int
    cites: tuple[str, ...] = ()
    reported: bool = False
    broken: bool = False

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


@dataclass(slots=True)
class Layout:
    """Reads one text; `pieces` are lists of lines, each beginning at level 0."""

    file: str
    text: str
    offset: int = 0  # where the text stands in its file
    found: list[Diagnostic] = field(default_factory=list)
    pieces: list[list[Line]] = field(default_factory=list)
    _brackets: list[Token] = field(default_factory=list)
    _reported: bool = False

    def report(self, code: str, start: int, end: int, message: str, help: str | None = None, label: Label | None = None) -> None:
        self._reported = True
        span = Span(self.file, start + self.offset, end + self.offset)
        self.found.append(Diagnostic(code, Severity.ERROR, span, message, help, (label,) if label else ()))

    def read(self) -> None:
        tokens: list[Token] = []
        cites: list[str] = []
        begun = 0  # column of the logical line
        levels: list[int] = []
        text, at, size = self.text, 0, len(self.text)
        column, fresh = 0, True
        match = _TOKEN.match
        if text.startswith("\ufeff"):
            at = 1
        first = re.compile(r"[ \t]*").match(text, at)
        assert first is not None
        column, at, tabbed = self._column(first.group(), at), first.end(), "\t" in first.group()

        def finish() -> None:
            nonlocal tokens, cites
            if tokens:
                self._add(Line(tokens, self._level(begun, tokens[0], levels), tuple(cites), self._reported))
            tokens, cites, self._reported = [], [], False

        while at < size:
            found = match(text, at)
            assert found is not None
            kind, start, at = found.lastgroup, at, found.end()
            if kind == "blank":
                continue
            if kind == "newline":
                indentation = found.group()[1:]
                column, fresh, tabbed = self._column(indentation, start + 1), True, "\t" in indentation
                continue
            value = found.group()
            if value == "[" and (cite := _CITE.match(text, start)):
                at = cite.end()
                cites += [c.strip() for c in cite.group()[1:-1].split(",")]
                continue
            if fresh:
                fresh = False
                if tokens and self._ends(kind, value, at):
                    finish()
                if not tokens:
                    begun = column
                if tabbed:
                    self._tab(start)
            token = self._token(kind, value, start, at)
            if token is not None:
                if self.offset:
                    token.start, token.end = start + self.offset, at + self.offset
                tokens.append(token)
        if self._brackets:
            self._unclosed()
        finish()

    def _column(self, indentation: str, start: int) -> int:
        return len(indentation.expandtabs(INDENT)) if "\t" in indentation else len(indentation)

    def _tab(self, start: int) -> None:
        line = self.text.rfind("\n", 0, start) + 1
        self.report("RW0101", line, start, "a tab stands in the indentation", "indent with four spaces a level")

    def _ends(self, kind: str | None, value: str, end: int) -> bool:
        """Whether the token at the beginning of a line begins a logical line too."""
        after = self.text[end : end + 40].lstrip(" ")
        word = " ".join(value.split()) if kind == "word" else value
        if self._brackets:
            opens = CLASSES.get(word, ())
            begins = word in ("if", "else") or not STARTS.isdisjoint(opens)
            if kind == "word" and begins and self.text[end : end + 1] in (" ", ":", "\n") and _follows(after):
                if word not in CONTINUES and word not in ("if", "else", "any", "first", "every"):
                    self._unclosed()
                    return True
            return False
        if kind == "op":
            return value not in ("=", "+", "*")
        if kind == "word" and word in CONTINUES:
            return after[:1] in (":", ".", "[") or after[:1] == "" or (after[:1] == "(" and self.text[end : end + 1] == "(")
        return True

    def _unclosed(self) -> None:
        bracket = self._brackets[0]
        self.report(
            "RW0104", bracket.start, bracket.end, f"this bracket `{bracket.value}` is not closed",
            f"close it with `{next(c for c, o in CLOSING.items() if o == bracket.value)}`",
        )  # fmt: skip
        self._brackets.clear()

    def _token(self, kind: str | None, value: str, start: int, end: int) -> Token | None:
        if kind == "word":
            if " " in value:
                value = " ".join(value.split())
            return Token("NAME", value, start, end, CLASSES.get(value))
        if kind == "op":
            if value in "([{":
                self._brackets.append(token := Token(OPERATORS[value], value, start, end))
                return token
            if value in CLOSING:
                return self._close(value, start, end)
            if value in OPERATORS:
                return Token(OPERATORS[value], value, start, end)
            word = "is" if value == "==" else "is not"
            self.report("RW0112", start, end, f"`{value}` is no word of the language", f"write `{word}` to compare")
            return Token("COMPARE", word, start, end)
        if kind == "num":
            return self._number(value, start, end)
        if kind == "text":
            return Token("TEXT", value, start, end)
        if kind == "open":
            help = 'a text begins and ends with `"` on the same line'
            self.report("RW0106", start, start + 1, 'this text is not closed with `"`', help)
            return Token("TEXT", value.rstrip() + '"', start, end)
        shown = "a tab" if value == "\t" else f"`{value}`"
        if value == "\t":
            return None
        self.report("RW0107", start, end, f"{shown} is no character of the language", _character_help(value))
        return None

    def _number(self, value: str, start: int, end: int) -> Token:
        if not value.isdigit():
            self.report("RW0107", start, end, f"`{value}` is neither a number nor a name", "a name begins with a letter")
            value = "0"
        elif int(value) > MOST:
            self.report("RW0108", start, end, f"`{value}` is larger than a number can be", f"the largest number is {MOST}")
            value = "0"
        return Token("NUM", value, start, end)

    def _close(self, value: str, start: int, end: int) -> Token | None:
        if not self._brackets:
            self.report("RW0105", start, end, f"this `{value}` closes nothing", "remove it, or open it before")
            return None
        opened = self._brackets.pop()
        if opened.value != CLOSING[value]:
            label = Label(Span(self.file, opened.start, opened.end), "opened here")
            self.report("RW0105", start, end, f"`{value}` can not close `{opened.value}`", None, label)
            value = next(c for c, o in CLOSING.items() if o == opened.value)
        return Token(OPERATORS[value], value, start, end)

    def _level(self, column: int, first: Token, levels: list[int]) -> int:
        """The level of a line at `column`; `levels` holds the level of the line before."""
        deepest = levels[0] + 1 if levels else 0
        level, rest = divmod(column, INDENT)
        line = first.start - column
        if rest and not self._reported:
            self.report(
                "RW0102", max(line, 0), first.start, f"this line is indented by {column} spaces",
                f"indent by four spaces a level: {level * INDENT} or {(level + 1) * INDENT}",
            )  # fmt: skip
        if rest:
            level = min(deepest, level + (rest >= INDENT // 2))
        elif level > deepest:
            if not self._reported:
                self.report(
                    "RW0103", max(line, 0), first.start,
                    f"this line is indented by {column} spaces, deeper than a block of the line above",
                    f"indent it by at most {deepest * INDENT} spaces",
                )  # fmt: skip
            level = deepest
        levels[:] = [level]
        return level

    def _add(self, line: Line) -> None:
        if line.level == 0 or not self.pieces:
            self.pieces.append([])
        self.pieces[-1].append(line)


def _follows(after: str) -> bool:
    return after[:1].isalnum() or after[:1] in ('"', "{", "(", ":", "_", "\n")


def _character_help(value: str) -> str:
    if value in "‘’“”«»'`":
        return 'texts stand in `"..."`'
    if value == ";":
        return "a line needs no `;` at its end"
    if value in "&|!":
        return "write `and`, `or`, `not`"
    return "outside of texts there are only letters, digits, `_` and the signs of the language"
