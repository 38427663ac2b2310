"""The interface of rulings: a digest of all that they may read of the rules, what they mark there, and whether they
change anything else.

A ruling names fields, zones, values, routines and members: it hangs on their types, numbers and addresses, and not on
the bodies of rules nor on where these stand. So the digest takes in all of a model but syntax, places and marks, and
what an elaboration holds beside it for expressions. What is added to a symbol or a model counts until it is left out
here.
"""

from __future__ import annotations

import copyreg
import hashlib
import io
import pickle
from collections.abc import Collection
from typing import Any

from dsl.base.cache import compiler_digest
from dsl.base.fields import field_getter
from dsl.base.span import Span
from dsl.elaborate.cases.answers import alternative_names
from dsl.elaborate.context import Elaboration
from dsl.elaborate.expressions.paying import depends_on_cause
from dsl.symbols import symbols as sy
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

# of a model: texts, lines of rules, what was said, what is for editors, and the rulings themselves
EXCLUDED_OF_MODEL = frozenset("sources cites mentions strips checks triggers invariants diagnostics".split())
EXCLUDED_OF_MODEL |= frozenset("uses resolved_members locals positions rulings".split())
# of a symbol: places, syntax, marks, and titles
EXCLUDED = frozenset(
    "span decided_span decl decls block lines extra conditions clauses cites strips title used written".split()
)
CLASSES: tuple[Any, ...] = (sy.EnumSym, sy.PieceSym, sy.FieldSym, sy.ZoneSym, sy.KindSym, sy.ValueSym, sy.RoutineSym)
CLASSES += (sy.OptionSym, sy.TableSym, sy.PurseSym, sy.CardSym)
DIGESTED: dict[Any, Any] = {
    cls: field_getter([name for name in cls.__slots__ if name not in EXCLUDED]) for cls in CLASSES
}
SYNTAX: list[Any] = [cls for cls in vars(sx).values() if isinstance(cls, type) and issubclass(cls, sx.Node)]


def reduce_to_name(symbol: Any) -> tuple[Any, ...]:
    return str, (symbol.name,)


def reduce_to_nothing(_: object) -> tuple[Any, ...]:
    return str, ()


# how the digest takes in a value: a symbol inside of something else by its name, syntax and places not at all
REDUCERS: dict[Any, Any] = copyreg.dispatch_table | dict.fromkeys(CLASSES, reduce_to_name)
REDUCERS |= dict.fromkeys([*SYNTAX, Span, sy.RuleLine], reduce_to_nothing)


def interface_digest(elab: Elaboration, clauses: Collection[str] | None) -> bytes:
    """A digest of all that rulings may read, with the names of the `clauses` that they may cite."""
    m = elab.model
    for purse in m.purses.values():
        depends_on_cause(elab, purse)  # noted in the memo, which counts, while the lines of the purse do not
    declared = {name: value for name, value in vars(m).items() if name not in EXCLUDED_OF_MODEL}
    declared["broken"] = sorted(m.broken)
    memo = elab.memo
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.fast = True  # equal values are written alike, whether they are the same or not
    pickler.dispatch_table = REDUCERS
    pickler.dump(
        (
            declared,
            [DIGESTED[type(symbol)](symbol) for symbol in all_symbols(m)],
            elab.layout,
            elab.seats,
            sorted(alternative_names(elab)),
            elab.values.for_bots,
            elab.routines.effect_you,
            sorted(elab.routines.acting),
            (elab.out.worth_base, elab.out.purses),
            list(m.facts),
            (memo.copy_tables, memo.joined_tables, memo.rank_functions, memo.by_cause),
            None if clauses is None else tuple(clauses),
        )
    )
    return hashlib.sha256(compiler_digest() + stream.getbuffer()).digest()


def all_symbols(m: Model) -> list[Any]:
    """Everything declared, in an order that depends on nothing but what is declared."""
    kinds = list(m.kinds.values())
    tables = (m.enums, m.pieces, m.zones, m.fields, m.options, m.tables, m.values, m.routines, m.purses, m.cards)
    found: list[Any] = [symbol for table in tables for symbol in table.values()] + kinds
    return found + [symbol for kind in kinds for table in (kind.fields, kind.zones) for symbol in table.values()]


def used_symbols(m: Model) -> list[int]:
    """The numbers of the symbols that are marked as used."""
    return [number for number, symbol in enumerate(all_symbols(m)) if getattr(symbol, "used", False)]


def mark_used(m: Model, numbers: Collection[int]) -> None:
    found = all_symbols(m)
    for number in numbers:
        found[number].used = True


def clear_used(m: Model) -> None:
    for symbol in all_symbols(m):
        if getattr(symbol, "used", False):
            symbol.used = False


def program_sizes(elab: Elaboration) -> tuple[object, ...]:
    """Numbers that differ when anything was added to the program, or to what counts in it beside marks."""
    out, m = elab.out, elab.model
    made = (out.functions, out.procs, out.code, out.sites, out.purses, m.tables_data, elab.layout.entries)
    noted = (elab.timed.lines, elab.timed.found, elab.findings.opened, elab.routines.effect_you, m.routines, m.cites)
    return (*map(len, (*made, *noted)), out.next_proc, elab.layout.words, len(m.broken), len(m.diagnostics))
