"""The modules that commands load before they begin: none that only other commands need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def loaded(script: str, cache: Path) -> set[str]:
    """The modules that a new process has loaded after a script."""
    script += "\nimport sys; print('\\n' + ' '.join(sys.modules))"
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "RULEWRIGHT_CACHE": str(cache), "SYSTEMROOT": ""}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_a_check_loads_neither_a_maker_of_parsers_nor_what_draws(tmp_path: Path) -> None:
    found = loaded("from tools.cli import run; run(['check', 'tic_tac_toe'])", tmp_path / "cache")
    assert {"dsl.syntax.parser", "tools.commands.check"} <= found
    assert found.isdisjoint({"lark", "rich.console", "interpreter"})


def test_a_kept_game_is_played_without_reading_texts(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from dsl.driver.load import compile_ruleset; from interpreter import Game, legal\n"
        "game = Game(compile_ruleset(Path('rulesets/tic_tac_toe'))[0])\n"
        "assert len(legal(game.new(seats=2, seed=1))) == 9"
    )
    assert "dsl.syntax.parser" in loaded(script, tmp_path / "cache")  # nothing is kept yet
    found = loaded(script, tmp_path / "cache")
    assert "interpreter.session.game" in found
    assert found.isdisjoint({"dsl.syntax.parser", "dsl.syntax.nodes", "dsl.driver.pipeline", "pydantic", "ruamel.yaml"})
