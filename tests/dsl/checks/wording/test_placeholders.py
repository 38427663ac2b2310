"""Braces in texts: at every address something stands for them, or the check says that they are printed as written."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl.base.span import Source
from dsl.checks.wording.addresses import known_addresses
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import compile_sources
from dsl.driver.pipeline import run_all_passes
from dsl.files.ruleset import FileTexts
from dsl.overlay import ALL_ERRATA
from tests.concepts.play import answer_all, start
from tools.shows.headings import headings

RULES = """\
enum Cause: drawn
enum Mood: glad, sad
piece coin each 20 from box
zone box: coin
zone deck: Tool ordered
zone row: Tool ordered
field round_number: 0..9
field pot: set of Mood
option pace: slow, fast = slow
option many: bool = false
lattice Cell: hex by 0..1, 0..1
kind Tool
    const price: 0..9
    strip reward
kind Seat
    zone coins: coin
    zone hand: Tool
card hammer "Hammer": Tool
    price: 1
    strip reward: coin_icon(2) / rest
    effect: gain 1 coin by you as drawn
card saw "Saw": Tool
    price: 2
    strip reward: coin_icon(1) + rest
icon coin_icon(n: 1..9): gain n coin by you as drawn
icon rest: set round_number to round_number
value wealth(p: Seat): int = p.coins
value all_coins: int = box
action dig(p: Seat) of digging [TE-1]
    require p.coins < 9 because "there is enough"
    gain 1 coin by p as drawn
phase game
    do deal()
    do turn(p1)
procedure deal()
    move hammer to deck as drawn
    move saw to deck as drawn
    shuffle deck
    offer digging by p1
    random m in Mood
    set pot to {m}
    set pot to {}
phase turn(p: Seat)
    set round_number to 1
    choose c in deck where c.price < 3 because "it is dear" by p or decline
    choose some ms in Mood at most 1 by p
    choose number n in 1..2 by p
    choose one by p
        case left: gain n coin by p as drawn
        case right(k: 1..2): gain k coin by p as drawn
    do c.reward by p or decline
    do c.effect by p
"""
FILES = {
    "ruleset.yaml": "id: t\nversion: 1\ntitle: {en: T}\nseats: 2\nload: [t.rules]\npresets: {quick: {pace: fast}}\n",
    "clauses.yaml": 'TE-1: {title: "Dig", source: "1"}\nTE-2: {title: "Rest", prose: "advice"}\n',
    "display.yaml": """\
panels: [{id: table, title: table_title, show: [{of: round_number, label: the_round}]}]
told:
  - {id: came, come: [row]}
  - {id: turned, change: round_number}
  - {id: ran, run: [turn]}
  - {id: used, run: [Tool.effect]}
  - {id: paid, per: Seat, changes: [coins], during: [turn]}
  - {id: spent, per: Seat, change: coins, as: [drawn]}
""",
}


def checked(texts: str, rules: str = RULES) -> list[Diagnostic]:
    _, found, _ = compile_sources({"t.rules": rules}, {**FILES, "locale/en.yaml": texts}, seats=(2, 2))
    assert not [d for d in found if d.severity.value == "error"], found
    return found


def refused(texts: str) -> set[str]:
    """The placeholders that the check calls unknown."""
    return {d.message.split("`")[1] for d in checked(texts) if d.code == "RW1112"}


def addresses() -> list[str]:
    """All addresses at which the rules have a text looked up."""
    texts = FileTexts()
    for name, text in {"t.rules": RULES, **FILES}.items():
        texts.add(name, Source(name, text))
    done = run_all_passes(texts, "t", (2, 2), (), ALL_ERRATA)
    assert done.elab is not None and not [d for d in done.found if d.severity.value == "error"], done.found
    return sorted(known_addresses(done.elab, done.documents))


def test_what_nothing_stands_for_is_told_at_every_address() -> None:
    known = addresses()
    assert len(known) > 300
    texts = "".join(f'{address}: "{{zzz}}"\n' for address in known)
    told = {d.message.split("`")[3] for d in checked(texts) if d.code == "RW1112"}
    assert [address for address in known if address not in told] == []


@pytest.mark.parametrize(
    "address, names",
    [
        ("turn.title", "round_number pot all_coins all_coins()"),
        ("turn.c.ask", "p p.coins wealth(p) actor"),
        ("turn.c", "p actor"),
        ("turn.c.pick", "p c c.price c|reward"),
        ("turn.c.done", "actor c p wealth(p)"),
        ("turn.c.decline.done", "actor p wealth(p)"),
        ("turn.ms.ready.done", "actor p ms"),
        ("turn.c.secret", "actor"),
        ("turn.one.right.pick", "p k k|coin|coins wealth(p)|coin|coins"),
        ("deal.m.done", "answer"),
        ("told.came", "whose it text"),
        ("told.turned", "it was"),
        ("told.turned.none", "was"),
        ("told.ran", "p it"),
        ("told.used", "it"),
        ("told.paid", "whose it"),
        ("told.spent", "whose it was by by|coin|coins"),
        ("coin_icon.pick", "n actor"),
        ("coin_icon.done", "n actor"),
        ("lattice.Cell", "q r"),
        ("engine.pays", "actor way"),
    ],
)
def test_what_stands_for_something_is_not_told(address: str, names: str) -> None:
    text = " ".join(f"{{{name}}}" for name in names.split())
    assert refused(f'{address}: "{text}"\n') == set()


@pytest.mark.parametrize(
    "address, name",
    [
        ("turn.title", "p"),  # a phase runs with it, but a heading stands above more than one of its lines
        ("turn.title", "wealth"),
        ("turn.title", "round_number|round|rounds"),
        ("deal.shuffle.done", "round_number"),
        ("deal.m.done", "m"),
        ("turn.c.ask", "c"),  # nothing is chosen yet
        ("turn.one.ask", "k"),
        ("turn.c.done", "answer"),
        ("turn.c.pick", "c|rewards"),
        ("turn.c.pick", "zzz|one|many"),
        ("turn.c.decline", "p"),
        ("turn.c.secret", "c"),
        ("told.turned", "by"),
        ("told.paid", "was"),
        ("pace.slow", "pace"),
        ("preset.quick", "pace"),
        ("Tool.hammer.text", "n"),
        ("dig.require.1", "p"),
        ("display.table", "round_number"),
    ],
)
def test_what_would_be_printed_as_written_is_told(address: str, name: str) -> None:
    assert refused(f'{address}: "{{{name}}}"\n') == {f"{{{name}}}"}


def test_the_message_says_what_the_text_may_name() -> None:
    def help_of(text: str) -> str:
        (found,) = (d for d in checked(text) if d.code == "RW1112")
        return found.help or ""

    assert help_of('turn.title: "{p}"\n') == "a heading names fields of the game and values without parameters"
    assert help_of('deal.m.done: "{m}"\n') == "a text of this address may name `{answer}`"
    assert help_of('deal.shuffle.done: "{deck}"\n') == "a text of this address is shown as it is written"


def test_no_line_of_a_game_shows_braces() -> None:
    texts = (
        'turn.title: "{round_number}: {pot}{all_coins}"\nturn.c.decline.done: "{p} has {wealth(p)|coin|coins}"\n'
        'turn.ms.ready.done: "{p}: {ms}"\nturn.ms.done: "{actor}"\n'
    )
    state = start(RULES, {"display.yaml": FILES["display.yaml"], "locale/en.yaml": texts})
    assert headings(state, None, "en") == ["1: 19"]
    assert rw.log_for(answer_all(state, "decline"), 1)[-1] == "p1 has coin"  # it has dug before
    again = start(RULES, {"locale/en.yaml": texts})
    assert rw.log_for(answer_all(again, "hammer", "glad"), 1)[-2:] == ["p1", "p1: glad (only possibility)"]


# ---------------------------------------------------------------- what is counted


@pytest.mark.parametrize(
    "address",
    ["game.title", "preset.quick", "pace", "pace.slow", "many", "deal.shuffle.done", "Mood.sad", "turn.n.ask"],
)
def test_a_missing_text_is_counted(address: str) -> None:
    texts = "".join(f'"{wanted}": "x"\n' for wanted in complete() if wanted != address)
    program, found, _ = compile_sources(
        {"t.rules": RULES}, {**FILES, "locale/en.yaml": texts, "locale/fr.yaml": texts}, seats=(2, 2)
    )
    assert program is not None and address in program.wanted
    missing = {d.span.file: d.message for d in found if d.code == "RW1111"}
    in_first = {} if address == "game.title" else {"locale/en.yaml": f"no text in `en` for `{address}`"}
    assert missing == {**in_first, "locale/fr.yaml": f"no text in `fr` for `{address}`"}


def complete() -> tuple[str, ...]:
    """All that a complete translation has a text for."""
    program, _, _ = compile_sources({"t.rules": RULES}, {**FILES, "locale/en.yaml": "pace: x\n"}, seats=(2, 2))
    assert program is not None
    return program.wanted


def test_options_of_a_variant_are_counted_at_its_files() -> None:
    files = {**FILES, "locale/en.yaml": "".join(f'"{wanted}": "x"\n' for wanted in complete())}
    rules = "variant wide on t\n    option width: near, far = near\n"
    _, found, _ = compile_sources(
        {"t.rules": RULES}, files, seats=(2, 2), overlays={"wide/wide.variant": rules, "wide/locale/en.yaml": ""}
    )
    told = [(d.span.file, d.message) for d in found if d.code == "RW1111"]
    assert told == [("wide/locale/en.yaml", "no text in `en` for `width`, `width.near`, `width.far`")]
