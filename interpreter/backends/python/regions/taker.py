"""Taking an option: a function that puts it into the frame and runs on."""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.structure import Region
from interpreter.backends.python.emit.addresses import save
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.regions.frames import RegionFn
from interpreter.backends.python.regions.region import write_tree
from interpreter.backends.python.runtime.options import form_of
from interpreter.core.words import SCALARS


def write_taker(ctx: ModuleContext, region: Region, pc: int, ask: ir.Ask) -> set[int]:
    """The function that takes an option of a question in its short form and runs on; gives the instructions at which
    the driver may go on."""
    fn = RegionFn(ctx, region)
    store_answer(fn, ask)
    write_tree(fn, region.tree())
    ctx.add("k", ["S", "o"], fn.line.text, f"_k{pc}")
    return fn.exits


def store_answer(fn: RegionFn, ask: ir.Ask) -> None:
    site = fn.ctx.program.sites[ask.site]
    fn.line(f"S[{hdr.SITE}] = S[{hdr.STEPS}] = 0")
    if site.decline or site.if_any:
        fn.line(f"if o is DECLINE: return {ask.skip}")
    fn.storage.base()
    form = form_of(site)
    if form == "alternative":
        store_alternative(fn, site)
    else:
        alternative = site.alternatives[0]
        for n, (slot, type_) in enumerate(alternative.slots[: len(alternative.binders)]):
            set_slot(fn, slot, type_, "o" if form == "value" else f"o[{n}]")
        if site.answer is not None:
            value = "1"
            if site.shape == "number":
                value = "o" if form == "value" else "o[-1]"
            set_slot(fn, *site.answer, value)


def set_slot(fn: RegionFn, slot: int, type_: Any, text: str) -> None:
    if type(type_) in SCALARS:
        fn.storage.set_variable(slot, type_, fn.hold(text, "f"))
    else:
        save(fn, fn.storage.at(slot), type_, text, "a local", None)
        fn.names.frame.pop(slot, None)


def store_alternative(fn: RegionFn, site: ir.Site) -> None:
    """Write the values of the alternative that was taken, then its number."""
    word = "if"
    fn.line("k = o[0]")
    for k, alternative in enumerate(site.alternatives):
        slots = alternative.slots[: len(alternative.binders)]
        if slots:
            fn.line(f"{word} k == {k}:")
            fn.line.depth += 1
            for n, (slot, type_) in enumerate(slots):
                save(fn, fn.storage.at(slot), type_, f"o[{n + 1}]", "a local", None)
            fn.line.depth -= 1
            word = "elif"
    if site.answer is not None:
        value = "o[-1]" if site.shape == "number" else "k + 1"
        set_slot(fn, *site.answer, value)
