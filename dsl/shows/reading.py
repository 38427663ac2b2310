"""Makes the show-program of what a checked `display.yaml` says.

`show_program` is called by the driver when all passes have found nothing wrong, and by tests; it takes the plain data
of the file and checks nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dsl.shows.chart import LayerLook, MapLayer, ShownMap
from dsl.shows.panels import (
    FactList,
    FactRows,
    LaneTrack,
    MemberGroups,
    MemberTable,
    PanelContent,
    PanelMembers,
    ShowPanel,
    SpaceTrack,
)
from dsl.shows.program import MemberSign, ShownFace, ShowProgram, ToldChange
from dsl.shows.spec import ShowSpec

Plain = Mapping[str, Any]
NO_COLOUR = "none"


def show_program(display: Plain, drawings: Plain | None = None) -> ShowProgram:
    """A display file as a typed program; all is shown in plain lists where there is none."""
    if not display:
        return ShowProgram()
    members = {kind: {id_: sign(one) for id_, one in (signs or {}).items()}
               for kind, signs in (display.get("members") or {}).items()}  # fmt: skip
    return ShowProgram(
        members=members,
        faces={kind: face(one or {}) for kind, one in (display.get("faces") or {}).items()},
        map=shown_map(display["map"]) if display.get("map") else None,
        panels=tuple(found for one in display.get("panels") or () if (found := panel(one)) is not None),
        preview=specs(display.get("preview")),
        confirm=words(display.get("confirm")),
        told=tuple(map(told, display.get("told") or ())),
        drawings=drawings or {},
    )


def spec(given: Any) -> ShowSpec:
    """A name, or a block that says how it is shown."""
    if not isinstance(given, Mapping):
        return ShowSpec(str(given))
    by, where = (spec(given[key]).of if given.get(key) else "" for key in ("by", "where"))
    return ShowSpec(str(given["of"]), given.get("as") or "", by, str(given.get("label") or ""), where)


def some(given: Plain, key: str) -> ShowSpec | None:
    return spec(given[key]) if given.get(key) is not None else None


def specs(given: Iterable[Any] | None) -> tuple[ShowSpec, ...]:
    return tuple(map(spec, given or ()))


def words(given: Iterable[Any] | None) -> tuple[str, ...]:
    return tuple(map(str, given or ()))


def rows(given: Iterable[Any] | None) -> tuple[tuple[ShowSpec, ...], ...]:
    """Rows of what is shown; one alone in its row needs no list."""
    return tuple(specs(row if isinstance(row, list) else [row]) for row in given or ())


def sign(given: Plain) -> MemberSign:
    return MemberSign(*(str(given.get(key, "")) for key in ("glyph", "colour", "paint", "icon", "pattern")))


def face(given: Plain) -> ShownFace:
    facts = specs(given["facts"]) if "facts" in given else None
    return ShownFace(str(given.get("colour", "")), some(given, "band"), some(given, "corner"), facts)


# ------------------------------------------------------------ the map


def shown_map(given: Plain) -> ShownMap:
    return ShownMap(
        scale=pair(given.get("scale")) or ShownMap().scale,
        unit=pair(given.get("unit")),
        image=str(given.get("image", "")),
        ground=str(given.get("ground", "")),
        narrowest=given.get("narrowest") or 0,
        layers=tuple(map(layer, given.get("layers") or ())),
    )


def layer(given: Plain) -> MapLayer:
    at = given.get("at")
    return MapLayer(
        kind=str(given.get("kind", "")),
        written=look(given),
        drawn=look({**given, **(given.get("picture") or {})}),
        places={id_: (x, y) for id_, (x, y) in at.items()} if isinstance(at, Mapping) else {},
        coordinates=specs(at) if isinstance(at, list) else (),
        on=some(given, "on"),
        show_if=some(given, "show_if"),
        regions={name: words(ids) for name, ids in (given.get("regions") or {}).items()},
    )


def look(given: Plain) -> LayerLook:
    """The look of a layer; `colour: none` in a picture takes away the colour that it has in a terminal."""
    return LayerLook(
        shape=str(given.get("shape", "point")),
        size=pair(given.get("size")),
        shift=pair(given.get("shift")) or (0, 0),
        ground=str(given.get("ground", "")),
        colour=some(given, "colour") if given.get("colour") != NO_COLOUR else None,
        blank=str(given["blank"] or "") if "blank" in given else None,
        lines=rows(given.get("lines")),
        skip=bool(given.get("skip")),
    )


def pair(given: Any) -> tuple[int, int] | None:
    return (given[0], given[1]) if given else None


# ------------------------------------------------------------ panels


def panel(given: Plain) -> ShowPanel | None:
    """A panel; None where it says nothing of what is in it."""
    content = content_of(given)
    head = (str(given.get(key) or "") for key in ("title", "side", "only"))
    return ShowPanel(str(given["id"]), content, *head) if content is not None else None


def content_of(given: Plain) -> PanelContent | None:
    per = PanelMembers(str(given["per"]), some(given, "where")) if given.get("per") else None
    columns, track = specs(given.get("columns")), given.get("track")
    spaces = track if isinstance(track, list) else []
    if "show" in given:
        return FactList(specs(given["show"]))
    if "rows" in given:
        return FactRows(rows(given["rows"]), per)
    if per is not None and spaces:
        step = spaces[2] if len(spaces) > 2 else 1
        return SpaceTrack(per, spec(given["at"]), end(spaces[0]), end(spaces[1]), step, columns)
    if per is not None and track is not None:
        return LaneTrack(per, spec(track), specs(given.get("borders")), some(given, "labels"))
    if per is not None:
        return MemberTable(per, columns, given.get("as") == "face")
    if "group" in given:
        by = given.get("by") or ""  # by a name alone, the rows are called as the rules call them
        named = ShowSpec(by, "text") if isinstance(by, str) else spec(by)
        return MemberGroups(str(given["group"]), named, specs(given.get("cells")), "flow" in given)
    return None


def end(given: Any) -> int | ShowSpec:
    """An end of a track: a number, or the name of one."""
    return spec(given) if isinstance(given, str) else int(given)


def told(given: Plain) -> ToldChange:
    return ToldChange(
        id=str(given["id"]),
        per=str(given.get("per") or ""),
        come=specs(given.get("come")),
        change=some(given, "change"),
        changes=specs(given.get("changes")),
        during=words(given.get("during")),
        causes=words(given.get("as")),
        run=words(given.get("run")),
        without=words(given.get("without")),
    )
