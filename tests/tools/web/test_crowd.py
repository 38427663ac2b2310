"""A crowd at one server: fifty tables, a hundred and seventy-five viewers, whose answers all arrive."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tools.web.site import running

pytest.importorskip("httpx2", reason="the crowd speaks HTTP by httpx2")

from tests.tools.web.crowd import Crowd  # noqa: E402

pytestmark = pytest.mark.soak
TABLES, VIEWERS = 50, 175


@pytest.mark.parametrize("game", ["dominant_species", "through_the_ages"])
def test_fifty_tables(game: str, tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite") as site:
        crowd = Crowd(site.home, think=4.0, seconds=20.0)
        asyncio.run(crowd.play(game, TABLES, VIEWERS))
        assert len(site.rooms.open) == TABLES and not [room.fault for room in site.rooms.open.values() if room.fault]
        answers = sum(len([e for e in room.table.state.log if e.seat < 3]) for room in site.rooms.open.values())
    waits = sorted(crowd.waits)
    told = (
        f"{game}: {len(waits) / crowd.seconds:.0f} answers a second, seen after {1000 * waits[len(waits) // 2]:.0f} ms,"
        f" 95 of 100 within {1000 * waits[len(waits) * 95 // 100]:.0f} ms;"
        f" {crowd.characters // crowd.messages} characters a message"
    )
    print(told)
    assert not crowd.faults and answers >= len(waits) > TABLES, told
