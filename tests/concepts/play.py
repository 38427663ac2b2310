"""Compiles small texts of rules and plays them: what the tests of the concepts share.

It takes rules as text, and gives games, states and the values of cells and of declared values in words of the ruleset.
It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from textwrap import dedent
from typing import Any

import interpreter as rw
from dsl.base.types import IntType, MapType, MemberType, SetType, bounds, unpack, width
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.diagnostics.render import render_text
from dsl.driver.load import check_texts, compile_sources
from dsl.program import Program
from interpreter.backends.wasm import host as wasm
from interpreter.rules.names import Names
from interpreter.visibility.learning import Learning
from tests.concepts.native_values import agree
from tests.interpreter.pair import Pair

MANIFEST = """id: small
version: 1
title: {{en: Small, ja: Small}}
seats: {{min: {low}, max: {high}}}
load: [small.rules]
{more}"""


COMPILED: list[Program] = []  # what the running test has compiled
STARTED: list[rw.State] = []  # the games that the running test has begun


def game(
    rules: str, data: Mapping[str, str] | None = None, seats: tuple[int, int] = (2, 3), manifest: str = ""
) -> rw.Game:
    """The game of one text; an error in it fails the test with the messages. `manifest`: more lines of the manifest."""
    files = {name: dedent(text) for name, text in (data or {}).items()}
    if manifest:
        files["ruleset.yaml"] = MANIFEST.format(low=seats[0], high=seats[1], more=dedent(manifest))
    program, found, sources = compile_sources({"small.rules": dedent(rules)}, files, seats=seats)
    errors = [d for d in found if d.severity.value == "error"]
    assert program is not None and not errors, "\n" + render_text(errors, sources, False)
    COMPILED.append(program)
    return rw.Game(program)


def start(rules: str, data: Mapping[str, str] | None = None, **how: Any) -> rw.State:
    """A new game of one text, at its first question."""
    made = {k: how.pop(k) for k in ("seats", "manifest") if k in how}
    how.setdefault("checked", True)
    state = game(rules, data, **made).new(**how)
    STARTED.append(state)
    return state


def errors(rules: str, data: Mapping[str, str] | None = None) -> list[Diagnostic]:
    """The errors that the checker finds."""
    return [d for d in check_texts({"small.rules": dedent(rules)}, data, seats=(2, 3)) if d.severity.value == "error"]


def value(state: rw.State, name: str, *args: str | int) -> Any:
    """A declared value with arguments by id; in a game that is played in native code it is worked out there as well."""
    program = state.game.program
    number = program.function_names[name]
    fn = program.functions[number]
    given = [code(state, a, t) for a, (_, t) in zip(args, fn.params, strict=True)]
    try:
        found = state.game.machine.eval_fn(state.words, number, given)
    except rw.RulesetError:
        agree(state.game, state.words, number, given, None)
        raise
    agree(state.game, state.words, number, given, found)
    return render(state, found, fn.result)


def learns(state: rw.State, option: rw.Option) -> bool:
    """Whether what an option does before the next question is decided by what the one who takes it does not see; also
    if it ends in a fault of the rules."""
    answers = Learning(state.game, option.decision.seat)
    with suppress(rw.RulesetError):
        answers.take(option.decision.words[:], option.raw, state.script)
    return state.game.has_secrets and answers.learned


def cell(state: rw.State, path: str, *keys: str | int) -> Any:
    """A field or zone: `flag`, `p1.coins`, `p1.cubes` with keys."""
    holder, _, name = path.rpartition(".")
    for entry in state.game.program.layout:
        own = entry.symbol.rpartition(".")
        if own[2] != name or bool(own[0]) != bool(holder) or entry.sort in ("place", "option", "counter"):
            continue
        at = [holder, *keys] if holder else list(keys)
        if holder:
            domain = state.game.program.domains[own[0]]
            if holder not in domain.ids:
                continue
        item, dims = entry.type, entry.dims
        if len(at) > len(dims) and isinstance(item, MapType):
            dims, item = (*dims, *item.keys), item.value
        offset = 0
        for t, key in zip(dims, at, strict=True):
            low, high = bounds(t)
            offset = offset * (high - low + 1) + code(state, key, t) - low
        return render(state, unpack(state.words, entry.base + offset * width(item), item), item)
    raise AssertionError(f"no cell `{path}`")


def code(state: rw.State, word: str | int, t: Any) -> int:
    if isinstance(word, int):
        return word
    assert isinstance(t, MemberType), f"{word} for {t}"
    if word == "none":
        return 0
    domain = state.game.program.domains[t.domain]
    return dict(zip(domain.ids, domain.values, strict=True))[word]


def render(state: rw.State, got: Any, t: Any) -> Any:
    names: Names = state.game.names
    if isinstance(t, IntType):
        return got
    if isinstance(got, tuple) or isinstance(t, SetType):
        return names.items(got, t)
    text = names.text(got, t)
    return {"true": True, "false": False}.get(text, text)


def options(state: rw.State) -> list[str]:
    """The options of the open question, in words."""
    return [" ".join(o.ids) for o in rw.legal(state)]


def question(state: rw.State) -> str:
    """`actor: address` of the open question, or `over`."""
    if state.decision is None:
        return "over" if state.over else "nothing"
    return f"{state.decision.actor}: {state.decision.address}"


def answer_all(state: rw.State, *answers: str) -> rw.State:
    """Answer the open questions one after the other: `p1 chooses x` as `p1 x`, or without the actor."""
    for words in answers:
        first, _, rest = words.partition(" ")
        if state.decision is not None and rest and first in (state.decision.actor, state.decision.seat_id):
            rw.answer(state, rest, first)
        else:
            rw.answer(state, words)
    return state


def play_on_both(program: Program, seed: int) -> list[tuple[int, ...]]:
    """The choices of a random game, each from the same options in both back ends, with the same stores to the end.
    Where there is WebAssembly, low code leaves nothing to the reference."""
    reference = rw.Game(program, "reference").engine
    store = reference.new(seed=1)
    pair = Pair(program, store)
    taken = reference.playout(store, Random(seed))
    pair.both(lambda m, w: m.run(w))
    for code in taken:
        option = next(o for o in pair.both(lambda m, w: m.options(w)) if o.code == code)
        pair.both(lambda m, w, o=option: m.take(w, o))
    assert pair.stores[0][: program.state_words] == store[: program.state_words]
    assert not wasm.available() or pair.in_native_code and pair.given_up == 0
    return taken
