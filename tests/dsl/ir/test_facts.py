"""Facts of nodes: the lists that passes and back ends go by are stated by them."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from dsl import ir
from dsl.driver import assemble
from dsl.ir.facts import CLASSES, Fact, Source
from interpreter.backends.analysis import constants, footprint, specialise
from interpreter.backends.python.emit import statements
from interpreter.backends.python.playout import reuse, variables
from interpreter.backends.python.regions import questions
from interpreter.machine.machine import Machine


def test_the_lists_of_statements_and_instructions() -> None:
    assert set(statements.WRITTEN) == set(questions.STATEMENTS) == set(ir.STATEMENTS)
    assert set(statements.SETTLING) == {*ir.having("settles")}
    assert set(reuse.QUIET) == {*ir.having("quiet")}
    assert set(questions.CERTAIN) == {*ir.having("quiet"), ir.IfS}
    assert set(questions.FAILING) == {*ir.having("faulty")}
    assert set(variables.LEAVING) == {*ir.having("leaves")}
    assert set(assemble.ROOM) == {*ir.having("records")}
    assert set(Machine.COUNTED) == {*ir.having("counted")}


def test_the_lists_of_expressions() -> None:
    pure, passing = {*ir.having("pure")}, {*ir.reading("local item", "frames", "timed", "result", "position")}
    assert set(constants.CONSTANT) == pure - {ir.MapWith}
    assert set(constants.TABLES) == {*ir.having("tabled")}
    others = {ir.CallFn, ir.Fold, ir.Domain, ir.Let}
    assert set(constants.WRITTEN) == {*constants.CONSTANT, *ir.reading("local", "cells"), *others}
    assert set(specialise.PURE) == pure - {ir.Const, ir.Temp}
    assert set(specialise.TRUTHS) == {*ir.having("truth")}
    assert set(specialise.READS) == {*ir.reading(*get_args(Source)), ir.Reach}
    assert set(specialise.TIMELY) == {*passing, *ir.reading("waiver"), ir.ListItem}
    assert set(reuse.READERS) == {*passing, ir.ListItem}
    assert set(footprint.UNKNOWN) == {*ir.reading("local", "local item", "frames", "result", "position")}
    assert set(footprint.TIMELY) == {*ir.reading("timed")}
    assert set(variables.FRAMES) == {*ir.reading("local", "local item", "frames")}


def test_what_stands_in_a_class_is_a_fact_or_a_field() -> None:
    known = {"reads", *get_args(Fact)}
    for node in CLASSES:
        own = {name for name in vars(node) if not name.startswith("_")} - {f.name for f in fields(node)}
        assert own <= known, node
        assert getattr(node, "reads", "cells") in get_args(Source), node
    for fact in get_args(Fact):
        assert ir.having(fact), fact
    for source in get_args(Source):
        assert ir.reading(source), source
