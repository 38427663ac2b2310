"""Mistakes in a text that is no YAML, in terms of the file and not of its reader.

`explain_fault` takes the error of the reader and gives one message; `lost_colon` one about a key that the reader takes
for granted and that nobody would write. The sign that is lost or wrong is looked for in the lines that the reader has
in mind, so that the message stands where the mistake is and says what to write.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity

TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|(?:^|(?<=\s))#[^\n]*')
WIDE = re.compile(r"[\uff01-\uff5e]+")
KEY_ALONE = re.compile(r"\s*([\w.]+)\s*$")
KEY_WITHOUT_COLON = re.compile(r"\s*([\w.]+) +(?=[\[{\"'])")
INNER_KEY = re.compile(r"[{,]\s*([\w.]+) +(?=[\w\[{\"'])[^:,{}\[\]]*(?=[,}\[])")
NEXT_KEY = re.compile(r"\s*,?\s*[\w.]+:(?=\s|$)")
PARTNERS = {"{": "}", "[": "]"}
KEY_BEGINS, WORD_BEGINS = re.compile(r"(?<=[\s,\[{])[\w.]+:(?=\s)"), re.compile(r"(?<=[\s,\[{])[^\s,\[{]")
MOST_LINES, MOST_SHOWN = 50, 60


def explain_fault(source: Source, error: Any) -> Diagnostic:
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark else 0
    begun = error.context_mark.index if error.context_mark else at
    first, last = source.place(min(begun, at))[0], source.place(max(begun, at))[0]
    for number in range(max(1, min(first, last - 1), last - MOST_LINES), last + 1):
        if (found := _wrong_sign(source, number)) is not None:
            return found
    return _in_general(source, error, at, begun)


def lost_colon(source: Source, key: Span) -> Diagnostic | None:
    """The message about a key of several words in which a `:` is lost."""
    found = re.compile(r"([\w.]+) +(?=\S)").match(source.text, key.start, key.end)
    return _insertion(source, found.end(1), ":", f"a `:` is missing behind `{found[1]}`") if found else None


def _insertion(source: Source, at: int, sign: str, message: str) -> Diagnostic:
    line = source.text.rfind("\n", 0, at) + 1
    shown = _end_of(source.text[line:at]) + sign
    start = max(line, at - 1)
    fix = Fix(Span(source.file, at, at), sign)
    return Diagnostic("RW0301", Severity.ERROR, Span(source.file, start, at), message, f"write `{shown}`", fix=fix)


def _end_of(line: str) -> str:
    """The line as far as it goes; of a long one the end, from the beginning of a key or else of a word on."""
    whole = line.lstrip()
    if len(whole) <= MOST_SHOWN:
        return whole
    first = len(whole) - MOST_SHOWN
    begun = KEY_BEGINS.search(whole, first) or WORD_BEGINS.search(whole, first)
    return whole[begun.start() if begun else -MOST_SHOWN :]


def _wrong_sign(source: Source, number: int) -> Diagnostic | None:
    """The message about the first sign of a line that is plainly wrong, or lost."""
    line = source.line(number)
    start = source.text.find(line, _offset(source, number))
    bare = TEXT_OR_COMMENT.sub(lambda match: ("x" if match[0][0] in "\"'" else " ") * len(match[0]), line)
    indent = line[: len(line) - len(line.lstrip())]
    if "\t" in indent:
        span, spaces = Span(source.file, start, start + len(indent)), _indent_around(source, number)
        message = "a tab stands where spaces are expected"
        return Diagnostic("RW0301", Severity.ERROR, span, message, "indent by spaces", fix=Fix(span, " " * spaces))
    if wide := WIDE.search(bare):
        mended = unicodedata.normalize("NFKC", wide[0])
        if mended == ":" and line[wide.end() : wide.end() + 1] != " ":
            mended = ": "
        span = Span(source.file, start + wide.start(), start + wide.end())
        message = f"`{wide[0]}` is a wide character that YAML takes for a letter"
        return Diagnostic("RW0301", Severity.ERROR, span, message, f"write `{mended}`", fix=Fix(span, mended))
    if (lost := _lost_bracket(bare)) is not None:
        at, sign = lost
        return _insertion(source, start + at, sign, f"a `{sign}` is missing here")
    after = source.line(number + 1)
    deeper = len(after) - len(after.lstrip()) > len(indent)
    for pattern in (KEY_WITHOUT_COLON, INNER_KEY, *([KEY_ALONE] if deeper and after.strip() else [])):
        if key := (pattern.search if pattern is INNER_KEY else pattern.match)(bare):
            return _insertion(source, start + key.end(1), ":", f"a `:` is missing behind `{key[1]}`")
    return None


def _offset(source: Source, number: int) -> int:
    low = 0
    for _ in range(number - 1):
        low = source.text.index("\n", low) + 1
    return low


def _indent_around(source: Source, number: int) -> int:
    """The indentation that a line should have: that of the next line, or what the one before asks for."""
    before, after = source.line(number - 1), source.line(number + 1)
    own = [len(row) - len(row.lstrip()) for row in (before, after)]
    if after.strip() and "\t" not in after[: own[1]] and own[1]:
        return own[1]
    return own[0] + 2 * before.rstrip().endswith(":")


def _lost_bracket(bare: str) -> tuple[int, str] | None:
    """The place of a lost closing bracket in a line with an opening one, and the bracket; None if none is lost. A key
    in a list ends the list."""
    opened: list[str] = []
    for at, sign in enumerate(bare):
        if sign in PARTNERS:
            opened.append(sign)
        elif sign in "]}":
            if not opened:
                return None
            if PARTNERS[opened[-1]] != sign:
                return at, PARTNERS[opened[-1]]
            opened.pop()
        elif opened and opened[-1] == "[" and sign in ", " and NEXT_KEY.match(bare, at):
            return at, "]"
    return (len(bare.rstrip()), PARTNERS[opened[-1]]) if opened else None


def _in_general(source: Source, error: Any, at: int, begun: int) -> Diagnostic:
    """The message from what the reader says."""
    read = source.text[at : at + 1]
    problem = str(error.problem or "")
    help = "compare with the lines above: blocks are indented by spaces, keys end in a colon and a space"
    if read == "\t" or "\\t" in problem:
        message, help = "a tab stands where spaces are expected", "indent by spaces"
    elif "mapping values are not allowed" in problem:
        message = "a second `:` in one line, or a line indented more than the ones above it"
        help = "put a text that holds `: ` into quotes; give the keys of one block the same indentation"
    elif "could not find expected ':'" in problem:
        at = begun
        message, help = "a key without a colon, or a text that goes on in the next line", "write `key: value`"
    elif "expected ',' or" in problem or "flow" in str(error.context):
        at = begun
        close = "}" if source.text[at : at + 1] == "{" else "]"
        message = f"a `,` or `{close}` is missing in the brackets that begin here"
        help = "close the bracket, or put a comma between the items"
    elif "end of stream" in problem or "found unexpected end" in problem:
        at = begun
        message, help = "the quoted text that begins here has no end", "close the quotes"
    elif read and read in "&*!|>%@`":
        message, help = f"a value cannot begin with `{read}`", "put it into quotes"
    elif "block end" in problem or "block mapping" in str(error.context):
        message = "this line does not belong to the block above it"
        help = "give all keys of one block the same indentation; list items begin with `- `"
    else:
        message = "this is not YAML"
    labels = (Label(clip(source, begun, begun + 1), "the block that was begun here"),) if begun != at else ()
    return Diagnostic("RW0301", Severity.ERROR, clip(source, at, at + 1), message, help, labels)


def clip(source: Source, start: int, end: int) -> Span:
    size = len(source.text)
    return Span(source.file, min(start, size), min(end, size))
