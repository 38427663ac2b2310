"""From columns to levels: which line stands under which, and where a file is cut into pieces.

Takes the logical lines of a file, gives each its level and reports what fits nowhere. A wrong line is put where the
lines around it want it, so that one slip gives one message. Which word may have a block comes from the table of words.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.syntax.lexer import INDENT, Line, Token
from dsl.syntax.vocabulary import MUST, NEVER, STARTS, TABLE, TOP_LEVEL, Word

Report = Callable[[str, int, int, str, str], None]
MOST_LEVELS = 20
SECOND = ("given", "when", "expect")  # they stand right under a ruling or a position
DEEPER = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}
MEMBERS = ("const", "field", "zone", "strip", "modify", "grant", "deny")  # in column 1 rarely


def levels(lines: list[Line], report: Report) -> None:
    """Sets the level of every line."""
    shift, since = 0, 0  # a block that was moved too deep as a whole is moved back as a whole
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else None
        if line.column < since:
            shift = since = 0
        if before is not None and not shift and _goes_on(line, before, lines[number + 1 : number + 2]):
            line.level = before.level
            continue
        line.level, wrong = _level(line, line.column - shift, before, lines[number + 1 : number + 3])
        if wrong is None:
            continue
        if not line.reported:
            code, message, help = wrong
            start = line.start if code in ("RW0116", "RW0128") else line.start - line.column
            report(code, start, line.start + (start == line.start), message, help)
            line.reported = True
        after = lines[number + 1].column - shift if number + 1 < len(lines) else 0
        if line.column - shift > line.level * INDENT and after > (line.level + heads(line)) * INDENT:
            shift, since = line.column - line.level * INDENT, line.column


def pieces(lines: list[Line]) -> list[list[Line]]:
    """The lines cut before each that stands in column 1."""
    cut: list[list[Line]] = []
    for line in lines:
        if line.level == 0 or not cut:
            cut.append([])
        cut[-1].append(line)
    return cut


def _goes_on(line: Line, before: Line, after: list[Line]) -> bool:
    """Whether a line plainly stands beside the one before it, with nothing deeper below."""
    column = line.column
    if not column or column != before.column or column != before.level * INDENT or line.tokens[0].value in SECOND:
        return False
    return (not after or after[0].column <= column) and not _must(before)


def _level(line: Line, column: int, before: Line | None, after: list[Line]) -> tuple[int, tuple[str, str, str] | None]:
    level, rest = divmod(column, INDENT)
    shown = f"this line is indented by {line.column} spaces"
    if before is None:
        return 0, ("RW0102", shown, "the first line begins in column 1") if column else None
    deepest = before.level + heads(before)
    if column == 0 and not _declares(line.tokens):
        help = "this belongs under the declaration above, indented by four spaces or more"
        return _best(line, range(min(1, deepest), deepest + 1), before, after), (
            "RW0128",
            "only declarations stand in column 1",
            help,
        )
    if rest:
        help = f"indent by four spaces a level: {level * INDENT} or {(level + 1) * INDENT}"
        return _best(line, range(min(level, deepest), min(level + 1, deepest) + 1), before, after), (
            "RW0102",
            shown,
            help,
        )
    if level > MOST_LEVELS:
        help = "put the inner blocks into procedures of their own"
        return MOST_LEVELS, ("RW0130", f"this block stands more than {MOST_LEVELS} levels deep", help)
    if level > deepest:
        if level == before.level + 1:
            word = sentence(before)
            what = f"no block stands under `{word.word if word else before.tokens[0].value}`"
            return deepest, ("RW0116", what, "indent this line like the one above")
        help = f"indent it by at most {deepest * INDENT} spaces"
        return deepest, ("RW0103", f"{shown}, deeper than a block of the line above", help)
    wanted = 1 if line.tokens[0].value in SECOND and len(line.tokens) < 3 else _wanted(line, level, before, after)
    if 0 < level == wanted == before.level and _must(before) and line.tokens[0].value not in ("else", "else if"):
        word = sentence(before)
        what = f"`{word.word if word else before.tokens[0].value}` has nothing under it"
        return deepest, ("RW0115", what, f"indent this line by {deepest * INDENT} spaces if it belongs there")
    if level != wanted <= deepest:
        help = f"indent it by {wanted * INDENT} spaces"
        return wanted, ("RW0102", f"{shown}, which does not fit the lines around it", help)
    return level, None


def _best(line: Line, levels: range, before: Line, after: list[Line]) -> int:
    """Of the levels that a line may be given the one that fits the lines around it best."""
    own, below = heads(line), None
    if after and after[0].column % INDENT == 0:
        below = after[0].column // INDENT
    natural = before.level + _must(before)

    def fit(level: int) -> tuple[bool, bool, bool, bool, int]:
        needed = _must(before) and level == natural
        if below is None:
            return needed, True, True, True, -abs(level - natural)
        joined = below == level + 1 if _must(line) else below == level and after[0].tokens[0].value == "else"
        return needed, below <= level + own, joined, below == level, -abs(level - natural)

    return max(levels, key=fit, default=levels.start)


def _must(line: Line) -> bool:
    """Whether a block has to stand under a line."""
    word = sentence(line)
    return word is not None and word.block == MUST


def _wanted(line: Line, level: int, before: Line, after: list[Line]) -> int:
    """The level that a line should have had for the one below it to stand well; its own where that one may be wrong."""
    if not after or after[0].column % INDENT or after[0].column // INDENT <= level + heads(line):
        return level
    wanted = after[0].column // INDENT - heads(line)
    if _must(before) and before.level + 1 == wanted:
        return wanted
    odd = len(after) > 1 and (after[1].column == line.column or _must(after[0]) and after[1].column <= after[0].column)
    member = line.column > 0 or line.tokens[0].value in MEMBERS
    return wanted if member and not heads(line) and not odd and wanted <= before.level + heads(before) else level


def sentence(line: Line) -> Word | None:
    """The last sentence of a line, which a block below would belong to; None for a row or an unknown word."""
    if line.last is None:
        line.last = (_sentence(line.tokens),)
    return line.last[0]


def _sentence(tokens: list[Token]) -> Word | None:
    found = TABLE.get(tokens[0].value)
    depth = 0
    for number, token in enumerate(tokens[:-1], 1):
        kind = token.type
        if kind in DEEPER:
            depth += DEEPER[kind]
        elif kind == "COLON" and not depth:
            if found is None or found.terminal == "TYPED":
                return found
            word = TABLE.get(tokens[number].value)
            if word is None or word.terminal not in STARTS | {"IF"}:
                return None
            found = word
    return found


def heads(line: Line) -> bool:
    """Whether a block may stand under a line."""
    word = sentence(line)
    if word is None:
        values = [token.value for token in line.tokens]
        return "chooses" not in values[1:] and "gives" not in values[1:]
    return word.block != NEVER


def _declares(tokens: list[Token]) -> bool:
    """Whether a line looks like a declaration, perhaps a misspelt one: no known word of another sort, no row."""
    row = TABLE.get(tokens[0].value)
    after = tokens[1].type if len(tokens) > 1 else "COLON"
    if after in ("COLON", "DOT", "LSQB", "LPAR"):
        return False
    return row is None or row.word in TOP_LEVEL
