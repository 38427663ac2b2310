"""Proofs that are required: with `RULEWRIGHT_EXTRAS=required` in the environment, as in `.ci/run`, a test or module
that is skipped fails, whatever it lacks: a package, a browser, a compiler, Node.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def with_no_skip(report: Report) -> Report:
    """The report, failed if it was skipped; a test that is expected to fail is not."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"a proof is left out: {reason}"
    return report


class NoSkips:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        return with_no_skip((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        return with_no_skip((yield))
