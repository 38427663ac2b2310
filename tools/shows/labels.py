"""The words beside what is shown: titles of panels and parts, labels of SHOWs, heads of columns."""

from __future__ import annotations

from typing import Any

from tools.shows.messages import message
from tools.shows.presenter import Presenter

MAP, LEGEND = "map", "legend"  # ids of these parts


def panel_title(presenter: Presenter, spec: dict[str, Any]) -> str:
    """The title of a panel: that of the file, a text or the address of one, else the text `display.<id>`."""
    own = str(spec.get("title") or "")
    title = presenter.game.texts.find(presenter.lang, own) or own if own else ""
    return title or presenter.title(f"display.{spec['id']}", str(spec["id"]))


def part_title(presenter: Presenter, part: str) -> str:
    """The title of the map or the legend: the text `display.map` or `display.legend`, else that of the terminal."""
    return presenter.game.texts.find(presenter.lang, f"display.{part}") or message(presenter.lang, f"{part}_title")


def label_of(presenter: Presenter, spec: Any, *owners: str) -> str:
    name = str(spec.get("of", "")) if isinstance(spec, dict) else str(spec)
    return presenter.label(spec) or presenter.title(*(f"{owner}.{name}" for owner in owners), name)


def without_label(spec: Any) -> Any:
    """A SHOW without its label, for a label that has its own column."""
    return {**spec, "label": ""} if isinstance(spec, dict) else spec


def column_heading(presenter: Presenter, kind: str, spec: Any) -> str:
    return label_of(presenter, spec, "display", kind)
