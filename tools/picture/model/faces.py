"""Things as cards: head, corner, a few facts, the printed text; and the cards that only their reader sees.

What a card shows is said by `faces` of `display.yaml` for its kind; without it, its first constants and its text.
"""

from __future__ import annotations

from functools import partial

from dsl.base.types import MemberType
from dsl.files.phrases import phrase
from dsl.shows.program import PLAIN_FACE, ShownFace
from dsl.shows.spec import ShowSpec
from interpreter.rules.layout import holder_dims
from interpreter.visibility.cells import sees_cell
from tools.picture.model.about import constants, printed_text
from tools.picture.model.data import Face, FactBlock, Panel, PrintedFact, PrintedFacts
from tools.picture.model.reader import Reader, piled
from tools.shows.content import ShownValue
from tools.shows.labels import label_of
from tools.shows.parts import FACE, as_list
from tools.shows.words import show_text
from tools.shows.zones import known_contents

HAND = "reader.hand"  # the id of the panel of these; no panel of a ruleset is called so
FEW = 3  # constants on a card that says nothing else about itself


def face_of(reader: Reader, thing: int) -> Face:
    """A thing as a card."""
    presenter = reader.presenter
    kind, id_ = presenter.program.thing_kinds[thing], presenter.program.thing_ids[thing]
    face = presenter.shows.faces.get(kind, PLAIN_FACE)
    specs = face.facts if face.facts is not None else tuple(map(ShowSpec, list(constants(presenter, thing))[:FEW]))
    more = reader.card_facts.get(reader.thing_by_number(thing).key, ())
    told = {spec.of for spec in (*specs, face.corner, face.band) if spec is not None}
    wanted = (*specs, *(spec for spec in more if spec.of not in told))
    found = (reader.part(("fact", thing, spec), partial(fact_on, spec=spec, thing=thing)) for spec in wanted)
    facts = [fact for fact in found if fact is not None]
    corner = show_text(presenter, ShowSpec(face.corner.of, "text"), thing).plain if face.corner is not None else ""
    band = band_of(reader, face, thing)
    return Face(corner, band, tuple(facts), printed_text(presenter, kind, id_))


def shared_face(reader: Reader, key: str, thing: int) -> Face:
    """A thing as a card, with what a panel tells beside its own facts."""
    more = reader.card_facts.get(key) or ()

    def read(inner: Reader) -> Face:
        inner.card_facts[key] = more
        return face_of(inner, thing)

    face: Face = reader.part(("face", key, tuple(more)), read)
    return face


def fact_on(reader: Reader, spec: ShowSpec, thing: int) -> PrintedFact | None:
    """The fact that a SHOW puts on a card; None where there is nothing."""
    presenter, kind = reader.presenter, reader.presenter.program.thing_kinds[thing]
    if presenter.has_content(spec.of, thing) and (parts := reader.parts(spec, thing)):
        return PrintedFact(label_of(presenter, spec, "display", kind), parts)
    return None


def band_of(reader: Reader, face: ShownFace, thing: int) -> str:
    """The colour of the head of a card: that of a member that it names, else that of its kind, else its own."""
    presenter = reader.presenter
    if face.band is not None:
        match presenter.read(face.band.of, thing):
            case ShownValue(int() as value, MemberType() as type_) if value:
                return reader.thing(value, type_).colour
    return face.colour or reader.thing_by_number(thing).colour


def hand(reader: Reader, shown: set[str]) -> Panel | None:
    """A panel of all that lies in zones which the reader sees and an onlooker does not, as cards; nothing that is among
    the cards `shown` already. None if nothing is left."""
    presenter = reader.presenter
    rows = []
    for entry in presenter.program.layout if presenter.seat is not None else ():
        if entry.sort != "zone" or entry.audience in ("all", "nobody"):
            continue
        name = entry.symbol.rpartition(".")[2]
        for holder in presenter.things(entry.symbol.partition(".")[0]) if holder_dims(entry) else (0,):
            game, words = presenter.game, presenter.words
            if sees_cell(game, words, entry, holder, None) or not sees_cell(game, words, entry, holder, presenter.seat):
                continue
            things = [t for t in known_contents(presenter, name, holder) if reader.thing_by_number(t).key not in shown]
            if cards := as_list([reader.member(t, FACE) for t in things]):
                rows.append((PrintedFact(presenter.title(entry.symbol, name), piled(cards)),))
    title = phrase(presenter.lang, "picture", "hand")
    return PrintedFacts(HAND, title, (FactBlock((), tuple(rows)),)) if rows else None
