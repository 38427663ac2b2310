"""The signs that `display.yaml` puts before what it shows, with what each of them means."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.shows.panels import MemberGroups
from dsl.shows.spec import ShowSpec
from tools.shows.labels import name_of
from tools.shows.presenter import Presenter


def signs_of(presenter: Presenter, everywhere: bool) -> dict[str, str]:
    """Each sign before something on the map, or also in a row of things, with the name of what it stands before."""
    found: dict[str, str] = {}
    for kind, spec in labelled_shows(presenter, everywhere):
        sign = presenter.label(spec).strip()
        if sign and not any(character.isalnum() for character in sign):
            own = presenter.title(f"kind.{kind}", kind) if spec.of == "id" else ""
            found.setdefault(sign, own or name_of(presenter, spec.of, "display", kind))
    return found


def labelled_shows(presenter: Presenter, everywhere: bool) -> Iterator[tuple[str, ShowSpec]]:
    """All shows before which a sign may stand, each with the kind that it is shown of."""
    shows = presenter.shows
    for layer in shows.map.layers if shows.map is not None else ():
        yield from ((layer.kind, spec) for line in layer.written.lines for spec in line)
    for panel in shows.panels or () if everywhere else ():
        if isinstance(panel.content, MemberGroups):
            yield from ((panel.content.kind, spec) for spec in panel.content.cells)
