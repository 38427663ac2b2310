"""Slips that are legal sentences: rules that hardly mean what they say (docs/manual/00-which-word.md), and demands that
come too late (11-plans.md).

Takes the collected model, reads the trees of routines and rule lines only, and adds diagnostics.
"""

from __future__ import annotations

from dsl.diagnostics.diagnostic import Label
from dsl.symbols.symbols import Model, RoutineSym, ValueSym
from dsl.symbols.types import clause, has_clause, runs_strip
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

ACTING = (*words_with("changes"), *words_with("alters"))
DEMANDS = words_with("demands")


def check_lints(m: Model) -> None:
    """Run all checks of this module."""
    for r in list(m.routines.values()):
        if "#" in r.name or r.original:
            continue
        for node in walk(r.block):
            if isinstance(node, sx.Loop):
                changed_members(m, node)
        if r.word == "action":
            whole_body_is_if(m, r)
        if r.word in words_with("plans"):
            late_demands(m, r)
    for v in m.values.values():
        two_replacements(m, v)
    for loop, _ in m.checks:
        endless_check(m, loop)


def whole_body_is_if(m: Model, r: RoutineSym) -> None:
    if len(r.block) == 1 and isinstance(r.block[0], sx.If) and not r.block[0].orelse:
        m.warn(
            "RW1201",
            r.block[0].test.span,
            f"all of the action `{r.name}` stands under an `if`: where it fails, the action does nothing, silently",
            "to forbid the action write `require ... because ...`",
        )


def commit_reason(m: Model, node: sx.Node, actor: str) -> str:
    """The reason why a plan cannot be taken back from this node on; empty when it can."""
    match node:
        case sx.Choose(word="random"):
            return "chance is drawn here"
        case sx.Sentence(word="shuffle"):
            return "chance is drawn here"
        case sx.Sentence(word="show"):
            return "something new is shown here"
        case sx.Choose():
            by = clause(node, "by")
            who = by.args[0] if by else None
            if isinstance(who, sx.Name) and who.id not in (actor, "you"):
                return "somebody else is asked here"
    return ""


def late_demands(m: Model, r: RoutineSym) -> None:
    """Report `require` and `pay` after the commit point: they can no longer forbid the action."""
    actor = r.params[0][0] if r.actor else "you"
    committed: tuple[sx.Node, str] | None = None
    for node in walk(r.block):
        if isinstance(node, sx.Sentence) and node.word in DEMANDS and committed is not None:
            m.error(
                "RW1202",
                node.span,
                f"this `{node.word}` comes too late to prevent the action: by then it cannot be taken back",
                "move it up, or test it before the action is offered",
                (Label(committed[0].span, committed[1]),),
            )
            return
        if committed is None:
            why = commit_reason(m, node, actor)
            if why:
                committed = (node, why)


def changed_members(m: Model, loop: sx.Loop) -> None:
    """Report a frozen loop over a zone that its own body moves things into or out of."""
    if loop.word != "for every" or loop.live or len(loop.binders) != 1:
        return
    domain, name = loop.binders[0].domain, loop.binders[0].name
    if not isinstance(domain, (sx.Name, sx.Attr)) or isinstance(domain, sx.Name) and domain.id not in m.zones:
        return
    for node in walk(loop.block):
        if not isinstance(node, sx.Sentence) or node.word != "move":
            continue
        target = clause(node, "to")
        if target is not None and target.args[0] == domain and node.operands[:1] != (sx.Name(name),):
            m.warn(
                "RW1203",
                loop.binders[0].span,
                f"`{m.text(domain.span)}` changes inside this loop, and the loop goes over what was there at its start",
                "write `in live ...` to visit also what is added meanwhile",
            )
            return


def two_replacements(m: Model, v: ValueSym) -> None:
    """Report two `to` in one layer without conditions that distinguish them."""
    seen: dict[str, sx.Decl] = {}
    for rule in v.lines:
        d = rule.decl
        if clause(d, "to") is None:
            continue
        layer = clause(d, "in layer")
        key = m.text(layer.span) if layer else ""
        other = seen.get(key)
        if other is not None and other is not d and not (has_clause(d, "where") and has_clause(other, "where")):
            m.note(
                "RW1204",
                d.span,
                f"two lines replace `{v.name}` in one layer; where both apply the one written last wins",
                "give them conditions, or layers of their own",
            )
        seen[key] = d


def endless_check(m: Model, loop: sx.Loop) -> None:
    """Report a check whose block changes nothing: it would act for ever."""
    done = [n for n in walk(loop.block) if isinstance(n, sx.Sentence) and n.word in ACTING]
    if all(map(runs_strip, done)):  # of which perhaps nothing can be done
        m.error(
            "RW1205",
            loop.span,
            "this check changes nothing, so its condition stays true and it never stops",
            "let its block change what the condition reads",
        )
