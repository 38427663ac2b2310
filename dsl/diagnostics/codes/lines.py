"""Codes RW08xx: values, rule lines, purses and strips."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0801",
            "A value without a body",
            "What the value is stands behind `=`, as one expression.",
            "value fine(t: Tree): bool\n",
            "value fine(t: Tree): bool = t.age > 3\n",
        ),
        Code(
            "RW0802",
            "A parameter that is not used",
            "Nothing in the value depends on the parameter. Perhaps a slip hides here; else leave it out.",
            "value fine(t: Tree, s: Tree): bool = t.age > 3\n",
            "value fine(t: Tree, s: Tree): bool = t.age > s.age\n",
        ),
        Code(
            "RW0803",
            "A line that names the wrong number of parameters",
            "A rule line repeats all parameters of the value that it changes, each with a new name.",
            "rule fair\n    modify price(f, t) by 1\n",
            "rule fair\n    modify price(f) by 1\n",
        ),
        Code(
            "RW0804",
            "A rule line names, it does not compare",
            "In `modify price(f)` the `f` is a new name for any fruit. A condition on it goes to `where`.",
            "rule fair\n    modify price(apple) by 1\n",
            "rule fair\n    modify price(f) by 1 where f is apple\n",
        ),
        Code(
            "RW0805",
            "A value that depends on itself",
            "To know the value one would have to know it already. This also happens by a detour over other "
            "values, or by a rule line that changes a value it reads. A line may read `so_far`; only procedures "
            "recurse.",
            "value chicken: int = egg + 1\nvalue egg: int = chicken + 1\n",
            "rule fair\n    modify price(f) by so_far\n",
        ),
        Code(
            "RW0806",
            "What stands under `until end of`",
            "Rule lines stand under `until end of F` and hold until F has ended: `modify`, `grant`, `deny`, `before`, "
            "`after`, `instead of`, `source` and `always`. Sentences and declarations do not.",
            "phase sale\n    until end of sale\n        set oak.age to 0\n",
            "phase sale\n    until end of sale\n        modify price(f) by 1\n",
        ),
        Code(
            "RW0811",
            "A branch without a result",
            "The head says that the procedure gives something, but one way through it ends without `give`.",
            "procedure chosen(t: Tree) giving Tree\n    if t.pruned: give t\n",
            "procedure chosen(t: Tree) giving Tree\n    if t.pruned: give t\n    give oak\n",
        ),
        Code(
            "RW0812",
            "A name that is never used",
            "What was chosen or named here is not read anywhere below. Often the wrong name is used instead.",
            "procedure tidy(t: Tree)\n    let limit = 3\n    set t.age to 0\n",
            "procedure tidy(t: Tree)\n    let limit = 3\n    set t.age to limit\n",
        ),
        Code(
            "RW0813",
            "Nothing can stand instead of a result",
            "`instead of` replaces what a routine does. Of a routine that gives a value the caller would get nothing.",
            "procedure chosen(t: Tree) giving Tree\n"
            "    give t\n"
            "rule other\n"
            "    instead of chosen(t): set oak.age to 0\n",
            "rule other\n    instead of grow(t): set t.age to 0\n",
        ),
        Code(
            "RW0821",
            "A purse holds counted pieces",
            "Sources and change of a purse are zones of counted pieces.",
            "purse wallet(p: Seat)\n    source p.coins\n    source p.hand\n",
            "purse wallet(p: Seat)\n    source p.coins\n",
        ),
        Code(
            "RW0822",
            "What stands in a purse",
            "A purse holds `source`, `change`, `require` and `default` lines: what can be paid with, what comes "
            "back, what must hold.",
            "purse wallet(p: Seat)\n    source p.coins\n    gain 1 coin by p\n",
            "purse wallet(p: Seat)\n    source p.coins\n",
        ),
        Code(
            "RW0823",
            "A purse without a source",
            "Without a source nothing can ever be paid from this purse.",
            "purse wallet(p: Seat)\n    require p.passed\n",
            "purse wallet(p: Seat)\n    source p.coins\n",
        ),
        Code(
            "RW0833",
            "`resolve` takes a strip",
            "Behind `resolve` stands the strip of a card: `resolve c.top by p`.",
            "phase evening\n    for every p in seats: resolve p by p\n",
            "procedure tell(c: Tale, p: Seat)\n    do c.effect by p\n",
        ),
        Code(
            "RW0814",
            "A trigger that nothing can start",
            "No sentence of the ruleset moves, gains, loses, pays or turns what the line waits for.",
            "rule watch\n    after move(b: bee, origin, goal)\n        set oak.age to 0\n",
            "rule watch\n    after move(f: fruit, origin, goal)\n        set oak.age to 0\n",
        ),
        Code(
            "RW0832",
            "No part of a strip",
            "A strip is made of icons with `/` (one of them), `+` (all) and `->` (afterwards). What an icon does is "
            "said where the icon is declared.",
            "kind Tale\n"
            "    strip top\n"
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    strip top: thaw + 3\n"
            "icon thaw: set oak.age to 0\n",
            "kind Tale\n"
            "    strip top\n"
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    strip top: thaw + thaw\n"
            "icon thaw: set oak.age to 0\n",
        ),
        Code(
            "RW0831",
            "An unknown icon",
            "A strip is made of icons, which are declared with `icon NAME(...)`.",
            "kind Tale\n"
            "    strip top\n"
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    strip top: thwa\n"
            "icon thaw: set oak.age to 0\n",
            "kind Tale\n"
            "    strip top\n"
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    strip top: thaw\n"
            "icon thaw: set oak.age to 0\n",
        ),
    )
}
