"""From columns to levels: which line belongs under which, and where a file is split into declarations.

Takes the logical lines of a file, gives each its level and reports lines that fit nowhere. A wrong line gets the level
that the lines around it suggest, so that one slip gives one message. The table of words says which may have a block.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.syntax.lexer import INDENT, Line, Token
from dsl.syntax.vocabulary import MUST, NEVER, STARTS, TABLE, TOP_LEVEL, Word

Report = Callable[[str, int, int, str, str], None]
MAX_LEVELS = 20
RULING_SECTIONS = ("given", "when", "expect", "cases")  # they stand right under a ruling or a position
BRACKET_DEPTH = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}
MEMBERS = ("const", "field", "zone", "strip", "modify", "grant", "deny")  # rarely in column 1


def set_levels(lines: list[Line], report: Report) -> None:
    """Set the level of every line."""
    shift, since = 0, 0  # a whole block that is too deep is moved back as a whole
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else None
        if line.column < since:
            shift = since = 0
        if before is not None and not shift and _continues_block(line, before, lines[number + 1 : number + 2]):
            line.level = before.level
            continue
        line.level, wrong = _checked_level(line, line.column - shift, before, lines[number + 1 : number + 3])
        if wrong is None:
            continue
        if not line.reported:
            code, message, help = wrong
            start = line.start if code in ("RW0116", "RW0128") else line.start - line.column
            report(code, start, line.start + (start == line.start), message, help)
            line.reported = True
        after = lines[number + 1].column - shift if number + 1 < len(lines) else 0
        if line.column - shift > line.level * INDENT and after > (line.level + takes_block(line)) * INDENT:
            shift, since = line.column - line.level * INDENT, line.column


def split_pieces(lines: list[Line]) -> list[list[Line]]:
    """The lines, split before each that begins in column 1."""
    cut: list[list[Line]] = []
    for line in lines:
        if line.level == 0 or not cut:
            cut.append([])
        cut[-1].append(line)
    return cut


def _continues_block(line: Line, before: Line, after: list[Line]) -> bool:
    """True if a line plainly stands in one block with the line before it, and no deeper line follows."""
    column = line.column
    if (
        not column
        or column != before.column
        or column != before.level * INDENT
        or line.tokens[0].value in RULING_SECTIONS
    ):
        return False
    return (not after or after[0].column <= column) and not _needs_block(before)


def _checked_level(
    line: Line, column: int, before: Line | None, after: list[Line]
) -> tuple[int, tuple[str, str, str] | None]:
    level, rest = divmod(column, INDENT)
    shown = f"this line is indented by {line.column} spaces"
    if before is None:
        return 0, ("RW0102", shown, "the first line begins in column 1") if column else None
    deepest = before.level + takes_block(before)
    if column == 0 and not _looks_like_declaration(line.tokens):
        help = "this belongs under the declaration above, indented by four spaces or more"
        return _best_level(line, range(min(1, deepest), deepest + 1), before, after), (
            "RW0128",
            "only declarations stand in column 1",
            help,
        )
    if rest:
        help = f"indent by four spaces a level: {level * INDENT} or {(level + 1) * INDENT}"
        return _best_level(line, range(min(level, deepest), min(level + 1, deepest) + 1), before, after), (
            "RW0102",
            shown,
            help,
        )
    if level > MAX_LEVELS:
        help = "put the inner blocks into procedures of their own"
        return MAX_LEVELS, ("RW0130", f"this block stands more than {MAX_LEVELS} levels deep", help)
    if level > deepest:
        if level == before.level + 1:
            word = last_sentence(before)
            what = f"no block stands under `{word.word if word else before.tokens[0].value}`"
            return deepest, ("RW0116", what, "indent this line like the one above")
        help = f"indent it by at most {deepest * INDENT} spaces"
        return deepest, ("RW0103", f"{shown}, deeper than a block of the line above", help)
    wanted = (
        1
        if line.tokens[0].value in RULING_SECTIONS and len(line.tokens) < 3
        else _wanted_level(line, level, before, after)
    )
    begun = any(TABLE[t.value].kind in ("verb", "choice") for t in before.tokens[1:] if t.value in TABLE)
    if (
        0 < level == wanted == before.level
        and _needs_block(before)
        and not begun
        and line.tokens[0].value not in ("else", "else if")
    ):
        word = last_sentence(before)
        what = f"`{word.word if word else before.tokens[0].value}` has nothing under it"
        return deepest, ("RW0115", what, f"indent this line by {deepest * INDENT} spaces if it belongs there")
    if level != wanted <= deepest:
        help = f"indent it by {wanted * INDENT} spaces"
        return wanted, ("RW0102", f"{shown}, which does not fit the lines around it", help)
    return level, None


def _best_level(line: Line, levels: range, before: Line, after: list[Line]) -> int:
    """The one of `levels` that fits the lines around best."""
    own, below = takes_block(line), None
    if after and after[0].column % INDENT == 0:
        below = after[0].column // INDENT
    natural = before.level + _needs_block(before)

    def fit(level: int) -> tuple[bool, bool, bool, bool, int]:
        needed = _needs_block(before) and level == natural
        if below is None:
            return needed, True, True, True, -abs(level - natural)
        joined = below == level + 1 if _needs_block(line) else below == level and after[0].tokens[0].value == "else"
        return needed, below <= level + own, joined, below == level, -abs(level - natural)

    return max(levels, key=fit, default=levels.start)


def _needs_block(line: Line) -> bool:
    """True if the last sentence of a line must have a block."""
    word = last_sentence(line)
    return word is not None and word.block == MUST


def _wanted_level(line: Line, level: int, before: Line, after: list[Line]) -> int:
    """The level that a line should have for the next one to fit under it; its own where the next one may be wrong."""
    if not after or after[0].column % INDENT or after[0].column // INDENT <= level + takes_block(line):
        return level
    wanted = after[0].column // INDENT - takes_block(line)
    if _needs_block(before) and before.level + 1 == wanted:
        return wanted
    odd = len(after) > 1 and (
        after[1].column == line.column or _needs_block(after[0]) and after[1].column <= after[0].column
    )
    member = line.column > 0 or line.tokens[0].value in MEMBERS
    return (
        wanted
        if member and not takes_block(line) and not odd and wanted <= before.level + takes_block(before)
        else level
    )


def last_sentence(line: Line) -> Word | None:
    """The last sentence of a line, which a block under it would belong to; None for a row or an unknown word."""
    if line.last is None:
        line.last = (_find_last_sentence(line.tokens),)
    return line.last[0]


def _find_last_sentence(tokens: list[Token]) -> Word | None:
    found = TABLE.get(tokens[0].value)
    depth = 0
    for number, token in enumerate(tokens[:-1], 1):
        kind = token.type
        if kind in BRACKET_DEPTH:
            depth += BRACKET_DEPTH[kind]
        elif kind == "COLON" and not depth:
            if found is None or found.terminal == "TYPED":
                return found
            word = TABLE.get(tokens[number].value)
            if word is None or word.terminal not in STARTS | {"IF"}:
                return None
            found = word
    return found


def takes_block(line: Line) -> bool:
    """True if a line may have a block under it: by its last sentence, or as a row that is no answer of a seat."""
    word = last_sentence(line)
    if word is None:
        values = [token.value for token in line.tokens]
        return "chooses" not in values[1:] and "gives" not in values[1:]
    return word.block != NEVER


def _looks_like_declaration(tokens: list[Token]) -> bool:
    """True for a line that may stand in column 1, perhaps with a misspelt word: it begins with no other known word and
    is no row."""
    row = TABLE.get(tokens[0].value)
    after = tokens[1].type if len(tokens) > 1 else "COLON"
    if after in ("COLON", "DOT", "LSQB", "LPAR"):
        return False
    return row is None or row.word in TOP_LEVEL
