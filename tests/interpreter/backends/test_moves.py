"""Moves of things in native code: every kind of zone as source and as goal, in lock step with the reference."""

from __future__ import annotations

import random
from pathlib import Path

from dsl.driver.load import compile_ruleset
from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.interpreter.pair import Pair
from tests.native import needs_wasmtime

MANIFEST = "id: parcels\nversion: 1\ntitle: {en: Parcels}\nseats: 2..3\nload: [game.rules]\n"

RULES = """
kind Parcel: 40

zone heap: Parcel seen by nobody
zone queue: Parcel ordered seen by nobody
zone shelf: Parcel ordered max 5
zone hook: Parcel max 1 seen by nobody
zone bin: Parcel

kind Seat
    zone bag: Parcel seen by owner
    zone pile: Parcel ordered

phase game
    for every c in Parcel: move c to heap
    for every p in seats, i in 1..3
        random c in heap
        move c to p.bag
    repeat while size(heap) < 1000
        for every p in seats
            choose one by p
                case draw where size(heap) > 0
                    random c in heap
                    move c to p.bag
                case drop(c: Parcel) where c in p.bag: move c to p.pile
                case line_up(c: Parcel) where c in p.bag: move c to queue
                case shelve(c: Parcel) where c in p.bag: move c to shelf
                case again where size(queue) > 0: move front(queue) to queue
                case first_of_queue where size(queue) > 0: move front(queue) to p.pile
                case give(c: Parcel, q: Seat) where c in p.bag: move c to q.bag
                case hang(c: Parcel) where c in p.bag and hook is none: move c to hook
                case unhang where hook is not none: move hook to bin
                case show_bag: show p.bag to seats
                case mix: shuffle queue
                case back(c: Parcel) where c in p.pile: move c to heap
"""


@needs_wasmtime
def test_moves_in_lock_step(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "game.rules").write_text(RULES)
    program, messages = compile_ruleset(tmp_path)[:2]
    assert program is not None, [d.message for d in messages]
    game, done = Game(program), 0
    for seed in range(12):
        pair = Pair(program, blank_store(game, 2 + seed % 2, {}, seed))
        done += pair.play(program.entry, random.Random(seed), 200)
        assert pair.in_native_code and pair.given_up == 0
    assert done > 400
