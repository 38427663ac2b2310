"""Many games side by side: each slot has a store, and what hosts read of it, in arrays behind the memory of the module.

A slot is copied in, goes on to its next question, and is copied out last: where low code gives up, the slot is as it
was, the word `now` says which one it is, and the host plays its answer by the reference and goes on behind it. A game
that is over begins anew in the same step, with a seed of its own from a stream of SplitMix64 for each slot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.program import OVER, PLAN, PLAN_SEAT, SITE
from interpreter.backends.low.base import exported
from interpreter.backends.low.base.context import FRESH, Lowering
from interpreter.backends.low.base.exported import BEGIN, COUNT, RELIST, SLOTS_OBSERVE, SLOTS_RESET, SLOTS_STEP, SP
from interpreter.backends.low.base.make import ONE, ZERO, add, both, num, scale, word
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.low.base.regions import Slots
from interpreter.backends.low.bots.choices import FORCED
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.generators.store import mixed, seed_store
from interpreter.backends.low.slots import numbered
from interpreter.backends.low.slots.numbered import number_options
from interpreter.backends.low.slots.observing import OBSERVE
from interpreter.backends.low.slots.places import LENGTH, SEAT, WORDS, SlotPlaces, clear_few, copy_few
from interpreter.backends.low.slots.results import OUTCOME
from interpreter.backends.low.whole.driver import ANSWER, RUN
from interpreter.choices.numbers import NumberBlock
from interpreter.core.question import AUTOMATIC_LIMIT
from interpreter.core.rng import GOLDEN

FIND, ONE_STEP, ONE_RESET, SETTLE, NOTE_PLAN, SHOW, LOOK = (
    "slots_find", "slot_step", "slot_reset", "slot_settle", "slot_plan", "slot_show", "slot_look",
)  # fmt: skip
"""Functions: which slot has an illegal action; step a slot, begin its game; take forced answers; note the open plan;
show the question, and copy the store out; write an observation of the store, or of that before the open plan."""


def write(lo: Lowering, blocks: Sequence[NumberBlock], observation: int) -> Slots:
    """Write all functions of slots; `blocks`: the fixed numbers of answers, `observation`: the words of one."""
    at = SlotPlaces(lo, sum(block.size for block in blocks), observation)
    _write_settle(lo)
    _write_plan(lo, at)
    _write_look(lo, at)
    _write_show(lo, at, blocks)
    _write_one_reset(lo, at)
    _write_one_step(lo, at)
    _write_find(lo, at)
    _write_reset(lo, at)
    _write_step(lo, at)
    _write_observe(lo, at)
    return at.slots


def _write_settle(lo: Lowering) -> None:
    with lo.function(SETTLE, ()) as w:
        w.set("left", Num(AUTOMATIC_LIMIT))

        def one(label: str) -> None:
            w.leave_if(low.Not(both(word(SITE), low.Call(FORCED))), label)
            w.trap_if(low.Not(Local("left")), Reason.ENDLESS)
            w.set("left", add(Local("left"), -1))
            w.call(ANSWER, ZERO)

        w.loop(one)
        w.give(ZERO)


def _write_plan(lo: Lowering, at: SlotPlaces) -> None:
    """A plan that began in this step is that of the slot; without an open one, it has none."""
    planned, seats = lo.memory.planned, lo.program.domains[lo.program.seat_kind].values
    with lo.function(NOTE_PLAN, ("slot",)) as w:
        own = at.of(exported.OPEN, Local("slot"))

        def begun() -> None:
            w.store(own, LENGTH, word(planned))
            seat = w.let(add(word(PLAN_SEAT), 1 - seats[0]))
            w.store(own, SEAT, low.Choice(Op(">u", add(seat, -1), Num(len(seats) - 1)), ZERO, seat))
            w.emit(low.Copy(add(own, WORDS), Num(planned + 1), word(planned)))

        w.when(word(PLAN), lambda: w.when(word(planned), begun), lambda: w.store(own, LENGTH, ZERO))
        w.give(ZERO)


def _write_look(lo: Lowering, at: SlotPlaces) -> None:
    """The store at address 0 is that of the slot; another seat sees the one before an open plan."""
    aside = lo.memory.kept + MERSENNE
    with lo.function(LOOK, ("slot", "seat", "asked", "at")) as w:
        own = at.of(exported.OPEN, Local("slot"))

        def before() -> None:
            length = w.let(low.Load(own, LENGTH))
            w.emit(low.Copy(Num(aside), ZERO, Global(SP)))
            w.emit(low.Copy(ZERO, add(own, WORDS), length))
            w.call(OBSERVE, Local("seat"), Local("asked"), ZERO, Local("at"))
            w.emit(low.Copy(ZERO, Num(aside), Global(SP)))

        others = both(low.Load(own, LENGTH), Op("!=", low.Load(own, SEAT), Local("seat")))
        w.call(FRESH)
        w.when(others, before, lambda: w.call(OBSERVE, Local("seat"), Local("asked"), word(SITE), Local("at")))
        w.give(ZERO)


def _write_show(lo: Lowering, at: SlotPlaces, blocks: Sequence[NumberBlock]) -> None:
    memory, slot = lo.memory, Local("slot")

    def note(n: Expr, number: Expr) -> None:
        """Note an option and its number."""
        w = lo.w
        row = w.let(scale(n, memory.stride))
        copy_few(lo, Op("+", Local("rows"), row), add(row, memory.options), memory.stride)
        w.store(Op("+", Local("legal"), n), 0, number)
        if at.slots.masked:
            place = w.let(Op("+", Local("mask"), Op(">>", number, Num(2))))
            mine = Op("<<", ONE, scale(Op("&", number, Num(3)), 8))
            w.store(place, 0, Op("|", low.Load(place), mine))

    numbered.write(lo, blocks, ("legal", "rows", "mask"), note)
    sighted = lo.memory.words([0, *(int(site.sighted) for site in lo.program.sites)])
    with lo.function(SHOW, ("slot",)) as w:
        if any(site.sighted for site in lo.program.sites):
            w.trap_if(low.Load(word(SITE), sighted), Reason.GAP)  # the host sees whether who is asked may answer
        count = w.let(low.Choice(word(SITE), Global(COUNT), ZERO))
        asked = w.let(low.Choice(word(SITE), low.Call(ASKED), ZERO))
        mask = at.of(exported.MASK, slot)
        if at.slots.masked:
            clear_few(lo, mask, at.slots.widths[exported.MASK])
        legal, rows = at.of(exported.LEGAL, slot), at.of(exported.ROWS, slot)

        w.when(count, lambda: number_options(lo, blocks, (legal, rows, mask)))
        w.call(LOOK, slot, asked, asked, at.of(exported.OBSERVATION, slot))
        for array, value in ((exported.COUNTS, count), (exported.ASKED_SEAT, asked)):
            w.store(at.of(array, slot), 0, value)
        own = at.of(exported.STORE, slot)
        w.store(own, 0, Global(SP))
        w.emit(low.Copy(add(own, 1), ZERO, Global(SP)))
        w.give(ZERO)


def _write_one_reset(lo: Lowering, at: SlotPlaces) -> None:
    memory, slot = lo.memory, Local("slot")
    with lo.function(ONE_RESET, ("slot",)) as w:
        w.put(at.slots.phase, Num(exported.BEGINNING))
        w.put(memory.planned, ZERO)
        length = w.let(word(memory.begun))
        w.emit(low.Copy(ZERO, Num(memory.begun + 1), length))
        seeds = at.of(exported.SEEDS, slot)
        stream = w.let(low.LoadLong(seeds))
        seed = w.let(mixed(lo, stream))
        w.emit(low.StoreLong(ZERO, at.pending, Op("+", stream, num(GOLDEN))))
        w.emit(low.StoreLong(ZERO, at.pending + 2, seed))
        seed_store(lo, seed)
        w.call(BEGIN, length)
        waits = low.Either(word(SITE), word(OVER))  # without chance, games begin with the first question
        w.emit(low.If(waits, (low.Do(low.Call(RELIST)),), (low.Do(low.Call(RUN)),)))
        w.call(SETTLE)
        w.call(NOTE_PLAN, slot)
        w.call(SHOW, slot)
        copy_few(lo, seeds, Num(at.pending), at.slots.widths[exported.SEEDS])
        w.store(at.of(exported.TAKEN, slot), 0, ZERO)
        w.give(ZERO)


def _write_one_step(lo: Lowering, at: SlotPlaces) -> None:
    memory, slot, places = lo.memory, Local("slot"), at.slots
    with lo.function(ONE_STEP, ("slot",)) as w:
        w.put(places.phase, Num(exported.ANSWERING))
        w.put(memory.planned, ZERO)
        chosen = low.Load(at.of(exported.CHOSEN, slot))
        row = w.let(Op("+", at.of(exported.ROWS, slot), scale(chosen, memory.stride)))
        for to in (memory.options, places.row):
            copy_few(lo, Num(to), row, memory.stride)
        store = at.of(exported.STORE, slot)
        length = w.let(low.Load(store))
        w.emit(low.Copy(ZERO, add(store, 1), length))
        w.call(BEGIN, length)
        w.emit(low.SetGlobal(COUNT, ONE))
        w.call(ANSWER, ZERO)
        w.call(SETTLE)
        w.call(NOTE_PLAN, slot)
        taken, ended = at.of(exported.TAKEN, slot), at.of(exported.ENDED, slot)
        decisions = w.let(add(low.Load(taken), 1))
        cut = low.Choice(Op(">=", decisions, word(places.most)), Num(exported.TRUNCATED), Num(exported.IN_PLAY))
        how = w.let(low.Choice(word(OVER), Num(exported.TERMINATED), cut))
        w.store(ended, 0, how)
        acted = w.let(low.Load(at.of(exported.ASKED_SEAT, slot)))
        scores, reward = at.of(exported.SCORES, slot), at.of(exported.REWARD, slot)
        clear_few(lo, scores, places.widths[exported.SCORES])
        w.store(reward, 0, ZERO)

        def end() -> None:
            asked = w.let(low.Choice(word(SITE), low.Call(ASKED), ZERO))
            w.call(LOOK, slot, acted, asked, at.of(exported.FINAL, slot))

            def result() -> None:
                won = w.let(low.Call(OUTCOME, (scores,)))
                w.store(at.of(exported.WINNERS, slot), 0, won)
                own = low.Load(add(Op("+", scores, acted), -1))
                w.store(reward, 0, low.Choice(acted, own, ZERO))

            w.when(word(OVER), result)
            w.call(ONE_RESET, slot)

        def go_on() -> None:
            w.call(SHOW, slot)
            w.store(taken, 0, decisions)

        w.when(how, end, go_on)
        w.give(ZERO)


def _write_find(lo: Lowering, at: SlotPlaces) -> None:
    """Find the options of all actions; gives 0, or -1 less the first slot whose action is not legal."""
    with lo.function(FIND, ("end",)) as w:

        def one(slot: Expr) -> None:
            wanted = w.let(low.LoadLong(at.of(exported.ACTION, slot)))
            count = w.let(low.Load(at.of(exported.COUNTS, slot)))
            legal = at.of(exported.LEGAL, slot)
            w.set("k", ZERO)

            def look(label: str) -> None:
                w.emit(low.If(Op(">=", Local("k"), count), (low.Return(Op("-", Num(-1), slot)),)))
                w.leave_if(Op("==", low.Load(Op("+", legal, Local("k"))), wanted), label)
                w.set("k", add(Local("k"), 1))

            w.loop(look)
            w.store(at.of(exported.CHOSEN, slot), 0, Local("k"))

        w.upto(ZERO, Local("end"), one)
        w.give(ZERO)


def _each(lo: Lowering, at: SlotPlaces, work: Callable[[Expr], None]) -> None:
    """Do something for each slot from `first` to below `end`."""

    def one(slot: Expr) -> None:
        lo.w.put(at.slots.now, slot)
        work(slot)

    lo.w.upto(Local("first"), Local("end"), one)
    lo.w.give(ZERO)


def _write_reset(lo: Lowering, at: SlotPlaces) -> None:
    with lo.function(SLOTS_RESET, ("first", "end"), exported=True) as w:

        def one(slot: Expr) -> None:
            w.when(low.LoadLong(at.of(exported.ACTION, slot)), lambda: w.call(ONE_RESET, slot))

        _each(lo, at, one)


def _write_step(lo: Lowering, at: SlotPlaces) -> None:
    with lo.function(SLOTS_STEP, ("first", "end"), exported=True) as w:

        def find() -> None:
            found = w.let(low.Call(FIND, (Local("end"),)))
            w.emit(low.If(found, (low.Return(found),)))

        w.when(low.Not(Local("first")), find)
        _each(lo, at, lambda slot: w.call(ONE_STEP, slot))


def _write_observe(lo: Lowering, at: SlotPlaces) -> None:
    with lo.function(SLOTS_OBSERVE, ("first", "end", "seat", "at"), exported=True) as w:
        width = at.slots.widths[exported.OBSERVATION]

        def one(slot: Expr) -> None:
            store = at.of(exported.STORE, slot)
            length = w.let(low.Load(store))
            w.emit(low.Copy(ZERO, add(store, 1), length))
            w.call(BEGIN, length)
            asked = low.Load(at.of(exported.ASKED_SEAT, slot))
            w.call(LOOK, slot, Local("seat"), asked, Op("+", Local("at"), scale(slot, width)))

        _each(lo, at, one)
