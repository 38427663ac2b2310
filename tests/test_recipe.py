"""The recipe of docs/engine.md, followed to the letter: a tiny verb is added on a copy, in the files that it names.

The verb is `double FIELD`. It is checked, both back ends carry it out, and it has a test of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent
WORD = "double"

NEW = {
    "dsl/elaborate/statements/double.py": '''
        """`double FIELD`: a number becomes twice what it was."""

        from __future__ import annotations

        from dsl import ir
        from dsl.base.types import INT
        from dsl.elaborate.context import Elaboration
        from dsl.elaborate.core.build import ONE, ZERO
        from dsl.elaborate.core.emit import EmitContext
        from dsl.elaborate.core.scope import Scope, Val
        from dsl.elaborate.core.types import need
        from dsl.elaborate.events import events
        from dsl.elaborate.statements.verbs import field_target
        from dsl.syntax import nodes as sx


        def double(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
            """`double FIELD`: the field holds a number."""
            target = field_target(elab, s.operands[0], scope)
            if target is None:
                return
            address, t, symbol = target
            need(elab.model, Val(address, t), INT, s.operands[0].span)
            node = ir.Double(address, t, symbol, s.span)
            emit = lambda: ctx.em.emit(node)
            events.emit_event(elab, "double", [], ONE, ZERO, {symbol}, scope, ctx, emit, s.span, symbol)
        ''',
    "tests/concepts/test_double.py": '''
        """`double FIELD` on both back ends, and on what is no number."""

        from __future__ import annotations

        import pytest

        from interpreter import Game
        from interpreter.core.errors import RulesetError
        from tests.concepts.play import cell, errors, game

        RULES = """
        field coins: 0..100
        phase game
            set coins to 3
            double coins
            double coins
            {more}
            stop game
        """


        @pytest.mark.parametrize("backend", ["wasm", "reference"])
        def test_a_number_is_doubled(backend: str) -> None:
            state = Game(game(RULES.format(more="")).program, backend).new(checked=True)
            assert cell(state, "coins") == 12


        @pytest.mark.parametrize("backend", ["wasm", "reference"])
        def test_it_keeps_to_its_bounds(backend: str) -> None:
            lines = "\\n    ".join(["double coins"] * 4)
            with pytest.raises(RulesetError, match="coins"):
                Game(game(RULES.format(more=lines)).program, backend).new()


        def test_only_numbers_are_doubled() -> None:
            rules = "field met: bool\\nphase game\\n    double met\\n    stop game\\n"
            assert [d.code for d in errors(rules)] == ["RW0402"]
        ''',
}

# file -> lines, each with the line of the file that it is put behind
ADDED: dict[str, list[tuple[str, str]]] = {
    "dsl/syntax/vocabulary.py": [
        (r'    Word\("shuffle", ', '    Word("double", "WORD", "verb", facts=("changes", "public")),'),
    ],
    "dsl/elaborate/statements/table.py": [
        (r"from dsl\.elaborate\.events import timed", "from dsl.elaborate.statements import double"),
        (r'    "shuffle": ', '    "double": double.double,'),
    ],
    "dsl/ir/statements.py": [
        (
            r"STATEMENTS_COME_NEXT",
            '''
            @dataclass(frozen=True, slots=True)
            class Double:
                """Double a number of the declared state. Beyond the bounds of its type it is a reported error."""

                address: Expr
                type: Type
                symbol: str
                span: Span = NOWHERE

                settles = True
            ''',
        ),
        (r"    Store,", "    Double,"),
    ],
    "dsl/ir/__init__.py": [(r"    Defer,", "    Double,"), (r'    "Defer",', '    "Double",')],
    "interpreter/semantics/statements.py": [
        (
            r"HANDLERS_COME_NEXT",
            """
            def _double(m: Run, s: ir.Double, t: Temps) -> int:
                at = m.value(s.address, t)
                write(m, at, s.type, 2 * m.words[at], f"`{s.symbol}`", s.span)
                return 0
            """,
        ),
        (r"    ir\.Store: ", "    ir.Double: _double,"),
    ],
    "interpreter/backends/low/rules/statements.py": [
        (
            r"LOW_FORMS_COME_NEXT",
            """
            def _double(lo: Lowering, s: ir.Double) -> None:
                base, offset = place_of(lo, s.address)
                twice = ir.Arith("*", ir.Const(2), ir.Cell(s.address, s.type, s.symbol))
                write(lo, WordsAt(lo.w.let(base), offset), s.type, twice)
            """,
        ),
        (r"    ir\.Store: ", "    ir.Double: _double,"),
    ],
    "docs/manual/04-verbs-and-causes.md": [(r"# ", "\n`double FIELD` makes a number twice what it was.")],
    "docs/reference/sentences.md": [
        (
            r"WORDS_COME_NEXT",
            """
            ### `double`

            <!-- made: words double -->
            <!-- end -->

            **Static.** A field that is a number. **Dynamic.** It is twice what it was.
            """,
        )
    ],
}
BEFORE = {
    "STATEMENTS_COME_NEXT": "Stmt: TypeAlias",
    "HANDLERS_COME_NEXT": "EXECUTE: ",
    "LOW_FORMS_COME_NEXT": "STATEMENTS: ",
    "WORDS_COME_NEXT": "### `shuffle`",
}


def recipe() -> set[str]:
    """The files that the recipe names, for this word."""
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    section = re.search(r"^## Add a word$(.*?)^## ", text, re.S | re.M)
    assert section, "docs/engine.md has no section `Add a word`"
    steps = re.search(r"^1\. .*?(?=\n\n[^ \d])", section[1], re.S | re.M)
    assert steps
    return {name.replace("WORD", WORD) for name in re.findall(r"`((?:dsl|interpreter|docs|tests)/[\w/.-]+)`", steps[0])}


def put(text: str, behind: str, lines: str) -> str:
    """`lines` behind the first line that begins so, or before one where that is asked for."""
    rows, new = text.split("\n"), dedent(lines).strip("\n").split("\n") if "\n" in lines.strip("\n") else [lines]
    if behind in BEFORE:
        at = next(n for n, row in enumerate(rows) if row.startswith(BEFORE[behind]))
        return "\n".join([*rows[:at], *new, "", "", *rows[at:]])
    at = next(n for n, row in enumerate(rows) if re.match(behind, row)) + 1
    return "\n".join([*rows[:at], *new, *rows[at:]])


def with_word(folder: Path) -> None:
    """A copy of the engine in which the word is added."""
    for name in ("dsl", "interpreter", "tests", "docs/manual", "docs/reference", "docs/diagnostics"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "corpus", "spiel"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name, text in NEW.items():
        assert not (folder / name).exists()
        (folder / name).write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    for name, changes in ADDED.items():
        text = (folder / name).read_text(encoding="utf-8")
        for behind, lines in changes:
            text = put(text, behind, lines)
        (folder / name).write_text(text, encoding="utf-8")


def test_the_recipe_names_every_file_that_is_touched() -> None:
    assert {*NEW, *ADDED} == recipe()


def test_a_word_is_added_by_the_recipe(tmp_path: Path) -> None:
    with_word(tmp_path)
    generate = [sys.executable, "-m", "dsl.reference.generate"]
    subprocess.run(generate, cwd=tmp_path, check=True, capture_output=True)
    tables = [
        "tests/dsl/reference/test_pages.py",
        "tests/dsl/elaborate/test_tables.py",
        "tests/interpreter/backends/test_tables.py",
    ]
    own = f"tests/concepts/test_{WORD}.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", own, *tables]
    second = os.environ | {"PYTEST_XDIST_WORKER": "gw1"}  # which loads all games, and here there are none
    run = subprocess.run(command, cwd=tmp_path, env=second, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    found = re.search(r"(\d+) passed", run.stdout)
    assert found and int(found[1]) > 5
