"""The bench measures what it says, on a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import bench, cli


def test_figures_are_medians_with_spread() -> None:
    figure = bench.Figure("copy", "copy of the store", "microseconds", (3.0, 1.0, 2.0))
    shown = figure.to_json()
    assert (shown["median"], shown["min"], shown["max"]) == (2.0, 1.0, 3.0)
    assert [bench.number(v) for v in (1234.5, 12.345, 0.01234)] == ["1234", "12.35", "0.0123"]


@pytest.mark.soak
def test_every_figure_has_runs_and_a_unit(
    apples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "RUNS", 2)
    monkeypatch.setattr(bench, "LEAST_SECONDS", 0.05)
    monkeypatch.setattr(bench, "COPIES", 100)
    assert cli.run(["bench", "last_apple", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["last_apple"]
    assert list(figures) == ["decisions", "copy", "load_cold", "load_cached", "first_decision", "check_cold"]
    for figure in figures.values():
        assert len(figure["runs"]) == 2
        assert 0 < figure["min"] <= figure["median"] <= figure["max"]
    assert figures["load_cached"]["median"] < figures["load_cold"]["median"]
    assert cli.run(["bench", "last_apple"]) == 0
    assert "per second" in capsys.readouterr().out
