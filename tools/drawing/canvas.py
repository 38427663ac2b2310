"""A grid of terminal cells for texts and shapes, returned line by line.

A wide character takes two cells; later writes replace earlier ones. Knows nothing about games.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

EMPTY = (" ", "")
CUT = "…"  # stands where a text goes on


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of cells; all four edges belong to it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    def fits(self, width: int, height: int) -> bool:
        return self.width <= width and self.height <= height

    def union(self, other: Box | None) -> Box:
        """The smallest box that holds both."""
        if other is None:
            return self
        left, top = min(self.left, other.left), min(self.top, other.top)
        return Box(left, top, max(self.right, other.right), max(self.bottom, other.bottom))

    def enlarged(self, columns: int, rows: int, within: Box) -> Box:
        """This box with so many columns and rows more on each side, as far as `within` goes."""
        left, top = max(self.left - columns, within.left), max(self.top - rows, within.top)
        return Box(left, top, min(self.right + columns, within.right), min(self.bottom + rows, within.bottom))

    def grown(self, columns: int, rows: int, within: Box) -> Box:
        """This box grown on all sides to this size, as far as `within` goes: what one side lacks, the other has."""
        left = max(within.left, min(self.left - (columns - self.width) // 2, within.right - columns + 1))
        top = max(within.top, min(self.top - (rows - self.height) // 2, within.bottom - rows + 1))
        return Box(left, top, min(left + columns - 1, within.right), min(top + rows - 1, within.bottom))

    def columns(self, width: int) -> list[Box]:
        """This box in boxes of this width, from the left."""
        starts = range(self.left, self.right + 1, width)
        return [Box(left, self.top, min(left + width - 1, self.right), self.bottom) for left in starts]


class Canvas:
    """Rows and columns may be negative; `bounds` holds the cells in use."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, column: int, row: int, character: str, style: str = "") -> None:
        """Put one character; a wide one takes the next cell as well."""
        if self.cells.get((column, row), EMPTY)[0] == "":  # the right half of a wide character: its left half goes
            self.cells[column - 1, row] = EMPTY
        if cell_len(self.cells.get((column, row), EMPTY)[0]) == 2:
            self.cells[column + 1, row] = EMPTY
        self.cells[column, row] = (character, style)
        if cell_len(character) == 2:
            self.cells[column + 1, row] = ("", style)

    def write(self, column: int, row: int, text: Text) -> None:
        """Write a text from this cell to the right, with its styles."""
        for character, style in styled_characters(text):
            size = cell_len(character)
            if size == 0:
                continue
            self.put(column, row, character, style)
            column += size

    def centre(self, column: int, row: int, text: Text, width: int) -> None:
        """Write a text centred on this cell, truncated to `width` cells."""
        text = truncate(text, width)
        self.write(column - cell_len(text.plain) // 2, row, text)

    def centre_between(self, left: int, right: int, row: int, text: Text) -> None:
        """Write a text in the middle of the cells from `left` to `right`, truncated to them."""
        text = truncate(text, right - left + 1)
        self.write(left + (right - left + 1 - cell_len(text.plain)) // 2, row, text)

    def bounds(self) -> Box | None:
        """The box of all cells in use; None if there are none."""
        if not self.cells:
            return None
        columns, rows = [c for c, _ in self.cells], [r for _, r in self.cells]
        return Box(min(columns), min(rows), max(columns), max(rows))

    def lines(self, box: Box | None = None) -> list[Text]:
        """The cells of a box (default: all) line by line; of a wide character that the edge cuts, nothing is shown."""
        box = box or self.bounds()
        if box is None:
            return []
        found = []
        for row in range(box.top, box.bottom + 1):
            line = Text()
            for column in range(box.left, box.right + 1):
                character, style = self.cells.get((column, row), EMPTY)
                if column == (box.right if character else box.left) and cell_len(character) != 1:
                    character, style = EMPTY
                line.append(character, style=style or None)
            line.rstrip()
            found.append(line)
        return found


def styled_characters(text: Text) -> list[tuple[str, str]]:
    """(character, style) for each character; the last style that covers it wins."""
    styles = [str(text.style or "")] * len(text.plain)
    for start, end, style in text.spans:
        for i in range(max(0, start), min(end, len(styles))):
            styles[i] = str(style) or styles[i]
    return list(zip(text.plain, styles, strict=True))


def truncate(text: Text, width: int) -> Text:
    """The text if it fits, else its beginning with a sign that it goes on."""
    if cell_len(text.plain) <= width:
        return text
    short = text.copy()
    short.truncate(max(0, width - 1), overflow="crop")
    return short + Text(CUT) if width > 0 else short
