"""Facts of nodes: which classes have them, written out once more."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from dsl import ir
from dsl.ir.facts import CLASSES, Fact, Source

COMPUTED = {
    ir.Linear, ir.TableGet, ir.RangeTable, ir.Not, ir.And, ir.Or, ir.If, ir.Arith, ir.Compare, ir.InSet, ir.Subset,
    ir.InList, ir.MakeSet, ir.RangeSet, ir.Size, ir.ListItem, ir.ListOp, ir.MapItem, ir.MapWith,
}  # fmt: skip
FACTS: dict[Fact, set[type]] = {
    "pure": {ir.Const, ir.Temp, *COMPUTED},
    "truth": {ir.Not, ir.And, ir.Or, ir.Compare, ir.InSet, ir.InList, ir.Subset},
    "tabled": {ir.TableGet, ir.RangeTable},
    "faulty": {ir.TableGet, ir.Bounded, ir.CallFn, ir.Fold, ir.Reach, ir.RangeTable, ir.Force},
    "quiet": {ir.SetTemp, ir.SetFrame, ir.Note, ir.AtomicEnd},
    "leaves": {ir.Break, ir.Continue, ir.Return},
    "settles": {
        ir.SetFrame, ir.CallS, ir.Require, ir.Defer, ir.Timed, ir.Pay, ir.Show, ir.Forget, ir.Running, ir.While,
        ir.FrameItem, ir.Possible, ir.Payable, ir.Payments, ir.TimedActive, ir.TimedFold, ir.Together, ir.CallFn,
        ir.Fold, ir.Reach, ir.Let, ir.LazyLet, ir.Pending,
    },
    "records": {ir.Defer, ir.Scope, ir.Timed, ir.Possible},
    "counted": {ir.Jump, ir.Branch, ir.Ask, ir.Chance, ir.Confirm},
}  # fmt: skip
READ: dict[Source, set[type]] = {
    "cells": {ir.Cell, ir.CellSum},
    "local": {ir.FrameVar},
    "local item": {ir.FrameItem},
    "frames": {ir.Running, ir.Pending},
    "timed": {ir.TimedActive, ir.TimedFold},
    "waiver": {ir.Waived},
    "result": {ir.LastResult},
    "position": {ir.Possible, ir.Payable, ir.Payments},
}


def test_the_nodes_of_each_fact() -> None:
    assert set(FACTS) == set(get_args(Fact))
    for fact, nodes in FACTS.items():
        assert set(ir.having(fact)) == nodes, fact


def test_the_nodes_that_read_each_source() -> None:
    assert set(READ) == set(get_args(Source))
    for source, nodes in READ.items():
        assert set(ir.reading(source)) == nodes, source
    assert set(ir.reading("cells", "timed")) == READ["cells"] | READ["timed"]


def test_what_a_value_depends_on_is_known_of_every_expression() -> None:
    """What follows from its parts reads nothing else; the rest goes over parts, calls a function, or has a meaning."""
    reading = {*ir.reading(*get_args(Source))}
    assert not reading & FACTS["pure"]
    by_its_parts = {ir.Bounded, ir.CallFn, ir.Fold, ir.Reach, ir.Let, ir.LazyLet, ir.Force, ir.ByPlace}
    assert set(get_args(ir.Expr)) == reading | FACTS["pure"] | by_its_parts


def test_what_stands_in_a_class_is_a_fact_or_a_field() -> None:
    known = {"reads", *get_args(Fact)}
    for node in CLASSES:
        own = {name for name in vars(node) if not name.startswith("_")} - {f.name for f in fields(node)}
        assert own <= known, node
        assert getattr(node, "reads", "cells") in get_args(Source), node
