"""The signs that `display.yaml` puts before what it shows, with what each of them means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.shows.labels import label_of, without_label
from tools.shows.presenter import Presenter, subject


def signs_of(presenter: Presenter, everywhere: bool) -> dict[str, str]:
    """Each sign before something on the map, or also in a row of things, with the name of what it stands before."""
    display = presenter.program.display
    shown = [(layer, part) for layer in (display.get("map") or {}).get("layers") or [] for part in layer_shows(layer)]
    if everywhere:
        groups = [panel for panel in display.get("panels") or [] if "group" in panel]
        shown += [(panel, part) for panel in groups for part in panel.get("cells") or []]
    found: dict[str, str] = {}
    for owner, part in shown:
        sign = presenter.label(part).strip()
        if sign and not any(character.isalnum() for character in sign):
            kind = str(owner.get("kind") or owner.get("group"))
            own = presenter.title(f"kind.{kind}", kind) if subject(part) == "id" else ""
            found.setdefault(sign, own or label_of(presenter, without_label(part), "display", kind))
    return found


def layer_shows(layer: dict[str, Any]) -> Iterator[Any]:
    for line in layer.get("lines") or []:
        yield from line
