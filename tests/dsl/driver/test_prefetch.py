"""The pass over rulings with a helper says and gives what it does without one, whatever stands in the helper's half.

Helpers are copies of a process with one thread, so a process of its own compiles here, both ways, and tells.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dsl.base import fork
from dsl.base.lazy import Shelf, pack
from dsl.driver.load import compile_sources
from interpreter import Game
from interpreter.records.ruling import run_ruling

ROOT = Path(__file__).parents[3]
GAME = """\
enum Tier: low, high
kind Tree: 3
    field age: 0..99
kind Bush: 2
    field age: 0..9
value double(t: Tree): int = t.age * 2
action grow(p: Seat, t: Tree) of chores
    require t.age < 9
    set t.age to t.age + 1
phase game
    for every p in seats: offer chores by p or decline
    stop game
"""
FIRST = """\
position spring "Spring"
    seats: 2
    tree_1.age: 3
ruling old "A tree is old"
    given spring
    expect
        tree_1.age: 3
"""
SECOND = """\
ruling twice "The double of an age"
    given spring
    expect
        tree_1.double: 6
"""
COMPILE = """
import json, sys
from contextlib import nullcontext
from dsl.driver import pipeline, prefetch, rulings
from dsl.base import fork
from dsl.driver.prefetch import Ahead
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import Texts
from dsl.base.span import Source
said = []
def parsed(file, text, true=pipeline.parse_file):
    said[-1]["parsed"].append(file)
    return true(file, text)
pipeline.parse_file = prefetch.parse_file = parsed
fork.Ends.forward = lambda self: iter(range(1))  # else chance says who reads what
fork.Ends.backward = lambda self: iter(range(self.count - 1, 0, -1))
for wanted in (True, False):
    texts = Texts()
    for name, text in json.loads(sys.argv[1]).items():
        texts.add(name, Source(name, text))
    fork.MANY = 0
    true = rulings.Cases.begin
    last = []
    said.append({"parsed": []})
    rulings.Cases.begin = lambda self, *rest: (last.append(self), true(self, *rest))
    with Ahead() if wanted else nullcontext() as ahead:
        if ahead:
            ahead.begin(texts.rulings())
        program, found = compile_texts(texts, "test", "", ahead=ahead)
    rulings.Cases.begin = true
    shelves = (program.positions, program.rulings) if program else ()
    made = ("tables", "functions", "procs", "code", "sites", "layout", "deferred_base", "state_words")
    said[-1].update({
        "helped": last[-1].packed is not None,
        "found": [repr(d) for d in found],
        "kept": [[repr(case) for case in shelf.values()] for shelf in shelves],
        "needs": repr(program and program.needs),
        "rules": [repr(getattr(program, name)) for name in made] if program else [],
    })
print(json.dumps(said))
"""


def ran(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=50)


def both(**files: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What compiling with a helper gives, and without."""
    told = json.dumps({name.replace("__", "."): text for name, text in files.items()})
    command = [sys.executable, "-c", COMPILE, told]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    helped, alone = json.loads(done.stdout)
    assert not alone["helped"]
    return helped, alone


needs_help = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin" or len(os.sched_getaffinity(0)) < 2,
    reason="no copies of processes, or no second processor",
)


@needs_help
def test_a_helper_reads_the_second_half() -> None:
    helped, alone = both(game__rules=GAME, a__ruling=FIRST, b__ruling=SECOND)
    assert helped["helped"] and helped["found"] == [] and len(helped["kept"][1]) == 2
    assert helped["parsed"] == ["game.rules", "b.ruling"]  # the shorter one
    assert alone["parsed"] == ["game.rules", "a.ruling", "b.ruling"]
    assert (helped["kept"], helped["needs"]) == (alone["kept"], alone["needs"])


@needs_help
def test_a_position_may_stand_in_either_half() -> None:
    helped, alone = both(game__rules=GAME, a__ruling=SECOND, b__ruling=FIRST)
    assert helped["helped"] and helped["kept"] == alone["kept"]


WRONG = {
    "a slip of the form": "ruling slip\n    expect\n        tree_1.age 3\n",
    "an unknown name": SECOND.replace("tree_1", "tre_1"),
    "a base that is nowhere": SECOND.replace("given spring", "given sprnig"),
    "a name for the second time": FIRST.replace("spring", "summer"),
    "a position for the second time": FIRST.replace("ruling old", "ruling older"),
    "a rule among rulings": SECOND + "value more: int = 3\n",
    "a slip that comes again": "".join(SECOND.replace("tree_1", "tre_1").replace("twi", name) for name in ("o", "th")),
}


@needs_help
@pytest.mark.parametrize("second", WRONG.values(), ids=WRONG.keys())
def test_mistakes_of_the_second_half_are_told_as_ever(second: str) -> None:
    helped, alone = both(game__rules=GAME, a__ruling=FIRST, b__ruling=second)
    assert helped["found"] == alone["found"] and len(alone["found"]) >= 1
    assert not helped["helped"]


LINES = """\
    given spring
        seats: 2
        tree_2.age: 4
    when
        do chores_of(p1)
        p1 chooses tree_2
    expect
        tree_2.age: 5
        any(t in Tree where t.age is 5): true
        oldest: tree_2.age
        possible(grow(p1, tree_1)): true
"""


@needs_help
def test_lines_that_come_again_are_as_if_they_were_read_again() -> None:
    """At their own places, with the same in them; a line with a search takes its own variables."""
    rules = GAME + "procedure chores_of(p: Seat)\n    offer chores by p\nvalue oldest: int = max(t in Tree: t.age)\n"
    names = ("one", "two", "three", "four")
    texts = ["".join(f"ruling {name}{n} \"A\"\n{LINES}" for name in names) for n in (1, 2)]
    helped, alone = both(game__rules=rules, a__ruling=FIRST + texts[0], b__ruling=texts[1])
    assert helped["helped"] and len(alone["kept"][1]) == 9 and alone["found"] == []
    assert (helped["kept"], helped["needs"]) == (alone["kept"], alone["needs"])


@needs_help
def test_a_text_with_a_slip_is_parsed_where_messages_come_from() -> None:
    long = WRONG["a slip of the form"].replace("ruling slip", f'ruling slip "{"A long title. " * 40}"')
    helped, alone = both(game__rules=GAME, a__ruling=FIRST, b__ruling=SECOND, c__ruling=long)
    assert helped["found"] == alone["found"] and len(alone["found"]) == 1
    assert helped["parsed"] == ["game.rules", "b.ruling", "c.ruling"]


@needs_help
def test_what_only_the_second_half_uses_is_used() -> None:
    """Without the rulings the checker would say that nothing uses the value."""
    manifest = "id: test\nversion: '1'\ntitle: {en: Test}\nseats: 2..4\nload: [game.rules]\n"
    data = {"ruleset__yaml": manifest, "a__ruling": FIRST}
    helped, alone = both(game__rules=GAME, **data, b__ruling=SECOND)
    assert helped["found"] == alone["found"] and not any("double" in d for d in alone["found"])
    assert helped["kept"] == alone["kept"] and not helped["helped"]  # the checker looked before anybody used it
    without, _ = both(game__rules=GAME, **data, b__ruling=SECOND.replace("double", "age"))
    assert any("double" in d for d in without["found"])


@needs_help
def test_what_asks_for_more_of_the_program_is_read_here() -> None:
    """The constant of a union is a table, made when something first reads it: here a ruling of the second half."""
    union = GAME + "kind Plant: Tree, Bush\n" + "field first: Plant\n"
    union += "procedure later(p: Seat)\n    at end of game\n        set tree_1.age to 1\n"
    union = union.replace("    stop game", "    for every p in seats: do later(p)\n    stop game")
    union = union.replace("kind Tree: 3\n", "kind Tree: 3\n    const tier: Tier = low\n")
    union = union.replace("kind Bush: 2\n", "kind Bush: 2\n    const tier: Tier = high\n")
    ruling = "ruling tier\n    expect\n        first.tier: low\n"
    helped, alone = both(game__rules=union, a__ruling=FIRST, b__ruling=ruling)
    assert (helped["found"], helped["kept"]) == (alone["found"], alone["kept"])
    assert alone["kept"] and not helped["helped"]
    helped, alone = both(game__rules=union, a__ruling=ruling, b__ruling=FIRST)
    assert (helped["kept"], helped["rules"]) == (alone["kept"], alone["rules"])
    assert helped["helped"]  # the rules were put together once more, with the table of the first half


# ---------------------------------------------------------------- the process

ALONE = """
import os, signal, sys, time
from dsl.base.fork import Helper
def killed(): os.kill(os.getpid(), signal.SIGKILL)
def failed(): raise KeyError("hole")
print(Helper(lambda: "x" * 1_000_000).answer() == "x" * 1_000_000)
print(Helper(killed).answer(), Helper(failed).answer(), Helper(lambda: lambda: 0).answer(), sep="\\n")
helper = Helper(lambda: time.sleep(60))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    helper.answer()
except KeyboardInterrupt:
    print("stopped")
def gone(helper):
    try:
        os.kill(helper.process, 0)
    except ProcessLookupError:
        return helper.pipe.closed
print(gone(helper))
helper = Helper(lambda: "x" * 1_000_000)
helper.dismiss()
print(gone(helper))
"""


@needs_help
def test_a_helper_answers_fails_or_is_stopped() -> None:
    """What it is given comes back whole; a fault gives None and one word to nobody; Ctrl-C ends both."""
    done = ran(ALONE)
    assert done.stdout.split() == ["True", "None", "None", "None", "stopped", "True", "True"], done.stderr


FALLEN = """
import os
from dsl.driver import pipeline, rulings
from dsl.base import fork
from dsl.driver.prefetch import Ahead
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import Texts
from dsl.base.span import Source
def fall(*rest): raise KeyError("hole")
def watched(self, true=rulings.Cases.leave):
    print("one was there" if self.helper else "none")
    true(self)
fork.MANY, pipeline.check_program, rulings.Cases.leave = 0, fall, watched
texts = Texts()
for name in ("a.ruling", "b.ruling"):
    texts.add(name, Source(name, ""))
try:
    with Ahead() as ahead:
        compile_texts(texts, "test", "", ahead=ahead)
except KeyError:
    print("fell")
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("nobody left")
"""


@needs_help
def test_no_helper_is_left_behind() -> None:
    done = ran(FALLEN)
    assert done.stdout.splitlines() == ["one was there", "fell", "nobody left"], done.stderr


AHEAD = """
import os, time
from dsl.driver import prefetch
from dsl.base import fork
from dsl.base.span import Source
fork.MANY = 0
try:
    with prefetch.Ahead() as trees:
        trees.begin([Source("a.ruling", "ruling a"), Source("b.ruling", "ruling b")])
        process = trees.helper.process
        raise KeyError("hole")
except KeyError:
    print("fell")
try:
    os.kill(process, 0)
except ProcessLookupError:
    print("nobody left")
with prefetch.Ahead() as trees:
    own = Source("0.ruling", "ruling own")
    sources = [Source("a.ruling", "ruling a\\n    expect\\n        round: 1\\n"), Source("b.ruling", "rulin b")]
    trees.begin([own, *sources])
    trees.meet()
    print([bool(trees.tree(s)) for s in (own, *sources, *sources)])
"""


@needs_help
def test_trees_are_made_ahead_and_nobody_stays() -> None:
    done = ran(AHEAD)
    assert done.stdout.splitlines() == ["fell", "nobody left", "[True, True, False, True, False]"], done.stderr


def test_two_meet_in_the_middle() -> None:
    ends = fork.Ends(5)
    one, other = ends.forward(), ends.backward()
    assert [next(one), next(other), next(other), next(one), next(one)] == [0, 4, 3, 1, 2]
    assert list(one) == [] and list(other) == []
    assert list(fork.Ends(2).forward()) == [0, 1] and list(fork.Ends(2).backward()) == [1, 0]
    assert list(fork.Ends(0).forward()) == []


MEETING = """
from dsl.base.fork import Ends, Helper
ends = Ends(2_000)
other = Helper(lambda: list(ends.backward()))
own = list(ends.forward())
told = other.answer()
print(own == list(range(len(own))), told == list(range(1_999, 1_999 - len(told), -1)))
print(1_999 <= len(own) + len(told) <= 2_001)
"""


@needs_help
def test_two_processes_leave_no_more_than_one_where_they_meet() -> None:
    done = ran(MEETING)
    assert done.stdout.split() == ["True", "True", "True"], done.stderr


LEFT = """
from dsl.base import fork
from dsl.driver.prefetch import Ahead
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import Texts
from dsl.base.span import Source
fork.MANY = 0
fork.Ends.forward = lambda self: iter(range(1))
fork.Ends.backward = lambda self: iter(range(self.count - 1, 1, -1))
texts = Texts()
texts.add("game.rules", Source("game.rules", "phase game: stop game\\n"))
for name in "abc":
    texts.add(f"{name}.ruling", Source(f"{name}.ruling", f"ruling {name}\\n    expect\\n        over: true\\n"))
with Ahead() as ahead:
    ahead.begin(texts.rulings())
    program, found = compile_texts(texts, "test", "", ahead=ahead)
print(found, *program.rulings)
"""


@needs_help
def test_what_nobody_took_is_read_all_the_same() -> None:
    done = ran(LEFT)
    assert done.stdout == "[] a b c\n", done.stderr


def test_no_helper_is_made_of_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork.threading, "active_count", lambda: 2)
    assert not fork.can_help()


# ---------------------------------------------------------------- what is kept


def test_a_shelf_unpacks_when_it_is_asked() -> None:
    shelf = Shelf({"a": 1}, pack({"b": 2, "c": 3}))
    again = pickle.loads(pickle.dumps(shelf))
    assert again._things is None and all(isinstance(part, bytes) for part in again._parts)
    assert list(again) == ["a", "b", "c"] and len(again) == 3 and again["c"] == 3 and again == shelf
    with pytest.raises(KeyError):
        again["d"]


def test_rulings_tell_what_they_need_of_a_machine() -> None:
    """They may try actions, and ask what is running, where the rules never do."""
    tries = FIRST + "ruling tries\n    given spring\n    expect\n        possible(grow(p1, tree_1)): true\n"
    plain, trying, asking = (
        compile_sources({"game.rules": GAME, "a.ruling": text})[0]
        for text in (FIRST, tries, tries.replace("possible(grow(p1, tree_1))", "running(game)"))
    )
    assert plain and trying and asking
    assert (plain.needs.tried, plain.needs.running) == (frozenset(), False)
    assert trying.needs.tried == {trying.proc_names["grow"]} and not trying.needs.changed
    assert asking.needs.running and not asking.needs.tried
    for program, outcome in ((trying, True), (asking, False)):
        for backend in ("python", "reference"):
            assert run_ruling(Game(program, backend), program.rulings["tries"]).passed is outcome
