"""From text to tokens and logical lines, before any grammar.

It joins continuation lines, counts brackets and collects citations. A mistake is reported and mended here, so that the
grammar sees well-formed lines; `dsl.syntax.indentation` handles indentation.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import field

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.syntax.vocabulary import CLASSES, CONTINUES, PHRASES, STARTS, Word

INDENT = 4
WIDE = re.compile(r"[\u3000\uff01-\uff5e]+")  # the forms of the signs that take two columns
MAX_NUMBER = 2**31 - 1
MOST_DIGITS = len(str(MAX_NUMBER))
MAX_DEPTH = 100  # brackets, operators and sentences behind colons that may stand in one another in a line

OPERATORS = {
    ":": "COLON",
    ",": "COMMA",
    ".": "DOT",
    "=": "EQ",
    "..": "TO",
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES",
    "/": "SLASH",
    "->": "ARROW",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
    "<": "COMPARE",
    "<=": "COMPARE",
    ">": "COMPARE",
    ">=": "COMPARE",
}
CLOSING = {")": "(", "]": "[", "}": "{"}
OPENING = frozenset(CLOSING.values())
NESTING = ("not", "if", "set of", "list of", "count by")
JOINERS = frozenset(w for w, t in CLASSES.items() if STARTS.isdisjoint(t)) - {"any", "highest", "lowest"}

# `if any(...)` and `choose one in S` are not phrases; `in live` needs a domain after it.
_AFTER = {"if any": r"(?!\s*\()", "choose one": r"(?!\s+in\b)", "in live": r"(?=\s+[\w({])"}
for _shape in ("choose some", "choose number", "random some", "random number"):
    _AFTER[_shape] = r"(?=\s+\w+\s+in\b)"
_AFTER["choose amounts"] = r"(?=\s+\w+\s+for\b)"
_phrase = "|".join(p.replace(" ", " +") + r"\b" + _AFTER.get(p, "") for p in PHRASES)

CITE = re.compile(r"\[\s*[A-Z]{2,}-\d[\w.]*(?:\s*,\s*[A-Z]{2,}-\d[\w.]*)*\s*\]")
_TOKEN = re.compile(
    rf"""[\ \r]*+(?:(?P<word>{_phrase}|[A-Za-z_]\w*)
    |(?P<blank>\#[^\n]*)
    |(?P<newline>\n[ \t]*)
    |(?P<cite>{CITE.pattern})
    |(?P<op>\.\.|->|<=|>=(?!=)|==|!=|[:,.=+\-*/()\[\]{{}}<>])
    |(?P<num>\d+\w*)
    |(?P<text>"(?:[^"\\\n]|\\.)*")
    |(?P<open>"[^\n]*)
    |(?P<bad>.))""".replace(" +", "[ ]+"),
    re.VERBOSE | re.ASCII,
)


class Token:
    """A token for the parser: `words` are the terminals that a word may be, `type` is the one that it was parsed as."""

    __slots__ = ("type", "value", "start", "end", "words")

    def __init__(self, type: str, value: str, start: int, end: int, words: tuple[str, ...] | None = None) -> None:
        self.type = type
        self.value = value
        self.start = start
        self.end = end
        self.words = words


@dataclass(slots=True)
class Line:
    """A logical line: tokens, column, citations, level of indentation. `reported`: it has a diagnostic."""

    tokens: list[Token]
    column: int
    cites: tuple[str, ...] = ()
    reported: bool = False
    broken: bool = False
    level: int = 0
    last: tuple[Word | None] | None = None  # its last sentence, once that has been searched

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


@dataclass(slots=True)
class Lexer:
    """Splits one text into `lines`; diagnostics of its tokens and brackets are in `found`."""

    file: str
    text: str
    found: list[Diagnostic] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    _brackets: list[Token] = field(default_factory=list)
    _reported: bool = False

    def report(
        self, code: str, start: int, end: int, message: str, help: str | None = None, label: Label | None = None
    ) -> None:
        span = Span(self.file, start, end)
        self.found.append(Diagnostic(code, Severity.ERROR, span, message, help, (label,) if label else ()))

    def _report_once(
        self, code: str, start: int, end: int, message: str, help: str | None = None, fix: Fix | None = None
    ) -> None:
        """Report no more than one message a line: what follows a mistake is often its consequence."""
        if not self._reported:
            self._reported = True
            self.found.append(Diagnostic(code, Severity.ERROR, Span(self.file, start, end), message, help, fix=fix))

    def read(self) -> None:
        tokens: list[Token] = []
        cites: list[str] = []
        begun = 0  # column of the logical line
        text, at = self.text, 0
        column, fresh = 0, True
        if text.startswith("\ufeff"):
            at = 1
        first = re.compile(r"[ \t]*").match(text, at)
        assert first is not None
        column, at, tabbed = self._column(first.group(), at), first.end(), "\t" in first.group()

        def finish() -> None:
            nonlocal tokens, cites
            if tokens:
                if len(tokens) > MAX_DEPTH and (deep := first_too_deep(tokens)) is not None:
                    help = "give parts of it names of their own"
                    self._report_once(
                        "RW0130", deep.start, deep.end, f"more than {MAX_DEPTH} things stand in one another here", help
                    )
                    del tokens[1:]
                self.lines.append(Line(tokens, begun, tuple(cites), self._reported))
            tokens, cites, self._reported = [], [], False

        for found in _TOKEN.finditer(text, at):
            kind, number = found.lastgroup, found.lastindex
            assert kind is not None and number is not None
            value, (start, at) = found[number], found.span(number)
            if kind == "blank":
                continue
            if kind == "newline":
                indentation = value[1:]
                column, fresh, tabbed = self._column(indentation, start + 1), True, "\t" in indentation
                continue
            if kind == "cite":
                cites += [c.strip() for c in value[1:-1].split(",")]
                continue
            if fresh:
                fresh = False
                if value == "else" and _waits_for_else(tokens) and text[at : at + 1] == " ":
                    pass
                elif tokens and column > begun and self._goes_on_with_list(tokens[-1], kind, value, at):
                    pass
                elif tokens and self._begins_line(kind, value, at, column <= begun):
                    finish()
                elif tokens and value == "=" and _is_complete(tokens, column, begun):
                    finish()
                if not tokens:
                    begun = column
                if tabbed:
                    self._report_tab(start)
            if kind == "word" and " " in value and tokens and _is_name_and_word(tokens[-1], value):
                tokens += [
                    Token("NAME", part[0], start + part.start(), start + part.end(), CLASSES.get(part[0]))
                    for part in re.finditer(r"\w+", value)
                ]
            elif kind == "word":
                if " " in value:
                    value = " ".join(value.split())
                tokens.append(Token("NAME", value, start, at, CLASSES.get(value)))
            elif (token := self._token(kind, value, start, at)) is not None:
                tokens.append(token)
        if self._brackets:
            self._report_unclosed()
        finish()

    def _column(self, indentation: str, start: int) -> int:
        return len(indentation.expandtabs(INDENT)) if "\t" in indentation else len(indentation)

    def _report_tab(self, start: int) -> None:
        line = self.text.rfind("\n", 0, start) + 1
        fix = Fix(Span(self.file, line, start), " " * self._column(self.text[line:start], line))
        help = "indent with four spaces a level"
        self._report_once("RW0101", line, start, "a tab stands in the indentation", help, fix)

    def _begins_line(self, kind: str | None, value: str, end: int, left: bool) -> bool:
        """True if the first token of a line begins a logical line, which ends the one before and may report its open
        brackets; `left`: it is no deeper than that one."""
        word = " ".join(value.split()) if kind == "word" else ""
        if not self._brackets and word not in CONTINUES:
            return kind != "op" or value not in ("=", "+", "*")
        rest = self.text[end : self.text.find("\n", end) % (len(self.text) + 1)]
        if self._brackets:
            within = word == "if" and not left and _has_other_outcome(self.text, end)
            if word and not within and (left or _begins_sentence(word, rest)):
                self._report_unclosed()
                return True
            return False
        return rest.lstrip(" ")[:1] in ("", ":", ".", "[") or rest[:1] == "("

    def _goes_on_with_list(self, before: Token, kind: str, value: str, end: int) -> bool:
        """True if a deeper line goes on with the list of the line above, which ends with a comma."""
        if before.type != "COMMA" or self._brackets:
            return False
        rest = self.text[end : self.text.find("\n", end) % (len(self.text) + 1)]
        return kind != "word" or not _begins_sentence(" ".join(value.split()), rest)

    def _report_unclosed(self) -> None:
        self._report_bracket(self._brackets[0])
        self._brackets.clear()

    def _report_bracket(self, bracket: Token) -> None:
        closing = next(c for c, o in CLOSING.items() if o == bracket.value)
        what = f"this bracket `{bracket.value}` is not closed"
        self._report_once("RW0104", bracket.start, bracket.end, what, f"close it with `{closing}`")

    def _token(self, kind: str | None, value: str, start: int, end: int) -> Token | None:
        if kind == "op":
            if value in "([{":
                self._brackets.append(token := Token(OPERATORS[value], value, start, end))
                return token
            if value in CLOSING:
                return self._close(value, start, end)
            if value in OPERATORS:
                return Token(OPERATORS[value], value, start, end)
            word = "is" if value == "==" else "is not"
            help, fix = f"write `{word}` to compare", Fix(Span(self.file, start, end), word)
            self._report_once("RW0112", start, end, f"`{value}` is not a word of the language", help, fix)
            return Token("COMPARE", word, start, end)
        if kind == "num":
            return self._number(value, start, end)
        if kind == "text":
            return Token("TEXT", value, start, end)
        if kind == "open":
            help = 'a text begins and ends with `"` on the same line'
            self._report_once("RW0106", start, start + 1, 'this text is not closed with `"`', help)
            return Token("TEXT", value.rstrip() + '"', start, end)
        if value == "\t":
            return None
        what = f"`{value}` is not a character of the language"
        plain = unicodedata.normalize("NFKC", value)
        wide = WIDE.match(self.text, start)
        if wide is None:
            self._report_once("RW0107", start, end, what, _character_help(value))
            return None
        mended = unicodedata.normalize("NFKC", wide[0])
        fix = Fix(Span(self.file, *wide.span()), mended)
        self._report_once("RW0107", start, wide.end(), what, f"write `{mended}`", fix)
        return self._token("op", plain, start, end) if plain in OPERATORS else None

    def _number(self, value: str, start: int, end: int) -> Token:
        if not value.isdecimal():
            self._report_once(
                "RW0107", start, end, f"`{value}` is neither a number nor a name", "a name begins with a letter"
            )
            value = "0"
        value = value.lstrip("0") or "0"
        if len(value) > MOST_DIGITS or int(value) > MAX_NUMBER:
            shown = value if len(value) <= 2 * MOST_DIGITS else f"{value[:MOST_DIGITS]}.. ({len(value)} digits)"
            self._report_once(
                "RW0108", start, end, f"`{shown}` is larger than a number can be", f"the largest number is {MAX_NUMBER}"
            )
            value = "0"
        return Token("NUM", value, start, end)

    def _close(self, value: str, start: int, end: int) -> Token | None:
        """A closing bracket; brackets opened after its partner are reported, and without a partner it is left out."""
        opening = CLOSING[value]
        if not any(bracket.value == opening for bracket in self._brackets):
            self._report_once("RW0105", start, end, f"this `{value}` closes nothing", "remove it, or open it before")
            return None
        while self._brackets[-1].value != opening:
            self._report_bracket(self._brackets.pop())
        self._brackets.pop()
        return Token(OPERATORS[value], value, start, end)


def _is_name_and_word(before: Token, value: str) -> bool:
    """True if a phrase is none here, but single words: behind a dot, or behind `set` where its second word is `to`."""
    return before.type == "DOT" or before.value == "set" and value.split()[1:] == ["to"]


def first_too_deep(tokens: list[Token]) -> Token | None:
    """The token at which a line is nested deeper than later passes have to handle, or None."""
    depth, outer = 0, [0]  # operators nest to the left, so each adds to what comes before it in its bracket
    for token in tokens:
        if token.value in CLOSING and len(outer) > 1:
            depth = outer.pop() + 1
        elif token.type == "COMMA":
            depth = outer[-1]
        elif token.type not in ("NUM", "TEXT", "COMPARE", "EQ") and token.value not in ("and", "or"):
            if token.type != "NAME" or token.value in NESTING:
                depth += 1
            if token.value in OPENING:
                outer.append(depth)
        if depth > MAX_DEPTH:
            return token
    return None


def _is_complete(tokens: list[Token], column: int, begun: int) -> bool:
    """True if a line that begins with `=` is the last of a value's block and does not continue the line above: that
    has its `=`, or it is a line of the same block."""
    return any(token.type == "EQ" for token in tokens) or 0 < column <= begun


def _waits_for_else(tokens: list[Token]) -> bool:
    """True if a line has an `if` inside an expression that still lacks its `else`."""
    ifs, depth = 0, 0
    for word in (token.value for token in tokens[1:]):
        depth += (word in "([{") - (word in ")]}")
        if word == "if":
            ifs, begun = ifs + 1, depth
        elif word == "else":
            ifs -= 1
        elif word == ":" and ifs and depth <= begun:  # the block of an `if`; that of a fold is inside its brackets
            return False
    return ifs > 0


def _has_other_outcome(text: str, at: int) -> bool:
    """True if the `if` before this place is part of an expression: an `else` with a value comes before any block."""
    depth = 0
    for found in re.finditer(r"[(\[{]|[)\]}]|:|\belse\b( *\S)?|#.*", text[at:]):
        sign = found[0]
        if sign in ("(", "[", "{"):
            depth += 1
        elif sign in (")", "]", "}"):
            depth -= 1
            if depth < 0:
                return False
        elif not depth and sign.startswith("else"):
            return found[1] is not None and not found[1].endswith((":", "#"))
        elif not depth and sign == ":":
            return False
    return False


def _begins_sentence(word: str, rest: str) -> bool:
    """True for a word that plainly begins a sentence, although brackets are open; `rest` is the rest of its line."""
    after = rest.strip(" ")
    if word in ("else", "if"):
        return " else " not in rest if word == "if" else after[:1] in ("", ":")
    if word in CONTINUES or STARTS.isdisjoint(CLASSES.get(word, ())) or rest[:1] not in ("", " ", ":"):
        return False
    following = re.match(r"\w*", after)
    if following is not None and following.group() in JOINERS and " " not in word:
        return False
    return after[:1].isalnum() or after[:1] in ("", '"', "{", "(", ":", "_")


def _character_help(value: str) -> str:
    if value in "‘’“”«»'`":
        return 'texts stand in `"..."`'
    if value == ";":
        return "a line needs no `;` at its end"
    if value in "&|!":
        return "write `and`, `or`, `not`"
    return "outside of texts there are only letters, digits, `_` and the signs of the language"
