"""The figures of reports, against values computed by hand."""

from __future__ import annotations

import pytest

from tools.base.stats import histogram, mean_of, median, quantile, share_interval


def test_mean_with_students_interval() -> None:
    found = mean_of([1, 2, 3, 4])
    assert (found.n, found.mean) == (4, 2.5)
    assert found.margin == pytest.approx(3.182 * 1.2909944 / 2, abs=1e-4)


def test_one_value_has_no_interval() -> None:
    assert str(mean_of([7])) == "7.0"
    assert mean_of([]).n == 0


def test_many_values_use_the_normal_factor() -> None:
    found = mean_of([0, 1] * 50)
    assert found.margin == pytest.approx(1.959964 * 0.5025189 / 10, abs=1e-5)


def test_share_is_wilsons_interval() -> None:
    low, high = share_interval(5, 10)
    assert (low, high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert share_interval(0, 10)[0] == 0.0
    assert share_interval(10, 10)[1] == pytest.approx(1.0)


def test_quantiles() -> None:
    assert median([3, 1, 2]) == 2
    assert quantile([0, 10], 0.25) == 2.5
    assert quantile([], 0.5) == 0


def test_histogram_counts_every_value_once() -> None:
    values = [1, 1, 2, 30, 31, 99]
    rows = histogram(values, bins=10)
    assert sum(n for _, _, n in rows) == len(values)
    assert all(b - a == rows[0][1] - rows[0][0] for a, b, _ in rows)
    assert histogram([]) == []
