"""A position as the model of a picture: heading, question, map, panels, own cards, legend.

`picture_of` takes a state, the seat of the reader (None: an onlooker) and a language; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dsl.files.phrases import phrase
from interpreter import State
from tools.picture.model.chart import chart
from tools.picture.model.data import Face, FactBlock, Panel, Picture, PrintedFact, PrintedFacts
from tools.picture.model.faces import face_of, hand, shared_face
from tools.picture.model.panels import panels_of
from tools.picture.model.piles import cards_in, with_piles
from tools.picture.model.reader import Reader, Shared
from tools.shows.headings import headings_of
from tools.shows.labels import LEGEND, part_title
from tools.shows.parts import FACE
from tools.shows.presenter import Presenter
from tools.shows.signs import signs_of
from tools.shows.words import name_text


def picture_of(
    state: State, seat: int | None, lang: str, caption: str = "", notes: bool = True, shared: Shared | None = None
) -> Picture:
    """The picture of a position; `caption` stands behind the title; `notes`: with what is told of its things; `shared`:
    what pictures of this position in this language, with or without notes as this one, have shown to all alike."""
    return picture_for(Presenter(state, seat, lang), caption, notes, shared)


def picture_for(presenter: Presenter, caption: str = "", notes: bool = True, shared: Shared | None = None) -> Picture:
    """The same for who has a presenter of the position already, and shows more than the picture."""
    state, seat, lang = presenter.state, presenter.seat, presenter.lang
    planned = state.plan is not None and state.plan.seat == seat  # the position in the middle of an answer is its own
    reader = Reader(presenter, notes, None if planned else shared)
    drawn = reader.part("map", chart)
    panels = panels_of(reader)
    own = hand(reader, set(reader.cards))
    faces = {key: shared_face(reader, key, thing) for key, thing in list(reader.cards.items())}
    title = presenter.game.texts.title(lang)
    shown = [*([own] if own is not None else []), *panels]
    return Picture(
        lang=lang,
        title=f"{title} – {caption}" if caption else title,
        reader=reader_text(presenter),
        headings=tuple(headings_of(presenter)),
        asked=asked_text(presenter),
        chart=drawn,
        panels=tuple(piled(reader, panel, faces) for panel in shown),
        legend_title=part_title(presenter, LEGEND),
        legend=legend_keys(reader),
        signs=reader.part("signs", signs) if drawn is not None else (),
        things=dict(sorted(reader.things.items())),
        faces=dict(sorted(faces.items())),
        drawings=drawings_in(reader),
    )


def piled(reader: Reader, panel: Panel, faces: Mapping[str, Face]) -> Panel:
    """A panel with its piles, made once of the same panel and faces; what is kept holds these, so that no other panel
    can be taken for it."""
    cards = [faces[key] for key in cards_in(panel) if key in faces]
    if not cards:
        return panel

    def read(inner: Reader) -> tuple[Panel, list[Face], Panel]:
        return panel, cards, with_piles(panel, reader.things, faces)

    made: Panel = reader.part(("piled", id(panel), *map(id, cards)), read)[-1]
    return made


def signs(reader: Reader) -> tuple[tuple[str, str], ...]:
    return tuple(signs_of(reader.presenter, everywhere=True).items())


def cards_of(state: State, lang: str, ids: Sequence[str], title: str) -> Picture:
    """A picture of nothing but cards, by their ids, as everybody may see them in this position."""
    reader = Reader(Presenter(state, None, lang))
    presenter = reader.presenter
    parts = []
    for thing in (presenter.game.things[id_] for id_ in ids if id_ in presenter.game.things):
        parts.append(reader.member(thing, FACE))
    panel = PrintedFacts("cards", title, (FactBlock((), ((PrintedFact("", tuple(parts)),),)),))
    faces = {key: face_of(reader, thing) for key, thing in list(reader.cards.items())}
    return Picture(
        lang=lang,
        title=presenter.game.texts.title(lang),
        reader=reader_text(presenter),
        headings=(),
        asked="",
        chart=None,
        panels=(panel,) if parts else (),
        legend_title="",
        legend=(),
        signs=(),
        things=dict(sorted(reader.things.items())),
        faces=dict(sorted(faces.items())),
        drawings=drawings_in(reader),
    )


def drawings_in(reader: Reader) -> dict[str, Any]:
    """The drawings that something is shown with."""
    known = reader.presenter.shows.drawings
    return {name: drawing for name, drawing in sorted(known.items()) if name in reader.images}


def reader_text(presenter: Presenter) -> str:
    if presenter.seat is None:
        return phrase(presenter.lang, "picture", "onlooker")
    return phrase(presenter.lang, "picture", "for_seat", who=seat_text(presenter, presenter.seat))


def asked_text(presenter: Presenter) -> str:
    """A line that says who is asked; the question itself is for the one who answers it."""
    state, lang = presenter.state, presenter.lang
    if state.over:
        return phrase(lang, "picture", "over")
    if state.decision is None:
        return ""
    if state.decision.seat == presenter.seat:
        return state.decision.prompt(lang)
    return phrase(lang, "picture", "asked", who=seat_text(presenter, state.decision.seat))


def seat_text(presenter: Presenter, seat: int) -> str:
    return name_text(presenter, presenter.game.names.seat_thing(seat)).plain


def legend_keys(reader: Reader) -> tuple[str, ...]:
    """The things shown by their letters, kind by kind in the order of the file; those whose name stands beside them
    anyway are left out."""
    order = {sort: number for number, sort in enumerate(reader.presenter.shows.members)}
    keys = [key for key in reader.chips if reader.things[key].mark != reader.things[key].name]
    return tuple(sorted(keys, key=lambda key: order.get(key.partition(".")[0], len(order))))
