"""Routines and rule lines of the model: what a line changes, under which conditions, on which card.

`declare_routine` makes the symbol of a routine; `attach` takes a top line with its block, and attaches rule lines to
the values, routines and verbs that they change, once for each copy of their card. Bodies are not read.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.base.span import Span
from dsl.base.types import ERROR, INT, BoolType, IntType, ListType, MapType, MemberType, SetType, Type, key_count
from dsl.diagnostics.diagnostic import Label
from dsl.symbols import copies as cp
from dsl.symbols.symbols import Model, RoutineSym, RuleLine, ValueSym
from dsl.symbols.types import RESERVED, clause, declare, has_clause, kind_of_thing, type_of
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with

ROUTINES = words_with("routine")
RULE_LINES = words_with("attaches")
VERBS = words_with("listened")


# ------------------------------------------------------------ routines


def parameters(m: Model, params: tuple[sx.Arg, ...] | None) -> list[tuple[str, Type]]:
    result: list[tuple[str, Type]] = []
    for p in params or ():
        name = p.value.id if isinstance(p.value, sx.Name) else "?"
        if p.type is None:
            m.error("RW0230", p.span, f"the parameter `{name}` has no type", f"write `{name}: TYPE`")
            result.append((name, ERROR))
        else:
            result.append((name, type_of(m, p.type)))
        if any(n == name for n, _ in result[:-1]):
            m.error("RW0202", p.span, f"two parameters are called `{name}`")
        check_shadowing(m, name, p.span)
    return result


def check_shadowing(m: Model, name: str, span: Span) -> None:
    """Report a local name that is also an id, member, zone, option or kind."""
    what = (
        "a word of the language"
        if name in RESERVED and name != "amount"
        else "a kind"
        if name in m.kinds
        else "a zone"
        if name in m.zones
        else "an option"
        if name in m.options
        else f"a member of `{m.members[name][0][0]}`"
        if name in m.members
        else ""
    )
    if what:
        m.error(
            "RW0204",
            span,
            f"the name `{name}` is {what}, so it cannot be used for something else here",
            "give it a name of its own",
        )


def declare_routine(m: Model, d: sx.Decl, this: int, conditions: tuple[sx.Expr, ...]) -> RoutineSym:
    gives = clause(d, "giving")
    result = type_of(m, gives.args[0]) if gives and not isinstance(gives.args[0], sx.Key) else None
    if result is not None and isinstance(result, (SetType, ListType, MapType)):
        m.error("RW0233", d.span, f"a procedure gives one member or number, not a `{result}`", "make it a `value`")
    sym = RoutineSym(
        d.name,
        d.word,
        d.name_span,
        parameters(m, d.params),
        result,
        d.block,
        len(m.routines) + 1,
        clauses=d.clauses,
        cites=d.cites,
        this=this,
        conditions=conditions,
    )
    sym.actor = bool(sym.params) and d.word in ("action", "phase") and is_actor(m, sym.params[0][1])
    menus = clause(d, "of")
    sym.menus = tuple(a.id for a in menus.args if isinstance(a, sx.Name)) if menus else ()
    m.routines[d.name] = sym
    for menu in sym.menus:
        m.menus.setdefault(menu, []).append(sym)
    if has_clause(d, "at any moment"):
        m.menus.setdefault("at any moment", []).append(sym)
    m.add_citations(d.name, d.cites)
    return sym


def is_actor(m: Model, t: Type) -> bool:
    return (
        isinstance(t, MemberType)
        and t.domain in m.kinds
        and (t.domain == "Seat" or m.kinds[t.domain].decided_by is not None)
    )


# ------------------------------------------------------------ rule lines


def attach(m: Model, line: sx.Line, this: int, conditions: tuple[sx.Expr, ...], address: str) -> None:
    """Attach rule lines to the values, routines and verbs that they change."""
    match line:
        case sx.Loop(word="always for every"):
            attach_rule(m, line, RuleLine(decl_of(line), this, conditions, address))
        case sx.Section(word="while", head=head, block=block) if head is not None:
            for inner in block:
                check_placement(m, inner, "while", True)
                attach(m, inner, this, (*conditions, head), address)
        case sx.Decl(word="rule", name=name, block=block):
            m.add_citations(name, line.cites)
            for inner in block:
                check_placement(m, inner, "rule", bool(conditions))
                attach(m, inner, this, conditions, name)
        case sx.Decl(word="card", name=name, block=block):
            lines: list[sx.Line] = []
            for inner in block:
                if not isinstance(inner, sx.Row) and not (isinstance(inner, sx.Section) and inner.word == "effect"):
                    check_placement(m, inner, "card", True)
                if isinstance(inner, (sx.Decl, sx.Loop)) or (isinstance(inner, sx.Section) and inner.word == "while"):
                    if not (isinstance(inner, sx.Decl) and inner.word == "strip"):
                        lines.append(inner)
            for thing in m.cards[name].things if name in m.cards else (0,):
                for inner in lines:
                    attach(m, inner, thing, conditions, name)
        case sx.Decl(word="modify" | "grant" | "deny"):
            attach_value(m, RuleLine(line, this, conditions, address or line.name))
        case sx.Decl(word="hands on"):
            attach_fact(m, RuleLine(line, this, conditions, address or f"{line.word} {line.name}"))
        case sx.Decl(word="before" | "after" | "instead of"):
            attach_rule(m, line, RuleLine(line, this, conditions, address or f"{line.word} {line.name}"))
        case sx.Decl(word="source"):
            attach_rule(m, line, RuleLine(line, this, conditions, address))
        case sx.Decl(word=word) if word in ROUTINES and (this or conditions):
            routine_of_card(m, line, this, conditions)
        case _:
            pass


def routine_of_card(m: Model, d: sx.Decl, this: int, conditions: tuple[sx.Expr, ...]) -> None:
    """A routine under `while` or on a card. Each copy has an action of its own, `tap`, `tap_2`; other routines are
    called by name, so they are one for all copies."""
    kind = kind_of_thing(m, this) if this else None
    number = cp.copy_number(kind, this) if kind is not None else 1
    if d.word == "action" and number > 1:
        first = m.routines.get(d.name)
        named = replace(d, name=cp.copy_id(d.name, number))
        if first is not None and first.block is d.block and declare(m, named, d.word):
            made = declare_routine(m, replace(named, cites=()), this, conditions)
            made.original, made.cites = d.name, d.cites
            first.others.append(made)
            made.lines = first.lines  # a line that names the action applies to all of them
    elif number == 1 and declare(m, d, d.word):
        declare_routine(m, d, this, conditions)
        if d.word != "action" and kind is not None and kind.ids[this - kind.low] in kind.copies.values():
            if cp.refers_to_this((d.block, d.clauses)):
                m.error(
                    "RW0235",
                    d.name_span,
                    f"the {d.word} `{d.name}` is about `this`, and its card has copies: "
                    "it is not clear which copy owns it",
                    f"write it outside of the card, with the card as a parameter: `{d.word} {d.name}(c: {kind.name})`",
                )


def check_placement(m: Model, line: sx.Line, where: str, routines: bool) -> None:
    """Report lines that are not rule lines. Routines are allowed in cards and under `while`."""
    match line:
        case sx.Loop(word="always for every") | sx.Section(word="while"):
            return
        case sx.Decl(word=word) if word in RULE_LINES or (routines and word in (*ROUTINES, "strip")):
            return
    m.error(
        "RW0602",
        line.span,
        f"this does not stand in a `{where}`, where nothing would ever carry it out",
        "rule lines stand there: `modify`, `grant`, `deny`, `before`, `after`, `instead of`, `always`, `source`, "
        "`hands on`",
    )


def decl_of(line: sx.Decl | sx.Loop) -> sx.Decl:
    """The declaration of a rule line; a check gets one without a name."""
    return line if isinstance(line, sx.Decl) else sx.Decl("always", "", span=line.span, cites=line.cites)


def attach_rule(m: Model, line: sx.Decl | sx.Loop, rule: RuleLine) -> None:
    """Enter a check, a trigger or a source of a purse into the model, at what it changes."""
    if isinstance(line, sx.Loop):
        m.checks.append((line, rule))
        m.add_citations(rule.address or "always", line.cites)
    elif line.word == "source":
        of = clause(line, "of")
        name = of.args[0].id if of and isinstance(of.args[0], sx.Name) else ""
        if name in m.purses:
            rule.number = len(m.purses[name].extra)
            m.purses[name].extra.append(rule)
        else:
            m.unknown("RW0241", line.span, "purse", name, list(m.purses))
    else:
        rule.number = len(m.triggers)
        m.triggers.append(rule)
        if line.name in m.routines:
            m.routines[line.name].lines.append(rule)
            m.routines[line.name].framed = True
        elif line.name not in VERBS:
            m.unknown("RW0240", line.name_span, "routine or verb", line.name, [*m.routines, *VERBS])
        check_pattern_types(m, line)
        m.add_citations(rule.address, line.cites)


def check_pattern_types(m: Model, line: sx.Decl) -> None:
    """Report unknown kinds and pieces in a line's pattern."""
    known = [*m.kinds, *m.pieces, *m.purses, *m.enums]
    for arg in line.head.args if isinstance(line.head, sx.Call) else ():
        if isinstance(arg.type, sx.Name) and arg.type.id not in {*known, *m.broken, "int", "bool", "place"}:
            m.unknown("RW0210", arg.type.span, "kind or piece", arg.type.id, known)


def attach_value(m: Model, rule: RuleLine) -> None:
    d = rule.decl
    m.add_citations(rule.address, d.cites)
    value = m.values.get(d.name)
    if value is None:
        if d.name not in m.broken:
            m.unknown("RW0242", d.name_span, "value", d.name, list(m.values))
        return
    is_bool = isinstance(value.result, BoolType)
    if d.word in ("grant", "deny") and not is_bool:
        m.error(
            "RW0243",
            d.span,
            f"`{d.word}` is for values that are true or false; `{d.name}` is `{value.result}`",
            "use `modify ... by N` or `modify ... to N`",
        )
        return
    if d.word == "modify" and is_bool:
        m.error("RW0244", d.span, f"`modify` is for numbers; `{d.name}` is true or false", "use `grant` or `deny`")
        return
    layer = clause(d, "in layer")
    if layer and isinstance(layer.args[0], sx.Name) and layer.args[0].id not in value.layers:
        m.unknown("RW0245", layer.args[0].span, f"layer of `{d.name}`", layer.args[0].id, value.layers)
        return
    value.lines.append(rule)
    rule.number = len(value.lines)


# ------------------------------------------------------------ what a game hands on

MOST_ROWS = 10_000  # of one fact


def attach_fact(m: Model, rule: RuleLine) -> None:
    """Enter a line `hands on` at the value that it names."""
    d = rule.decl
    m.add_citations(rule.address, d.cites)
    value = m.values.get(d.name)
    if value is None or value.bots:
        if d.name not in m.broken:
            m.unknown("RW0242", d.name_span, "value", d.name, [v.name for v in m.values.values() if not v.bots])
        return
    m.uses.append((d.name_span, value.span))
    value.used = True
    renamed = clause(d, "as")
    name, span = d.name, d.name_span
    if renamed is not None:
        if not isinstance(renamed.args[0], sx.Name):
            m.error("RW0248", renamed.span, "behind `as` stands the name of the fact", "write one word: `as NAME`")
            return
        name, span = renamed.args[0].id, renamed.args[0].span
    if name in m.facts:
        label = Label(m.facts[name][1].decl.span, "the first one")
        help = "one line hands on all of it: join the conditions by `or`, or give one a name of its own by `as NAME`"
        m.error("RW0248", span, f"a fact `{name}` is handed on twice", help, (label,))
    elif why := unfit_for_hand_over(value):
        m.error("RW0248", d.name_span, f"`{d.name}` cannot be handed on: {why}", "hand on a value of plain facts")
    else:
        m.facts[name] = value, rule


def unfit_for_hand_over(value: ValueSym) -> str:
    """Why a value is no plain fact for another game; empty if it is one."""
    keys = [t for _, t in value.params]
    for name, t in value.params:
        if not isinstance(t, (MemberType, BoolType, IntType)) and t != ERROR or t == INT:
            return f"there is no row for each `{name}: {t}`, only for members and for numbers with bounds"
    if ERROR not in keys and (rows := key_count(tuple(keys))) > MOST_ROWS:
        return f"it would have {rows} rows, and a fact has at most {MOST_ROWS}"
    return "" if is_plain(value.result) else f"a `{value.result}` means nothing to another game"


def is_plain(t: Type) -> bool:
    match t:
        case SetType(elem) | ListType(elem, _) | MapType(_, elem):
            return is_plain(elem)
    return t == ERROR or isinstance(t, (BoolType, IntType, MemberType))
