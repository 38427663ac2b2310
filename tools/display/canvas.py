"""A grid of terminal cells for texts and shapes, returned line by line.

A wide character takes two cells; later writes replace earlier ones. Knows nothing about games.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

EMPTY = (" ", "")


class Canvas:
    """Rows and columns may be negative; `lines` begins at the topmost and leftmost cell in use."""

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

    def lines(self) -> list[Text]:
        if not self.cells:
            return []
        columns = [c for c, _ in self.cells]
        rows = [r for _, r in self.cells]
        found = []
        for row in range(min(rows), max(rows) + 1):
            line = Text()
            for column in range(min(columns), max(columns) + 1):
                character, style = self.cells.get((column, row), EMPTY)
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
    """The text if it fits, else its beginning."""
    if cell_len(text.plain) <= width:
        return text
    short = text.copy()
    short.truncate(max(0, width), overflow="crop")
    return short
