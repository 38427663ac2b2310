"""Answers in positions and rulings: their words, and whether each is a name that an answer can have.

An answer is matched with the options of a question only in play; that a word names nothing at all is seen here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dsl.base.span import Span
from dsl.elaborate.context import Elaboration
from dsl.elaborate.expressions import lattices
from dsl.symbols.products import written_cell
from dsl.symbols.symbols import flat_id
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

WORD = re.compile(r"[^\s(),{}]+")
NUMBER = re.compile(r"-?\d+")
# what an answer may say besides names and numbers
PLAIN = frozenset("ready decline true false none paying gaining back".split())
ENDS = frozenset("done end finish finished no nothing pass skip stop".split())  # what is written for `ready`, `decline`
PAYMENT = ("paying", "gaining")


def read_answer(elab: Elaboration, items: Sequence[sx.Expr]) -> tuple[Any, ...]:
    """The items of an answer as they are written; a word that names nothing is reported."""
    report_unknown_words(elab, items)
    return tuple(answer_text(elab, item) for item in items)


def read_who(elab: Elaboration, e: sx.Expr) -> str:
    """Who answers or is asked, as it is written."""
    report_unknown_words(elab, (e,), "actor or seat")
    return str(answer_text(elab, e))


def answer_text(elab: Elaboration, e: sx.Expr) -> Any:
    """An answer as it is written: ids and numbers as texts; a pair or a call as its words."""
    cell = written_cell(elab.model, e)
    if cell is not None and cell[2] is not None:
        return elab.model.domains[cell[0].name].ids[cell[2] - cell[0].low]
    match e:
        case sx.Amount(count, what):
            return f"{answer_text(elab, count)} {answer_text(elab, what)}"
        case sx.Call(func, args):
            return " ".join([str(answer_text(elab, func)), *(str(answer_text(elab, a.value)) for a in args)])
        case sx.SetLit(items):
            return " ".join(str(answer_text(elab, i)) for i in items)
        case sx.Unary("-", sx.Num(n)):
            return str(-n)
    return main_id(elab, flat_id(e) or elab.model.text(e.span))


def main_id(elab: Elaboration, id_: str) -> str:
    """The id that an alias stands for."""
    for domain, value in elab.model.members.get(id_, ()):
        info = elab.model.domains[domain]
        if id_ in info.aliases:
            return info.ids[info.values.index(value)]
    return id_


# ------------------------------------------------------------ names


def alternative_names(elab: Elaboration) -> frozenset[str]:
    """The names of all actions and cases that some question offers."""
    if elab.cases.alternatives is None:
        found = {a.name for site in elab.out.sites for a in site.alternatives}
        elab.cases.alternatives = frozenset(found - {""})
    return elab.cases.alternatives


def report_unknown_words(elab: Elaboration, items: Sequence[sx.Expr], what: str = "word of an answer") -> None:
    """Report the words of an answer that name nothing. Behind `paying` and `gaining` zones are named too."""
    source, paying = elab.model.sources.get(items[0].span.file) if items else None, False
    for item in items:
        if (
            cell := next((c for e in walk(item) if (c := written_cell(elab.model, e)) and c[2] is None), None)
        ) is not None:
            lattices.report_outside(elab, item, cell[0], cell[1])
            return
    for item in items if source is not None else ():
        assert source is not None
        for found in WORD.finditer(source.text, item.span.start, item.span.end):
            word = found[0]
            paying = paying or word in PAYMENT
            if not is_known(elab, word, paying):
                span = Span(item.span.file, found.start(), found.end())
                if word in ENDS:
                    message = f"unknown {what} `{word}`"
                    elab.model.error("RW0913", span, message, "`ready` ends a `choose some`, `decline` says no")
                    return
                known = [
                    *elab.model.members,
                    *elab.model.routines,
                    *alternative_names(elab),
                    *elab.cases.values,
                    *PLAIN,
                ]
                elab.model.unknown("RW0913", span, what, word, known)
                return


def is_known(elab: Elaboration, word: str, paying: bool) -> bool:
    """Whether a word can stand in an answer."""
    m = elab.model
    if word in PLAIN or word in m.members or word in m.routines or NUMBER.fullmatch(word) or word in elab.cases.values:
        return True
    if word in m.kinds and m.kinds[word].lattice is not None:  # `Spot(1, -2)`
        return True
    if word in alternative_names(elab):
        return True
    holder, dot, zone = word.rpartition(".")
    return paying and (holder in m.members if dot else True) and zone in zone_names(elab)


def zone_names(elab: Elaboration) -> frozenset[str]:
    """The names of all zones, without their kinds."""
    kinds = elab.model.kinds.values()
    return frozenset(elab.model.zones).union(*(kind.zones for kind in kinds))
