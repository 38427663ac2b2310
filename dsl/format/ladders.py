"""The rewriter of ladders: chains of `if` that tell members apart become `depending on` with its cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.format.edits import Edit, OwnNames
from dsl.syntax.lexer import CLOSING, OPENING, Line, Token


def cases(lines: Sequence[Line], text: str, own: OwnNames) -> Iterator[Edit]:
    """`if x is a: ... else if x is b: ...` over members as `depending on x` with a `case` for each."""
    for at, line in enumerate(lines):
        branches = _branches(lines, at, text, own) if line.tokens[0].type == "IF" else []
        if len(branches) < 2 or not _cover_all(lines, branches, own):
            continue
        margin = text[text.rfind("\n", 0, line.start) + 1 : line.start]
        head, *_ = branches[0][1]
        for number, (place, (_, members)) in enumerate(branches):
            first = lines[place].tokens[0]
            test = lines[place].tokens[1 : _end_of_test(lines[place].tokens)]
            before = f"depending on {head}\n{margin}" if number == 0 else ""
            yield first.start, test[-1].end, f"{before}    case {', '.join(members)}"
            last = place + 1
            while last < len(lines) and lines[last].level > line.level:
                last += 1
            is_last = number == len(branches) - 1
            end = lines[last - 1].end if is_last else lines[last].start
            yield from _deeper(text, test[-1].end, end, margin, is_last)


def _branches(lines: Sequence[Line], at: int, text: str, own: OwnNames) -> list[tuple[int, tuple[str, list[str]]]]:
    """The places of the lines of a chain of branches that compare the same with members, each with what it compares
    and the members; none where one has another condition."""
    found: list[tuple[int, tuple[str, list[str]]]] = []
    for place in range(at, len(lines)):
        line = lines[place]
        if line.level > lines[at].level:
            continue
        if line.level < lines[at].level or place > at and line.tokens[0].type != "ELSEIF":
            break
        compared = _compared(line.tokens[1 : _end_of_test(line.tokens)], text, own)
        if compared is None or found and compared[0] != found[0][1][0]:
            return []
        found.append((place, compared))
    return found


def last_part(name: str) -> str:
    """`apple` of `Fruit.apple`."""
    return name.split(".")[-1]


def _cover_all(lines: Sequence[Line], branches: Sequence[tuple[int, tuple[str, list[str]]]], own: OwnNames) -> bool:
    """True if an `else` follows the branches, or they name all members."""
    last, _ = branches[-1]
    level = lines[last].level
    after = next((line for line in lines[last + 1 :] if line.level <= level), None)
    if after is not None and after.level == level and after.tokens[0].type == "ELSE":
        return True
    return own.are_all_members(last_part(name) for _, (_, members) in branches for name in members)


def _end_of_test(tokens: Sequence[Token]) -> int:
    """The place behind the condition of a branch."""
    return next((at for at in _outside(tokens) if tokens[at].type == "COLON"), len(tokens))


def _outside(tokens: Sequence[Token]) -> Iterator[int]:
    """The places of the tokens that stand in no brackets."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token.value in OPENING) - (token.value in CLOSING)
        if depth == 0 and token.value not in CLOSING:
            yield at


def _compared(test: Sequence[Token], text: str, own: OwnNames) -> tuple[str, list[str]] | None:
    """The thing that a condition compares with members, and these: `x is a or x is b`, `x in {a, b}`; or None."""
    head = ""
    members: list[str] = []
    ends = [at for at in _outside(test) if test[at].type == "OR"]
    for begin, end in zip([-1, *ends], [*ends, len(test)], strict=True):
        part = test[begin + 1 : end]
        at = next((at for at in _outside(part) if part[at].type in ("COMPARE", "IN")), 0)
        if not at or "#" in text[part[0].start : part[-1].end]:
            return None
        said = text[part[0].start : part[at - 1].end]
        right = part[at + 1 :]
        if part[at].value == "in" and len(right) > 1 and right[0].value == "{":
            right = right[1:-1]
        elif part[at].value != "is" or any(token.type == "COMMA" for token in right):
            return None
        names = " ".join(token.value for token in right).replace(" . ", ".").split(" , ")
        if head and said != head or not own.are_members(map(last_part, names)):
            return None
        head, members = said, members + names
    return head, members


def _deeper(text: str, begin: int, end: int, margin: str, is_last: bool) -> Iterator[Edit]:
    """Four blanks more before each line of a branch, and before the comments above the next one."""
    at = text.find("\n", begin)
    while 0 <= at < (len(text) if is_last else end):
        following = text.find("\n", at + 1)
        line = text[at + 1 : following if following >= 0 else len(text)]
        own_margin = line[: len(line) - len(line.lstrip())]
        if at >= end and not (line.lstrip().startswith("#") and len(own_margin) > len(margin)):
            return
        if line.strip() and (is_last or at + 1 + len(own_margin) < end):
            yield at + 1, at + 1, "    "
        at = following
