"""Codes RW06xx: routines, their sentences and their choices."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0601",
            "Never reached",
            "The line above leaves the block, so what stands below it never happens.",
            "procedure tidy(t: Tree) giving Tree\n    give t\n    give oak\n",
            "procedure tidy(t: Tree) giving Tree\n    set t.age to 0\n    give t\n",
        ),
        Code(
            "RW0602",
            "No rule line",
            "Rules and cards hold lines that change values and answer events. A sentence has to stand in a routine, in "
            "the `effect` of a card or in the block of a trigger; here nothing would ever carry it out.",
            "rule fair\n    set oak.age to 3\n",
            "rule fair\n    after grow(t): set oak.age to 3\n",
        ),
        Code(
            "RW0603",
            "A declaration among sentences",
            "Kinds, values, routines and the like are declared at the left edge of a file, not inside a routine.",
            "procedure tidy(t: Tree)\n    value limit: int = 3\n    set t.age to 0\n",
            "value limit: int = 3\nprocedure tidy(t: Tree)\n    set t.age to limit\n",
        ),
        Code(
            "RW0605",
            "A part of a card in a routine",
            "`effect` and `while` (before rule lines) are parts of a card. A loop is `repeat while P`.",
            "procedure tidy(t: Tree)\n    while t.age > 3\n        set t.age to t.age - 1\n",
            "procedure tidy(t: Tree)\n    repeat while t.age > 3\n        set t.age to t.age - 1\n",
        ),
        Code(
            "RW0606",
            "A local name without a type",
            "`none` and `{}` alone do not tell what kind of thing will be there. Write the type behind the name.",
            "procedure tidy(t: Tree)\n    let who = none\n    set t.keeper to who\n",
            "procedure tidy(t: Tree)\n    let who: Seat or none = none\n    set t.keeper to who\n",
        ),
        Code(
            "RW0607",
            "One name in this loop",
            "A `live` loop looks for the next member after each pass, and a `round robin` goes round until "
            "nobody is left. Both go through one set of members.",
            "procedure tidy\n    for every t in live Tree, s in Tree: set t.age to s.age\n",
            "procedure tidy\n    for every t in live Tree where t.age > 3: set t.age to 0\n",
        ),
        Code(
            "RW0608",
            "What stands in `open to`",
            "`open to` lets everybody answer in any order, so its body is one `offer` or one `choose` by the member.",
            "phase market\n    open to p in seats\n        set p.passed to true\n        offer chores by p\n",
            "phase market\n    open to p in seats: offer chores by p\n",
        ),
        Code(
            "RW0609",
            "What stands in `at once`",
            "With `at once` all answer before anything happens. So the body begins with the choices of its member.",
            "phase vote\n    for every p in seats at once: set p.passed to true\n",
            "phase vote\n    for every p in seats at once\n        choose t in Tree by p\n        set t.keeper to p\n",
        ),
        Code(
            "RW0610",
            "Nobody is asked inside `together`",
            "All that stands in `together` happens at one moment. Ask before it, and apply the answers inside.",
            "action share(p: Seat, t: Tree) of chores\n"
            "    together\n"
            "        choose f in Fruit\n"
            "        move 1 fruit[f] from store to p.basket\n",
            "action share(p: Seat, t: Tree) of chores\n"
            "    choose f in Fruit\n"
            "    together\n"
            "        move 1 fruit[f] from store to p.basket\n"
            "        set t.age to 0\n",
        ),
        Code(
            "RW0611",
            "Nothing to shuffle",
            "Only a zone that is `ordered` can be shuffled.",
            "procedure mix\n    shuffle shelf\n",
            "procedure mix\n    shuffle pile\n",
        ),
        Code(
            "RW0613",
            "A routine that gives nothing",
            "`give` ends a procedure with a result, and the head says of which type. To end without one, write `stop`.",
            "procedure oldest()\n    give oak\n",
            "procedure oldest() giving Tree\n    give oak\n",
        ),
        Code(
            "RW0614",
            "The result is missing",
            "The head says that the procedure gives something, so `give` says what.",
            "procedure oldest() giving Tree\n    give\n",
            "procedure oldest() giving Tree\n    give oak\n",
        ),
        Code(
            "RW0615",
            "A value is not a routine",
            "`do` starts something that happens. A value is read, in an expression.",
            "procedure tidy(t: Tree)\n    do standing(p1)\n",
            "procedure tidy(t: Tree)\n    if standing(p1) > 3: set t.age to 0\n",
        ),
        Code(
            "RW0616",
            "It has no effect",
            "`do c.effect by p` runs the effect of a card that is certainly there.",
            "procedure tidy(t: Tree)\n    do t.keeper.effect by p1\n",
            "procedure tell(c: Tale, p: Seat)\n    do c.effect by p\n",
        ),
        Code(
            "RW0617",
            "An effect with two sorts of actors",
            "`you` of a card is of one type. So every `do card.effect by WHO` names an actor of the same kind.",
            "kind Robot: 2 decided by master\n"
            "    field master: Seat\n"
            "    zone coins: coin\n"
            "procedure tell(c: Tale, p: Seat, r: Robot)\n"
            "    do c.effect by p\n"
            "    do c.effect by r\n",
            "procedure tell(c: Tale, p: Seat)\n    do c.effect by p\n",
        ),
        Code(
            "RW0604",
            "It does not belong into a routine",
            "Cases stand under `choose one`, and answers under the `when` of a ruling.",
            "procedure tidy(t: Tree)\n    case rest: set t.age to 0\n",
            "action tidy(p: Seat, t: Tree) of chores\n    choose one\n        case rest: set t.age to 0\n",
        ),
        Code(
            "RW0612",
            "A sentence of rulings",
            "`legal`, `illegal` and `asks` say what a ruling expects. They do nothing in a routine.",
            "procedure tidy(t: Tree)\n    illegal t\n",
            "procedure tidy(t: Tree)\n    set t.age to 0\n",
        ),
        Code(
            "RW0618",
            "Nothing is given",
            "`do f(x) giving w` names what the procedure gives. Its head must say of which type that is.",
            "procedure tidy(t: Tree)\n    do grow(t) giving u\n    set t.age to 0\n",
            "procedure chosen(t: Tree) giving Tree\n"
            "    give t\n"
            "procedure tidy(t: Tree)\n"
            "    do chosen(t) giving u\n"
            "    set u.age to 0\n",
        ),
    )
}
