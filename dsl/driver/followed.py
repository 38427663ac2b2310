"""The rulesets from whose end a game may begin: found, compiled, and compared with what it takes over.

This is done after both are compiled. What a program means hangs on its own files alone, so that a change of the other
game breaks no save of this one; only `check` and editors say that the two no longer fit.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dsl.checks.hand_over import Taker, check_hand_over, hands_nothing_on, not_found, with_errors
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.reference import NoSuchRules, parse_reference


def check_followed(taker: Taker, rulesets: Callable[[], dict[str, Path]]) -> list[Diagnostic]:
    """Messages about what does not fit between a game and those that its manifest says it follows; `rulesets` gives the
    folders of all that are known, by id."""
    if not taker.follows:
        return []
    known, found, givers = rulesets(), [], []
    for name, span in taker.follows:
        try:
            reference = parse_reference(name, known.__getitem__, only_names=True)
        except NoSuchRules as missing:
            found.append(not_found(missing.what, missing.name, span, missing.known))
            continue
        except KeyError:
            found.append(not_found("ruleset", name.partition("+")[0], span, sorted(known)))
            continue
        giver, diagnostics, _ = reference.compile()
        if giver is None:
            errors = sum(d.severity is Severity.ERROR for d in diagnostics)
            found.append(with_errors(name, span, errors))
        elif not giver.hands_on:
            found.append(hands_nothing_on(name, span))
        else:
            givers.append(giver)
    return found + check_hand_over(taker, givers)
