"""The tiles of the game of pentominoes: twelve different ones, each with all the poses in which it looks different."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from dsl.ir.lattices import turned

Shape = frozenset[tuple[int, int]]
DATA: dict[str, Any] = yaml.safe_load(
    (Path(__file__).resolve().parents[2] / "rulesets/pentominoes/data/tiles.yaml").read_text(encoding="utf-8")
)
TILES, POSES = DATA["Tile"], DATA["Pose"]


def laid(tile: str, pose: str) -> Shape:
    """A tile in a pose, in the upper left corner."""
    how = POSES[pose]
    squares = zip(TILES[tile]["x"], TILES[tile]["y"], strict=True)
    shown = [turned("square", *((y, x) if how.get("mirrored") else (x, y)), how["turn"]) for x, y in squares]
    left, top = min(x for x, _ in shown), min(y for _, y in shown)
    return frozenset((x - left, y - top) for x, y in shown)


def test_a_tile_lists_the_poses_in_which_it_looks_different() -> None:
    for tile, record in TILES.items():
        shapes = [laid(tile, pose) for pose in record["poses"]]
        assert len(set(shapes)) == len(shapes), f"{tile}: two poses look alike"
        assert set(shapes) == {laid(tile, pose) for pose in POSES}, f"{tile}: a pose is missing"


def test_the_tiles_are_the_twelve_ways_to_join_five_squares() -> None:
    grown: set[Shape] = {frozenset({(0, 0)})}
    for _ in range(4):
        beside = {
            shape | {(x + dx, y + dy)}
            for shape in grown
            for x, y in shape
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        }
        grown = {
            frozenset((x - min(a for a, _ in s), y - min(b for _, b in s)) for x, y in s)
            for s in beside
            if len(s) > len(next(iter(grown)))
        }
    listed = [laid(tile, pose) for tile, record in TILES.items() for pose in record["poses"]]
    assert len(listed) == 63 and set(listed) == grown
