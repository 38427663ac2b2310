"""Where proofs are required, whatever is skipped fails, with the reason."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SKIPS = """\
import pytest
@pytest.mark.skip(reason="lacks a browser")
def test_marked():
    pass
def test_inside():
    pytest.skip("lacks a compiler")
@pytest.mark.xfail(reason="known")
def test_known():
    assert False
def test_made():
    pass
"""
MODULE = 'import pytest\npytest.skip("lacks a package", allow_module_level=True)\n'


@pytest.mark.parametrize("required", [False, True])
def test_a_proof_that_is_required_is_not_skipped(tmp_path: Path, required: bool) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_configure\n")
    (tmp_path / "test_skips.py").write_text(SKIPS)
    (tmp_path / "test_module.py").write_text(MODULE)
    wish = {"RULEWRIGHT_EXTRAS": "required" if required else "", "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*words, "--continue-on-collection-errors", str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | wish,
        capture_output=True,
        text=True,
    )
    lines = run.stdout.splitlines()
    if not required:
        assert run.returncode == 0 and lines[-1].startswith("1 passed, 3 skipped, 1 xfailed"), run.stdout
        return
    assert run.returncode != 0 and "skipped" not in lines[-1], run.stdout
    reasons = [line.partition("a proof is left out: ")[2] for line in lines if line.startswith("a proof is left out")]
    assert sorted(reason.removeprefix("Skipped: ") for reason in reasons) == [
        "lacks a browser",
        "lacks a compiler",
        "lacks a package",
    ], run.stdout
