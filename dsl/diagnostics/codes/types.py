"""Codes RW04xx: types, and what an expression may do with them."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0401",
            "It may be none",
            "A value of type `T or none` can not be used as a `T` before it is known not to be none. Test it: "
            "`x is not none and ...` within one expression, or `if x is not none` around a block that uses a "
            "local name or parameter.",
            "value keeper_coins(t: Tree): int = t.keeper.coins\n",
            "value keeper_coins(t: Tree): int = t.keeper.coins if t.keeper is not none else 0\n",
        ),
        Code(
            "RW0402",
            "The wrong type",
            "What stands here is of another type than this place needs: of another kind, a set where one member "
            "is needed, a number where a truth is.",
            "value fine(t: Tree): bool = t.height\n",
            "value fine(t: Tree): bool = t.height > 3\n",
        ),
        Code(
            "RW0403",
            "A text is not a value",
            "There are no texts in the rules: titles, reasons and dates stand in quotes, and what players read "
            "comes from the locale files.",
            'value motto: int = "grow"\n',
            "value motto: int = 3\n",
        ),
        Code(
            "RW0404",
            "`any` outside of `perform`",
            "`any x` leaves an argument of a performed action to whoever chooses. In a condition write `any(x "
            "in S where ...)`.",
            "value oldest: int = any tree\n",
            "value old_ones: bool = any(t in Tree where t.age > 20)\n",
        ),
        Code(
            "RW0405",
            "This is not a value",
            "The words stand for a type or an amount, not for something that can be read.",
            "value trees: set of Tree = set of Tree\n",
            "value trees: set of Tree = Tree\n",
        ),
        Code(
            "RW0406",
            "Two sorts of value in one place",
            "The two outcomes of an `if`, or the members of one set, must be of one type.",
            "value reward(t: Tree): int = 2 if t.pruned else apple\n",
            "value reward(t: Tree): int = 2 if t.pruned else 1\n",
        ),
        Code(
            "RW0407",
            "This calculation needs numbers",
            "`+`, `-` and `*` work on numbers, `+` and `-` on sets too. A condition is counted with `1 if ... "
            "else 0`.",
            "value score(t: Tree): int = t.height * t.pruned\n",
            "value score(t: Tree): int = t.height * (1 if t.pruned else 0)\n",
        ),
        Code(
            "RW0408",
            "Two types that do not go together",
            "Numbers are added, sets are joined with `+` and reduced with `-`. A single member in such a sum is "
            "written `{x}`.",
            "value around(t: Tree): set of Tree = t.near + 2\n",
            "value around(t: Tree): set of Tree = t.near + {t}\n",
        ),
        Code(
            "RW0409",
            "Only numbers and ranked enums have an order",
            "`<` and its like compare numbers, or the members of a `ranked enum`.",
            "value dearer: bool = apple > pear\n",
            "value better(t: Tree): bool = t.grade > small\n",
        ),
        Code(
            "RW0410",
            "A place is compared with a zone",
            "A parameter of type `place` stands for some zone, so it is compared with zones.",
            "rule watch\n"
            "    after move(c: Tale, origin, goal) where goal is 3: gain 1 coin by p1\n"
            "procedure tidy: move rain to shelf\n",
            "rule watch\n"
            "    after move(c: Tale, origin, goal) where goal is pile: gain 1 coin by p1\n"
            "procedure tidy: move rain to shelf\n",
        ),
        Code(
            "RW0411",
            "A test that always holds",
            "The value is never none, so the test says nothing. It may hint at a type that was meant to be `or "
            "none`.",
            "value grown: bool = oak.grade is not none\n",
            "value kept: bool = oak.keeper is not none\n",
        ),
        Code(
            "RW0412",
            "They are never equal",
            "Values of two different types can not be equal, so the comparison is a slip.",
            "value sweet(f: Fruit): bool = f is oak\n",
            "value sweet(f: Fruit): bool = f is apple\n",
        ),
        Code(
            "RW0413",
            "Ask a counting zone for a number",
            "A zone of indexed pieces is a row of numbers. `in` asks for an index of it; for a sort of pieces "
            "ask how many there are.",
            "value rich(p: Seat): bool = p in p.coins\n",
            "value rich(p: Seat): bool = p.coins > 0\n",
        ),
        Code(
            "RW0414",
            "`in` needs something with members",
            "Behind `in` stands a set, a list, a zone or a range.",
            "value young(t: Tree): bool = t.age in 3\n",
            "value young(t: Tree): bool = t.age in 0..3\n",
        ),
        Code(
            "RW0415",
            "It can not be a member",
            "The thing before `in` is of another type than the members behind it, so it is never among them.",
            "value beside(f: Fruit, t: Tree): bool = f in t.near\n",
            "value beside(s: Tree, t: Tree): bool = s in t.near\n",
        ),
        Code(
            "RW0416",
            "No items in brackets",
            "Counting zones, lists, maps and tables have items: `zone[x]`. Things have fields: `x.field`.",
            "value first_one(t: Tree): int = t.age[1]\n",
            "value first_one(t: Tree): int = t.crop[apple]\n",
        ),
        Code(
            "RW0417",
            "The wrong index of a piece",
            "A piece has one index for each name behind its `by`, and perhaps one of its faces.",
            "value apples(t: Tree): int = t.crop[apple, pear]\n",
            "value apples(t: Tree): int = t.crop[apple]\n",
        ),
        Code(
            "RW0418",
            "This can not be called",
            "Only the name of a value or of a built-in function takes arguments.",
            "value strange(t: Tree): int = t.age(3)\n",
            "value fine(t: Tree): int = standing(p1)\n",
        ),
        Code(
            "RW0419",
            "Rules may not read values of bots",
            "The values of `bots.rules` are opinions about positions. If rules could read them, another bot "
            "would be another game.",
            "value goal: int = hope(p1)\n",
            "value goal: int = standing(p1)\n",
        ),
        Code(
            "RW0420",
            "Nothing to count",
            "`size` counts the members of a set, a list or a zone of things; `total` adds up a zone of pieces.",
            "value years(t: Tree): int = size(t.age)\n",
            "value neighbours(t: Tree): int = size(t.near)\n",
        ),
        Code(
            "RW0421",
            "No first and no last",
            "`front` and `last` ask for an end of an ordered zone or a list. The first of a set is `first(x in "
            "S ...)`.",
            "value top: Tale or none = front(3)\n",
            "value top: Tale or none = front(pile)\n",
        ),
        Code(
            "RW0422",
            "Division by zero",
            "The second argument of a division is never 0.",
            "value half(t: Tree): int = div_down(t.age, 0)\n",
            "value half(t: Tree): int = div_down(t.age, 2)\n",
        ),
        Code(
            "RW0423",
            "Nothing holds this",
            "`holder(z)` is the thing that a zone belongs to. A zone of the whole game belongs to none.",
            "value whose: bool = holder(store) is oak\n",
            "value whose(t: Tree): bool = holder(t.crop) is oak\n",
        ),
        Code(
            "RW0424",
            "The holder may be of several kinds",
            "A `place` can be a zone inside things of different kinds, so its holder has no single type. "
            "Compared with a thing, or with a set of things, it is the holder of their kind.",
            "rule watch\n"
            "    after move(c: Tale, origin, goal) where holder(goal).coins > 3: gain 1 coin by p1\n"
            "procedure tidy: move rain to shelf\n",
            "rule watch\n"
            "    after move(c: Tale, origin, goal) where holder(goal) is p1: gain 1 coin by p1\n"
            "procedure tidy: move rain to shelf\n",
        ),
        Code(
            "RW0430",
            "The members of a counting zone",
            "A zone of pieces without an index is a number; there is nothing in it to go through one by one.",
            "value drops(p: Seat): int = count(x in p.coins where true)\n",
            "value drops(p: Seat): int = p.coins\n",
        ),
        Code(
            "RW0431",
            "Nothing to range over",
            "Behind `in` stands a set, a list, a zone or a range. One thing alone is written `{x}`.",
            "value sum_up(t: Tree): int = sum(x in t: x.age)\n",
            "value sum_up(t: Tree): int = sum(x in t.near: x.age)\n",
        ),
        Code(
            "RW0432",
            "A key is a number",
            "`with highest` and `with lowest` compare numbers, truths or members of a ranked enum.",
            "value best: Tree or none = only(t in Tree with highest t.near)\n",
            "value best: Tree or none = only(t in Tree with highest size(t.near))\n",
        ),
        Code(
            "RW0434",
            "Nothing to add up",
            "`sum`, `max`, `min` and `table` need an expression behind a colon.",
            "value years: int = sum(t in Tree where t.pruned)\n",
            "value years: int = sum(t in Tree where t.pruned: t.age)\n",
        ),
        Code(
            "RW0435",
            "This fold takes no value",
            "`count` counts members and `first` and its kin give members, so nothing stands behind a colon.",
            "value years: int = count(t in Tree: t.age)\n",
            "value years: int = sum(t in Tree: t.age)\n",
        ),
        Code(
            "RW0436",
            "This fold works on numbers",
            "`sum`, `max` and `min` need numbers behind the colon. `max` of things is `first(... with highest "
            "...)`.",
            "value oldest: int = max(t in Tree: t.keeper)\n",
            "value oldest: int = max(t in Tree: t.age)\n",
        ),
        Code(
            "RW0438",
            "`reach` takes two names",
            "The first names a node that is reached, the second a neighbour of it that may be reached next.",
            "value land(t: Tree): set of Tree = reach(x in {t})\n",
            "value land(t: Tree): set of Tree = reach(x in {t}, y in x.near)\n",
        ),
        Code(
            "RW0439",
            "`reach` goes from things to things",
            "It begins with a set of things, and the neighbours of a thing are things of the same kind.",
            "value land(t: Tree): set of Tree = reach(x in {3}, y in t.near)\n",
            "value land(t: Tree): set of Tree = reach(x in {t}, y in x.near)\n",
        ),
        Code(
            "RW0440",
            "Too many budgets",
            "A way is limited by at most two budgets at once.",
            "value land(t: Tree): set of Tree = reach(x in {t}, y in x.near\n"
            "    cost 1 within 3 cost y.height within 9 cost y.age within 5)\n",
            "value land(t: Tree): set of Tree = reach(x in {t}, y in x.near cost 1 within 3 cost y.height within 9)\n",
        ),
        Code(
            "RW0441",
            "What `possible` asks",
            "`possible` tries an action with its arguments. A condition is simply written.",
            "value can(p: Seat): bool = possible(p.coins)\n",
            "value can(p: Seat): bool = possible(prune(p, oak))\n",
        ),
        Code(
            "RW0442",
            "`possible` asks about actions",
            "Phases and procedures are parts of the rules that happen; only actions are plans that may fail.",
            "value can(p: Seat): bool = possible(grow(oak))\n",
            "value can(p: Seat): bool = possible(prune(p, oak))\n",
        ),
    )
}
