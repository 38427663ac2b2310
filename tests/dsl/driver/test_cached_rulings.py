"""What is kept of YAML files and of rulings counts as long as all that it was made of is as it was."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dsl import ir
from dsl.base.cache import gc_paused
from dsl.base.lazy import LazyMapping
from dsl.checks.display import names as display
from dsl.driver import pipeline, ruling_interface
from dsl.driver.load import compile_ruleset
from dsl.elaborate.context import Elaboration
from dsl.files import data, documents, yaml
from dsl.symbols.symbols import Model
from tests.conformance.tables import in_soak_if_large
from tests.dsl.driver.test_part_cache import ROOT, alike, same_as_without_cache

ID = "love_letter"
CARDS, STATE, ROUND = f"cards/{ID}/characters.cards", f"rulesets/{ID}/state.rules", f"rulesets/{ID}/round.rules"
RULING = f"rulesets/{ID}/rulings/rounds.ruling"
YAML = {name: f"rulesets/{ID}/{name}.yaml" for name in ("ruleset", "clauses", "display", "locale/en", "data/letters")}

# (file, what stands there, what is put there): rulings are not read again after these
UNSEEN = {
    "the effect of a card": (CARDS, "show q.hand to you\n\n", "show q.hand to q\n\n"),
    "a line more in a card": (CARDS, "effect: set you.protected to true", "effect\n        set you.protected to true"),
    "a trigger of a card": (CARDS, "l.character is princess", "l.character is king"),
    "the title of a card": (CARDS, '"Guard"', '"Watch"'),
    "places": (STATE, "enum Guess", "# one line more\n\nenum Guess"),
    "what a value is": (STATE, "= p.tokens  ", "= p.tokens + 1  "),
    "the body of a phase": (ROUND, "set round_number to round_number + 1", "set round_number to 1"),
    "what a rule cites": (ROUND, "[LL-21]", "[LL-22]"),
    "an invariant": (STATE, "size(p.hand) <= 2", "size(p.hand) <= 3"),
    "the title of a clause": (YAML["clauses"], "The top card", "One card"),
    "a text": (YAML["locale/en"], "Guess", "Say"),
    "what is shown": (YAML["display"], "- protected", "- place"),
    "the version": (YAML["ruleset"], "version: 1", "version: 2"),
}
# after these they are
SEEN = {
    "a field": (STATE, "field out: bool", "field beaten: bool"),
    "the bounds of a field": (STATE, "round_number: 0..13", "round_number: 0..12"),
    "the type of a value": (STATE, "value rank(p: Seat): int", "value rank(p: Seat): bool"),
    "the parameters of a value": (STATE, "value affection(p: Seat)", "value affection(p: Seat, q: Seat)"),
    "one value more": (STATE, "value players()", "value nobody(): set of Seat = {}\nvalue players()"),
    "one routine more": (ROUND, "phase round\n", "procedure nothing()\n    shuffle deck\n\nphase round\n"),
    "one option more": (STATE, "field starter", "option short: bool = false\nfield starter"),
    "the order of zones": (STATE, "zone removed: Letter ", "zone more: Letter\nzone removed: Letter "),
    "who sees a zone": (STATE, "hand: Letter seen by owner", "hand: Letter seen by nobody"),
    "a member of an enum": (STATE, "right, wrong", "right, unsure, wrong"),
    "a row of a table": (STATE, "    3: 5\n", "    3: 6\n"),
    "a constant of a card": (CARDS, "rank: 3", "rank: 2"),
    "the name of a card": (CARDS, "card baron", "card earl"),
    "a card that is gone": (CARDS, CARDS, ""),
    "a record more": (YAML["data/letters"], "  prince_1:", "  prince_3: {character: prince}\n  prince_1:"),
    "a value of a record": (YAML["data/letters"], "king_1: {character: king}", "king_1: {character: baron}"),
    "an id": (YAML["data/letters"], "king_1", "king_2"),
    "copies of a record": (YAML["data/letters"], "{character: king}", "{character: king, copies: 2}"),
    "a record with a slip": (YAML["data/letters"], "{character: king}", "{character: knig}"),
    "the seats": (YAML["ruleset"], "2..4", "2..3"),
    "a slip in the manifest": (YAML["ruleset"], "seats:", "seat:"),
    "the id of a clause": (YAML["clauses"], "LL-4:", "LL-40:"),
    "a ruling": (RULING, "deck: guard_1", "deck: guard_2"),
    "a slip in a ruling": (RULING, "deck: guard_1", "deck: gaurd_1"),
}
CHANGES = {f"unseen, {k}": (*v, False) for k, v in UNSEEN.items()} | {k: (*v, True) for k, v in SEEN.items()}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    for folder in ("rulesets", "cards"):
        shutil.copytree(ROOT / folder / ID, tmp_path / folder / ID)
    return tmp_path


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An entry each time that rulings are read, or something with pydantic or a reader of YAML."""
    found: list[str] = []

    def watch(module: Any, name: str) -> None:
        true = getattr(module, name)

        def watched(*given: Any) -> Any:
            found.append(name)
            return true(*given)

        monkeypatch.setattr(module, name, watched)

    watch(pipeline, "read_cases")
    watch(yaml, "_read_checked")
    for module in (data, documents, display):
        watch(module, "check")
    return found


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_check_after_one_change_is_a_check_without_a_cache(
    home: Path, readings: list[str], change: tuple[str, str, str, bool]
) -> None:
    name, before, after, again = change
    path, file = home / "rulesets" / ID, home / name
    compile_ruleset(path)
    text = file.read_text(encoding="utf-8")
    changed = text.replace(before, after, 1) if before != name else ""
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    readings.clear()
    compile_ruleset(path)
    assert ("read_cases" in readings) == again
    assert file.suffix == ".yaml" or again or readings == []
    same_as_without_cache(path)


def test_nothing_is_read_again_after_a_card_changed(home: Path, readings: list[str]) -> None:
    path, file = home / "rulesets" / ID, home / CARDS
    compile_ruleset(path)
    before = len(readings)
    for number in range(3):
        file.write_text(file.read_text(encoding="utf-8") + f"# {number}\n", encoding="utf-8")
        assert compile_ruleset(path)[0]
    assert before > 4 and len(readings) == before


def test_marks_of_rulings_stay(home: Path) -> None:
    """A value that only rulings use is used, also where they are not read; one that nothing uses is said to be idle."""
    path, state, ruling = home / "rulesets" / ID, home / STATE, home / RULING
    idle = "value idle(): int = 3\nvalue asked(): int = 4\n"
    state.write_text(state.read_text(encoding="utf-8") + idle, encoding="utf-8")
    text = ruling.read_text(encoding="utf-8")
    ruling.write_text(text + '\nruling LL_999 "one more"\n    expect\n        asked: 4\n', encoding="utf-8")
    for number in range(3):
        state.write_text(state.read_text(encoding="utf-8") + f"# {number}\n", encoding="utf-8")
        _, found, _ = same_as_without_cache(path)
        assert [d.code for d in found] == ["RW1103"] and "idle" in found[0].message


def test_rulings_among_the_rules_are_read_each_time(home: Path) -> None:
    """The cache knows files of rulings only: a ruling that changes in another file is another one at once."""
    path, state = home / "rulesets" / ID, home / STATE
    text = state.read_text(encoding="utf-8")
    for number in (1, 2):
        more = f'\nruling LL_999 "among the rules"\n    expect\n        round_number: {number}\n'
        state.write_text(text + more, encoding="utf-8")
        program, _, _ = same_as_without_cache(path)
        assert program is not None and program.rulings["LL_999"].expect[0].right == ir.Const(number)


def test_rulings_that_add_to_the_program_are_read_each_time(home: Path, readings: list[str]) -> None:
    path, ruling, letters = home / "rulesets" / ID, home / RULING, home / YAML["data/letters"]
    copies = letters.read_text(encoding="utf-8").replace("{character: king}", "{character: king, copies: 2}")
    letters.write_text(copies, encoding="utf-8")
    more = '\nruling LL_999 "it makes a table"\n    expect\n        king_1.copy: 1\n'
    ruling.write_text(ruling.read_text(encoding="utf-8") + more, encoding="utf-8")
    for number in range(2):
        (home / CARDS).write_text((home / CARDS).read_text(encoding="utf-8") + f"# {number}\n", encoding="utf-8")
        readings.clear()
        compile_ruleset(path)
        assert "read_cases" in readings
        same_as_without_cache(path)


DIGEST = """\
import sys
from pathlib import Path
from dsl.driver import load, rulings
load.load_compiled = lambda key: None
true = rulings.interface_digest
def shown(*given):
    print(true(*given).hex())
    return true(*given)
rulings.interface_digest = shown
load.compile_ruleset(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("name", [ID, "dominant_species"])
def test_the_digest_is_that_of_another_process(name: str, tmp_path: Path) -> None:
    """It hangs neither on how sets are ordered nor on whether trees were parsed or kept."""
    given = [sys.executable, "-c", DIGEST, str(ROOT / "rulesets" / name)]
    found = []
    for seed in ("1", "2"):
        env = os.environ | {"RULEWRIGHT_CACHE": str(tmp_path), "PYTHONHASHSEED": seed}
        found.append(subprocess.run(given, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout)
    assert found[0] and found[0] == found[1]


class Unread:
    """Stands for what rulings must not look at."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"rulings read what their digest leaves out: {name}")

    __iter__ = __len__ = __bool__ = __eq__ = __hash__ = __contains__ = __getitem__ = __call__ = (  # type: ignore[assignment]
        lambda self, *_: object.__getattribute__(self, "__class__") and Unread.__getattribute__(self, "used")
    )


UNREAD = Unread()


WRITTEN = {"sources", "diagnostics", "uses", "resolved_members", "locals", "positions", "rulings"}  # of a model
# what rulings may look at, or write, of an elaboration and its parts
OPEN = {
    "": "model layout seats tables constants cases out findings memo values routines timed",
    "out": "functions worth_base purses",
    "findings": "tests opened",
    "memo": "copy_tables joined_tables rank_functions by_cause proved",
    "values": "current for_bots reads",
    "routines": "effect_you acting",
    "timed": "lines",
}


def names_in(holder: Any) -> list[str]:
    return list(vars(holder)) if hasattr(holder, "__dict__") else list(holder.__slots__)


def hide(elab: Elaboration) -> list[tuple[Any, str, Any]]:
    """Put it in the place of all that the digest leaves out; gives what stood there."""
    hidden = [(elab.model, name) for name in ruling_interface.EXCLUDED_OF_MODEL - WRITTEN]
    left_out = ruling_interface.EXCLUDED | {"seen_by", "effect_params"}  # of these only whether they are there
    for symbol in ruling_interface.all_symbols(elab.model):
        hidden += [(symbol, name) for name in left_out if getattr(symbol, name, None) is not None]
    for part, names in OPEN.items():
        holder = getattr(elab, part) if part else elab
        hidden += [(holder, name) for name in names_in(holder) if name not in names.split()]
    found = [(holder, name, getattr(holder, name)) for holder, name in hidden]
    for holder, name, _ in found:
        setattr(holder, name, UNREAD)
    return found


RULESETS = sorted(path.parent for path in (ROOT / "rulesets").glob("*/ruleset.yaml"))


@pytest.mark.parametrize("path", in_soak_if_large(RULESETS))
def test_rulings_read_nothing_that_the_digest_leaves_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compile_ruleset(path, cached=False)

    def blind(elab: Elaboration, *given: Any, true: Any = pipeline.read_cases) -> Any:
        ruling_interface.interface_digest(elab, None)  # works out what it counts in place of the lines of purses
        found = hide(elab)
        functions = elab.out.functions
        elab.out.functions = [None] * len(functions)
        try:
            return true(elab, *given)
        finally:
            functions += elab.out.functions[len(functions) :]
            elab.out.functions = functions
            for holder, name, value in found:
                used_symbols = name == "used" and getattr(holder, name) is True
                setattr(holder, name, used_symbols or value)

    monkeypatch.setattr(pipeline, "read_cases", blind)
    hidden = compile_ruleset(path, cached=False)
    seen: set[tuple[int, int]] = set()
    with gc_paused():
        assert plain[0] and alike(plain[0], hidden[0], seen) and alike(plain[1], hidden[1], seen)


def test_what_is_left_out_is_there() -> None:
    """A name that nothing bears any more leaves nothing out, and what it was for counts."""
    assert ruling_interface.EXCLUDED_OF_MODEL <= vars(Model()).keys()
    assert ruling_interface.EXCLUDED <= {name for cls in ruling_interface.CLASSES for name in cls.__slots__}
    assert all(name in Model().__dict__ for name in WRITTEN)


def test_a_lazy_mapping_is_packed_once() -> None:
    mapping = LazyMapping({"a": 1})
    assert mapping.packed() is mapping.packed() and dict(LazyMapping[int](mapping.packed())) == {"a": 1}
