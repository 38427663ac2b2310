"""Lines of text: joined, wrapped at the width of a terminal, and tables in aligned columns.

Widths are in cells, so that a wide character counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

DIM = "dim"
BREAK_AFTER = "、。，．；"
NEVER_FIRST = BREAK_AFTER + "：！？）」』】〉》ー・" + "ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
NEVER_LAST = "（「『【〈《"
LEAST_OF_WORD = 8  # cells of a broken word on its first line


def pad(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def join_nonempty(parts: Sequence[Text]) -> Text:
    """The non-empty parts, joined by spaces."""
    return Text(" ").join(p for p in parts if p.plain)


def fit_table(table: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """The table in as many blocks, one below the other, as the width requires; each begins with the first column."""
    widths = [max(cell_len(row[i].plain) for row in table) for i in range(len(table[0]))]
    rows: list[Text] = []
    block, used = [0], 2 + widths[0]
    for i in range(1, len(widths) + 1):
        if len(block) > 1 and (i == len(widths) or used + 2 + widths[i] > width):
            rows += align_columns([[row[j] for j in block] for row in table], width)
            block, used = [0], 2 + widths[0]
        if i < len(widths):
            block.append(i)
            used += 2 + widths[i]
    return rows or align_columns(table, width)


def align_columns(table: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Rows in aligned columns; numbers are right-aligned, and a last cell that is too long is wrapped."""
    widths = [max(cell_len(row[i].plain) for row in table) for i in range(len(table[0]))]
    numbers = [all(not r[i].plain or r[i].plain.lstrip("-").isdecimal() for r in table[1:]) for i in range(len(widths))]
    before = 2 + sum(n + 2 for n in widths[:-1])
    rows: list[Text] = []
    for *cells, last in table:
        row = Text("  ")
        for i, cell in enumerate(cells):
            space = " " * (widths[i] - cell_len(cell.plain))
            row.append_text(Text(space) + cell if numbers[i] and i else cell + Text(space))
            row.append("  ")
        if numbers[-1] and cells:
            row.append(" " * (widths[-1] - cell_len(last.plain)))
        for line in wrap_items(row, [last], width, before):
            line.rstrip()
            rows.append(line)
    return rows


def wrap_items(first: Text, items: Sequence[Text], width: int, indent: int) -> list[Text]:
    """Items after `first`, on as many lines as they need; an item longer than a line is broken at its spaces, a word
    longer than a line at the end of the line, and so is a word in wide letters, which has no spaces, in one that is
    broken anyway."""
    room = max(width - indent, 2)
    rows, row, empty = [], first, True
    for item in items:
        whole = len(items) > 1 and cell_len(item.plain) <= room
        for number, piece in enumerate([item] if whole else item.split(" ")):
            between = "  " if len(items) > 1 and not number else " "
            breaks = cell_len(piece.plain) > room or not whole and is_wide(piece.plain)
            needed = min(cell_len(piece.plain), room, LEAST_OF_WORD) if breaks else cell_len(piece.plain)
            if not empty and cell_len(row.plain) + len(between) + needed > width:
                rows.append(row)
                row, empty = Text(" " * indent), True
            if not empty:
                row.append(between)
            while breaks and cell_len(row.plain) + cell_len(piece.plain) > width:
                end = break_position(piece, width - cell_len(row.plain))
                rows.append(row + piece[:end])
                row, piece = Text(" " * indent), piece[end:]
            row.append_text(piece)
            empty = False
    return [*rows, row]


def is_wide(text: str) -> bool:
    """True if some of its letters take two cells, as those of Japanese, between which a line may end."""
    return cell_len(text) > len(text)


def splits_badly(text: str, end: int) -> bool:
    """True if a line that ends here would begin the next one with a closing mark, or divide a number or Latin word."""
    before, after = text[end - 1], text[end]
    return after in NEVER_FIRST or before in NEVER_LAST or (before + after).isascii() and (before + after).isalnum()


def break_position(piece: Text, width: int) -> int:
    """The number of characters of a piece that go on a line of `width` cells: up to the last comma if that is more than
    half of them, else as many as can be without a bad break."""
    text, end, used = piece.plain, 0, 0
    while end < len(text) and used + cell_len(text[end]) <= width:
        used += cell_len(text[end])
        end += 1
    comma = max(text.rfind(mark, 0, end) for mark in BREAK_AFTER) + 1
    if end < len(text) and comma > end / 2:
        return comma
    good = end
    while 1 < good < len(text) and splits_badly(text, good):
        good -= 1
    return max(good if good > 1 else end, 1)
