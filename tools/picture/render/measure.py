"""Approximate widths of texts for an unknown font: where a line ends, and where it is cut.

Widths are in units of a picture for a size of letters in the same units; rather too wide than too narrow.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import combining, east_asian_width

from dsl.base.visible import visible
from tools.drawing.lines import NEVER_FIRST

CUT = "…"
BOLD = 1.09  # of the width of other letters
WIDTHS = {
    **dict.fromkeys("iljI'|!.,:;`", 0.32),
    **dict.fromkeys('ftr()[]{} -/"', 0.42),
    **dict.fromkeys("mwMW@%—…", 0.95),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&", 0.72),
}
OTHERS, WIDE = 0.62, 1.02


@lru_cache(maxsize=20_000)  # the same words are measured over and over
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of one line, in which signs that would act are spelt out."""
    return sum(map(letter_width, visible(text))) * size * (BOLD if bold else 1)


@lru_cache(maxsize=5_000)
def letter_width(letter: str) -> float:
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF":
        return WIDE
    return WIDTHS.get(letter, OTHERS)


@lru_cache(maxsize=20_000)
def words(text: str) -> tuple[tuple[str, bool], ...]:
    """The pieces between which a line may end, each with whether a space stands before it: words, and single wide
    letters with the closing marks behind them."""
    found: list[tuple[str, bool]] = []
    for word in text.split():
        piece, spaced = "", True
        for letter in word:
            wide = east_asian_width(letter) in "WF"
            if piece and letter not in NEVER_FIRST and (wide or east_asian_width(piece[-1]) in "WF"):
                found.append((piece, spaced))
                piece, spaced = "", False
            piece += letter
        if piece:
            found.append((piece, spaced))
    return tuple(found)


def cut(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text if it is no wider than this, else its beginning with a sign that it goes on."""
    if text_width(text, size, bold) <= width:
        return text
    text, unit, used = visible(text), size * (BOLD if bold else 1), 0.0
    for place, letter in enumerate(text):
        used += letter_width(letter)
        if (used + letter_width(CUT)) * unit > width:
            return text[:place].rstrip() + CUT
    return text


def wrap(text: str, width: float, size: float, most: int = 0, bold: bool = False) -> list[str]:
    """The text in lines of this width; with `most` in no more lines than that, the last of which is cut."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word, spaced in words(paragraph):
            longer = f"{line} {word}" if spaced and line else line + word
            if line and text_width(longer, size, bold) > width:
                lines.append(line)
                longer = word
            line = longer
        if line:
            lines.append(line)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + CUT]
    return [cut(line, width, size, bold) for line in lines]
