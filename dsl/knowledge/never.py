"""Questions over what the one who is asked never sees, whatever happens: a predicate says who sees it, and says no of
that seat for its names alone.

Takes a secret that only play tests; gives whether the test can come out only one way.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.knowledge.identity import Env, identify
from dsl.knowledge.labels import Fact, Secret, Who
from dsl.knowledge.ruleset import Knowledge
from dsl.program import PREDICATE


def never_sees(know: Knowledge, secret: Secret, seat: Who | None) -> bool:
    """True if a predicate says who sees a secret, and says no of this seat whatever happens."""
    if len(secret.seers) != 1 or seat is None:
        return False
    (seer,) = secret.seers
    if not seer.sort.startswith(PREDICATE) or seer.who is None:
        return False
    function = know.world.values.functions[int(seer.sort.removeprefix(PREDICATE))]
    if function is None:
        return False
    given = [Fact(who=seer.who), Fact(who=seat)][2 - len(function.params) :]
    env: Env = {("temp", n): fact for n, fact in enumerate(given)}
    return truth(know, function.body, env) is False


def truth(know: Knowledge, e: Any, env: Env) -> bool | None:
    """The truth of a test, where the names of its values alone decide it; else None."""
    match e:
        case ir.Const(value=value):
            return bool(value)
        case ir.Not(operand):
            found = truth(know, operand, env)
            return None if found is None else not found
        case ir.And(items):
            return joined([truth(know, item, env) for item in items], False)
        case ir.Or(items):
            return joined([truth(know, item, env) for item in items], True)
        case ir.Compare("==" | "!=" as op, left, right):
            same = equal(*(identify(side, env, know.world.values.reading) for side in (left, right)))
            return same if same is None or op == "==" else not same
        case ir.InSet(member, ir.Const(value=int() as members)):
            found_member = identify(member, env, know.world.values.reading)
            match found_member:
                case Who(key=("const", int() as value)):
                    return bool(members >> value & 1)
    return None


def joined(found: list[bool | None], decisive: bool) -> bool | None:
    """The truth of tests joined together: one that comes out as `decisive` decides; else all must be known, or it is
    None."""
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def equal(left: Who | None, right: Who | None) -> bool | None:
    """True if two names are of one value, False for two constants that differ; None where the names do not tell."""
    if left is None or right is None:
        return None
    if left.key == right.key:
        return True
    return False if left.key[0] == right.key[0] == "const" else None
