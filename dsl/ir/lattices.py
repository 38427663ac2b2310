"""The geometry of a lattice: which cells there are, how they are numbered, what lies beside what.

Cells are numbered from 0, sheet by sheet and row by row, and rows go from top to bottom. Hexes are pointy, in axial
coordinates: q counts to the right, r to the lower right. This module knows numbers only; what a cell is in a program
says `DomainInfo.lattice`.
"""

from __future__ import annotations

from dsl.base.record import dataclass

HEX, SQUARE = "hex", "square"
AXES = {HEX: ("q", "r"), SQUARE: ("x", "y")}
SHEET = "sheet"
TURNS = {HEX: 6, SQUARE: 4}  # steps that make a whole turn


@dataclass(frozen=True, slots=True)
class Lattice:
    """A grid of cells with coordinates, of squares or hexes. `columns` and `rows` are the lowest and the highest
    coordinate; `sheets` is 0 where cells have no sheet. With `wraps` both coordinates go round."""

    shape: str
    columns: tuple[int, int]
    rows: tuple[int, int]
    sheets: int = 0
    wraps: bool = False

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return (*AXES[self.shape], SHEET) if self.sheets else AXES[self.shape]

    @property
    def width(self) -> int:
        return self.columns[1] - self.columns[0] + 1

    @property
    def height(self) -> int:
        return self.rows[1] - self.rows[0] + 1

    @property
    def size(self) -> int:
        """The number of cells on all sheets."""
        return self.width * self.height * max(1, self.sheets)

    def find(self, column: int, row: int, sheet: int = 1) -> int | None:
        """The number of the cell with these coordinates; None outside of the board."""
        column, row = column - self.columns[0], row - self.rows[0]
        if self.wraps:
            column, row = column % self.width, row % self.height
        if not 0 <= column < self.width or not 0 <= row < self.height or not 1 <= sheet <= max(1, self.sheets):
            return None
        return ((sheet - 1) * self.height + row) * self.width + column

    def coordinates(self, cell: int) -> tuple[int, ...]:
        """The coordinates of a cell by its number: column and row, and its sheet if there are sheets."""
        rest, column = divmod(cell, self.width)
        sheet, row = divmod(rest, self.height)
        found = (column + self.columns[0], row + self.rows[0])
        return (*found, sheet + 1) if self.sheets else found

    def beside(self, cell: int) -> tuple[int, ...]:
        """The cells that have an edge in common with a cell."""
        column, row, *sheet = self.coordinates(cell)
        steps = (turned(self.shape, 1, 0, k) for k in range(TURNS[self.shape]))
        found = (self.find(column + q, row + r, *sheet) for q, r in steps)
        return tuple(sorted({n for n in found if n is not None and n != cell}))


def turned(shape: str, column: int, row: int, steps: int) -> tuple[int, int]:
    """An offset after so many steps clockwise, of 60 degrees for hexes, of 90 for squares."""
    for _ in range(steps % TURNS[shape]):
        column, row = -row, (column + row if shape == HEX else column)
    return column, row


def cell_id(name: str, coordinates: tuple[int, ...]) -> str:
    """The id of the cell of a lattice: `spot_1_m2` for `Spot(1, -2)`."""
    parts = (f"m{-n}" if n < 0 else str(n) for n in coordinates)
    return "_".join((name[:1].lower() + name[1:], *parts))


def written(coordinates: tuple[int, ...]) -> str:
    """A cell as people write it: `(1, -2)`."""
    return f"({', '.join(map(str, coordinates))})"
