"""What may lie in the folder of a ruleset besides files: links, pipes and folders; and two processes with one cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dsl.driver.load import compile_ruleset

ROOT = Path(__file__).parents[3]
MANIFEST = "id: x\nversion: 1\ntitle: {en: X}\nseats: 2\nload: [x.rules]\n"
RULES = "phase game\n    stop game\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "rulesets" / "x"
    made.mkdir(parents=True)
    (made / "ruleset.yaml").write_text(MANIFEST)
    (made / "x.rules").write_text(RULES)
    return made


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes in folders")
def test_pipes_links_and_folders_are_not_read(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere.rules"
    secret.write_text("this is no rule\n")
    os.mkfifo(folder / "pipe.rules")
    (folder / "link.rules").symlink_to(secret)
    (folder / "loop.rules").symlink_to(folder / "loop.rules")
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    (folder / "folder.rules").mkdir()
    program, found, sources = compile_ruleset(folder, cached=False)
    assert program is not None and found == [] and len(sources) == 2


def test_a_name_in_other_letters_is_another_file(folder: Path) -> None:
    (folder / "x.rules").rename(folder / "X.rules")
    program, found, _ = compile_ruleset(folder, cached=False)
    assert program is None and [d.code for d in found] == ["RW0320"] and "X.rules" in (found[0].help or "")


def test_two_processes_share_one_cache(folder: Path, tmp_path: Path) -> None:
    environment = os.environ | {
        "RULEWRIGHT_HOME": str(tmp_path), "RULEWRIGHT_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    command = [sys.executable, "-m", "tools", "check", "x"]
    both = [subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [run.communicate(timeout=120)[0] for run in both] == ["x: no problems\n"] * 2
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.suffix in (".tmp", ".part")]
