"""The grammar in EBNF, from `rules.lark`: without the names of callbacks, with signs and words in place of terminals.

Left recursion, which the parser wants, becomes repetition in braces, which people read.
"""

from __future__ import annotations

import re

from dsl.base.record import dataclass
from dsl.syntax.grammar import GRAMMAR
from dsl.syntax.lexer import OPERATORS
from dsl.syntax.vocabulary import CLASSES

INTERNAL = "BROKEN"  # a line that could not be read; no text has it
WIDTH = 100  # an alternative that is longer stands on a line of its own

_RULE = re.compile(r"^\??(\w+):(.*(?:\n +\|.*)*)", re.MULTILINE)
_NAME = re.compile(r"\b[A-Z]+\b")


@dataclass(frozen=True, slots=True)
class Production:
    """A rule of the grammar: its name and its alternatives, as in `rules.lark`; an empty one is an empty text."""

    name: str
    alternatives: tuple[str, ...]

    def ebnf(self) -> str:
        """The rule as one definition, which ends with `;`."""
        first = [spelt(a) for a in self.alternatives if a and not a.startswith(f"{self.name} ")]
        again = [spelt(a.removeprefix(f"{self.name} ")) for a in self.alternatives if a.startswith(f"{self.name} ")]
        begun = laid_out(first, len(self.name) + 5 if again and len(first) > 1 else len(self.name) + 1)
        if "" in self.alternatives:
            begun = f"[ {begun} ]" if first else ""
        elif again and len(first) > 1:
            begun = f"( {begun} )"
        if not again:
            return f"{self.name} = {begun} ;"
        repeated = f"{{ {' | '.join(again)} }}"
        between = f"\n{' ' * (len(self.name) + 3)}" if "\n" in begun else " " if begun else ""
        return f"{self.name} = {begun}{between}{repeated} ;"


def productions() -> list[Production]:
    """All rules of the grammar in their order, without what only the parser sees."""
    text = re.sub(r"^//.*\n", "", GRAMMAR.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = []
    for name, body in _RULE.findall(text):
        alternatives = (re.sub(r"->.*", "", part).strip() for part in _at_bars(body))
        found.append(Production(name, tuple(a for a in alternatives if INTERNAL not in a.split())))
    return found


def _at_bars(body: str) -> list[str]:
    """The parts between the bars that stand in no bracket."""
    parts, depth = [""], 0
    for sign in body:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def spellings() -> dict[str, tuple[str, ...]]:
    """Terminal -> the words and signs that it stands for; names, numbers, texts and layout have none."""
    found: dict[str, list[str]] = {}
    for word, terminals in CLASSES.items():
        for terminal in terminals:
            found.setdefault(terminal, []).append(word)
    for sign, terminal in OPERATORS.items():
        found.setdefault(terminal, []).append(sign)
    return {terminal: tuple(sorted(signs, key=lambda s: (not s[0].isalpha(), s))) for terminal, signs in found.items()}


def spelt(alternative: str) -> str:
    """An alternative with the sign or word in place of each terminal that stands for one alone."""
    known = spellings()

    def sign(found: re.Match[str]) -> str:
        signs = known.get(found[0], ())
        return f'"{signs[0]}"' if len(signs) == 1 else found[0]

    return _NAME.sub(sign, alternative)


def laid_out(alternatives: list[str], column: int) -> str:
    """Alternatives on one line if they fit, else one a line with the bars below one another at this column."""
    line = " | ".join(alternatives)
    return line if column + len(line) <= WIDTH else f"\n{' ' * column}| ".join(alternatives)


def grammar() -> str:
    """The whole grammar, one definition after the other."""
    return "\n".join(production.ebnf() for production in productions()) + "\n"


def classes() -> str:
    """The terminals that stand for several words or signs, with all of them, as rows of a table."""
    rows = ["| Class | Words and signs |", "| --- | --- |"]
    for terminal, signs in sorted(spellings().items()):
        if len(signs) > 1:
            rows.append(f"| `{terminal}` | {' '.join(f'`{sign}`' for sign in signs)} |")
    return "\n".join(rows) + "\n"
