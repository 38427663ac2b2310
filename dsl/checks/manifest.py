"""Checks of the names in the manifest: the values of results and bots, the options of presets.

`check_manifest` takes the manifest and the collected model and gives diagnostics at the place in `ruleset.yaml`. Names
of values that do not exist are reported where their numbers are looked up, not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.base.types import BoolType, IntType, ListType, MemberType, SetType, Type
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.documents import Manifest
from dsl.files.schema import did_you_mean
from dsl.symbols.symbols import Model, ValueSym
from dsl.syntax import nodes as sx


def check_manifest(manifest: Manifest, model: Model, questions: Sequence[str]) -> list[Diagnostic]:
    """`questions`: the addresses of all that is asked."""
    return [
        *_values(manifest, model),
        *_lone_winners(manifest, model),
        *_seldom(manifest, model, questions),
        *_presets(manifest, model),
    ]


def _values(manifest: Manifest, model: Model) -> list[Diagnostic]:
    found = []
    for path, name in (
        (("result", "score"), manifest.result.get("score", "")),
        (("result", "winners"), manifest.result.get("winners", "")),
        (("evaluate",), manifest.evaluate),
    ):
        value = model.values.get(name)
        if value is None:
            continue
        if path[-1] == "winners":
            fits, wanted = not value.params and _is_actors(value.result, model), "nothing and gives a set of actors"
        else:
            seat_only = path == ("evaluate",)
            fits, wanted = (
                _is_score(value, model, seat_only),
                f"one {'seat' if seat_only else 'actor'} and gives a number",
            )
        if not fits:
            message = f"`{path[-1]}` is a value that takes {wanted}; `{name}` is {value_head(value)}"
            help = "name another value, or declare one of this form"
            found.append(Diagnostic("RW0323", Severity.ERROR, manifest.span(*path), message, help))
    for name in manifest.watch:
        value = model.values.get(name)
        if value is not None and not _is_watchable(value):
            message = f"`watch` names numbers of the game or of a seat; `{name}` is {value_head(value)}"
            help = "name another value, or declare one without parameters that gives a number"
            found.append(Diagnostic("RW0323", Severity.ERROR, manifest.span("watch"), message, help))
    return found


def _lone_winners(manifest: Manifest, model: Model) -> list[Diagnostic]:
    """A game for one, too, whose winners are the best of the seats: who plays alone would always win."""
    value = model.values.get(manifest.result.get("winners", ""))
    if manifest.seats[0] > 1 or value is None or not _is_never_nobody(value.decl.value):
        return []
    message = f"one player alone always wins: `{value.name}` names the best of the seats, and there is no other"
    help = "give the empty set where the game has won: `{} if P else ...`"
    return [Diagnostic("RW1216", Severity.WARNING, manifest.span("result", "winners"), message, help)]


def _is_never_nobody(body: sx.Expr | None) -> bool:
    match body:
        case sx.Name("seats"):
            return True
        case sx.Fold("tied", (sx.Binder(domain=sx.Name("seats" | "Seat")),), clauses):
            return all(c.word != "where" for c in clauses)
    return False


def _seldom(manifest: Manifest, model: Model, questions: Sequence[str]) -> Iterator[Diagnostic]:
    known = [*(name for name, routine in model.routines.items() if routine.word == "action"), *questions]
    for name in manifest.seldom:
        if name not in known:
            message = f"`seldom` names actions and questions; there is no action and no question `{name}`"
            yield Diagnostic("RW0323", Severity.ERROR, manifest.span("seldom"), message, did_you_mean(name, known))


def value_head(value: ValueSym) -> str:
    params = ", ".join(f"{param}: {type_}" for param, type_ in value.params)
    return f"`{value.name}({params}): {value.result}`"


def _is_watchable(value: ValueSym) -> bool:
    seats = all(isinstance(t, MemberType) and t.domain == "Seat" for _, t in value.params)
    return isinstance(value.result, (IntType, BoolType)) and len(value.params) <= 1 and seats


def _is_score(value: ValueSym, model: Model, seat_only: bool) -> bool:
    if len(value.params) != 1 or not isinstance(value.result, IntType):
        return False
    type_ = value.params[0][1]
    return isinstance(type_, MemberType) and (type_.domain == "Seat" if seat_only else _can_act(type_, model))


def _is_actors(type_: Type, model: Model) -> bool:
    inner = type_.elem if isinstance(type_, (SetType, ListType)) else type_
    return isinstance(inner, MemberType) and _can_act(inner, model)


def _can_act(type_: MemberType, model: Model) -> bool:
    kind = model.kinds.get(type_.domain)
    return type_.domain == "Seat" or (kind is not None and kind.decided_by is not None)


def _presets(manifest: Manifest, model: Model) -> list[Diagnostic]:
    found = []
    block = manifest.node.get("presets")
    for name, options in manifest.presets.items():
        preset = block.get(name) if block else None
        for option, answer in options.items():
            if preset is None:
                continue
            key, node = preset.entries()[option]
            declared = model.options.get(option)
            if declared is None:
                message = f"preset `{name}`: there is no option `{option}`"
                help = did_you_mean(option, list(model.options))
                found.append(Diagnostic("RW0324", Severity.ERROR, key, message, help))
                continue
            answers = ["false", "true"] if isinstance(declared.type, BoolType) else list(model.domains[option].ids)
            if answer not in answers:
                message = f"preset `{name}`: the option `{option}` has no answer `{answer}`"
                found.append(Diagnostic("RW0325", Severity.ERROR, node.span, message, did_you_mean(answer, answers)))
    return found
