"""The words beside what is shown: titles of panels and parts, labels of SHOWs, heads of columns."""

from __future__ import annotations

from dsl.shows.panels import ShowPanel
from dsl.shows.spec import ShowSpec
from tools.shows.messages import message
from tools.shows.presenter import Presenter

MAP, LEGEND = "map", "legend"  # ids of these parts


def panel_title(presenter: Presenter, panel: ShowPanel) -> str:
    """The title of a panel: that of the file, a text or the address of one, else the text `display.<id>`."""
    title = (presenter.game.texts.find(presenter.lang, panel.title) or panel.title) if panel.title else ""
    return title or presenter.title(f"display.{panel.id}", panel.id)


def part_title(presenter: Presenter, part: str) -> str:
    """The title of the map or the legend: the text `display.map` or `display.legend`, else that of the terminal."""
    return presenter.game.texts.find(presenter.lang, f"display.{part}") or message(presenter.lang, f"{part}_title")


def label_of(presenter: Presenter, spec: ShowSpec, *owners: str) -> str:
    """The label of a SHOW, else what its name is called for one of these owners."""
    return presenter.label(spec) or name_of(presenter, spec.of, *owners)


def name_of(presenter: Presenter, name: str, *owners: str) -> str:
    return presenter.title(*(f"{owner}.{name}" for owner in owners), name)
