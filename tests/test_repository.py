"""What holds for the repository as a whole: who imports whom, and that the engine knows no game."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ("dsl", "interpreter", "tools")
GAME_WORDS = re.compile(r"dominan|animal|tundra|glaciat|wanderlust|mesofauna|megafauna|leonardo|archaeolog", re.I)


def test_imports_go_one_way() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_engine_knows_no_game() -> None:
    found = []
    for folder in ENGINE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in {".py", ".lark", ".yaml", ".md"}:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if GAME_WORDS.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)
