"""The outline of a trace: what a reviewer of transcripts reads of it."""

from __future__ import annotations

from interpreter.play.outline import WIDTH, outline
from interpreter.play.trace import TraceNode, saying


def rule(text: str, *children: TraceNode, cites: tuple[str, ...] = ()) -> TraceNode:
    return TraceNode("rule", text, cites, list(children))


def change(cell: str, old: object, new: object, because: str = "") -> TraceNode:
    parts = (cell, str(old), str(new), because)
    return TraceNode("change", f"{cell}: {old} -> {new}{because}", parts=parts)


def chance(address: str, drawn: str) -> TraceNode:
    return TraceNode("chance", f"{address}: {drawn}", parts=(address, drawn))


def line(*cites: str) -> TraceNode:
    return TraceNode("line", "here", cites)


def met(text: str) -> TraceNode:
    return TraceNode("demand", text, ("C-9",))


def test_a_rule_and_what_it_changed_are_a_line() -> None:
    tree = rule(
        "action take(p1)", met("there is one"), line("C-1"), change("hand", 0, 1, " as taken"), cites=("C-1", "C-2")
    )
    assert outline([tree]) == ["action take(p1) [C-1]: hand 0 -> 1 as taken"]


def test_a_rule_whose_lines_have_no_clause_has_its_own() -> None:
    assert outline([rule("phase work()", change("hand", 0, 1), cites=("C-1", "C-2"))]) == [
        "phase work() [C-1, C-2]: hand 0 -> 1"
    ]


def test_where_nothing_came_about_nothing_stands() -> None:
    idle = rule("checks checks()", met("they settle"), rule("phase empty()"), line("C-3"))
    assert outline([rule("phase work()", change("hand", 0, 1), idle)]) == ["phase work(): hand 0 -> 1"]
    assert outline([rule("phase empty()")]) == []


def test_rules_that_took_effect_stand_where_nothing_changed_at_all() -> None:
    assert outline([rule("phase turn(p1)", line("C-1"), rule("phase first(p1)", line("C-2"), line("C-1")))]) == [
        "phase turn(p1) [C-1, C-2]"
    ]
    assert outline([line("C-4")]) == ["rule here [C-4]"]


def test_the_order_of_rules_is_that_of_the_trace() -> None:
    tree = rule(
        "phase round()",
        line("C-1"),
        change("round", 1, 2),
        rule("phase work()", change("hand", 0, 1)),
        line("C-2"),
        change("round", 2, 3),
    )
    early = ["phase round() [C-1]: round 1 -> 2", "    phase work(): hand 0 -> 1", "    [C-2]: round 2 -> 3"]
    assert outline([tree]) == early
    tree.children.insert(0, tree.children.pop(2))
    assert outline([tree]) == [
        "phase round()",
        "    phase work(): hand 0 -> 1",
        "    [C-1]: round 1 -> 2",
        "    [C-2]: round 2 -> 3",
    ]


def test_calls_that_only_call_stand_on_one_line() -> None:
    tree = rule(
        "phase a()", rule("phase b()", met("so it is"), rule("phase c()", change("hand", 0, 1))), rule("phase d()")
    )
    assert outline([tree]) == ["phase a() > phase b() > phase c(): hand 0 -> 1"]


def test_passes_of_a_loop_stand_together() -> None:
    passes = [
        node
        for n in range(3)
        for node in (
            chance("draw.e", f"stone_{n}"),
            change("bag", 9 - n, 8 - n, " as drawn"),
            change("box", n, n + 1, " as drawn"),
        )
    ]
    assert outline([rule("procedure draw()", *passes)]) == [
        "procedure draw(): draw.e: stone_0, stone_1, stone_2, bag 9 -> 8 -> 7 -> 6, box 0 -> 1 -> 2 -> 3 as drawn"
    ]
    several = outline([rule("procedure pay()", change("purse", 5, 3, " as paid"), change("purse", 3, 4, " as won"))])
    assert several == ["procedure pay(): purse 5 -> 3 as paid, purse 3 -> 4 as won"]


def test_a_demand_that_was_not_met_stays() -> None:
    refused = saying("demand", "not_met", ("C-5",), text="the shop is open")
    (first, second) = outline([rule("action buy()", refused)])
    assert first == "action buy()" and "the shop is open" in second and "[C-5]" in second


def test_long_lines_are_broken_between_changes() -> None:
    changes = [change(f"cell_of_some_length_{n}", 0, 1, " as filled") for n in range(12)]
    lines = outline([rule("procedure fill()", *changes)])
    assert len(lines) > 2 and all(len(text) <= WIDTH for text in lines)
    assert " ".join(text.strip() for text in lines).count("0 -> 1") == 12
    assert lines[0].startswith("procedure fill(): cell_of_some_length_0") and lines[1].startswith("    cell_of")
