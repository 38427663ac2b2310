"""Codes RW07xx: choices, menus and plans."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0701",
            "Who chooses",
            "Nobody acts in this routine, so a choice in it says who is asked: `by WHO`.",
            "procedure plant\n"
            "    choose t in Tree\n"
            "    set t.age to 0\n",
            "procedure plant(p: Seat)\n"
            "    choose t in Tree by p\n"
            "    set t.age to 0\n",
        ),
        Code(
            "RW0702",
            "`each` takes a range",
            "`each 0..3` bounds the amount that each member can get.",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree each 3 total n at most 5\n"
            "    for every t in Tree: set t.age to n[t]\n",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree each 0..3\n"
            "    for every t in Tree: set t.age to n[t]\n",
        ),
        Code(
            "RW0703",
            "`choose number` takes a range",
            "A number is chosen from a range, whose ends may be worked out.",
            "action guess(p: Seat) of chores\n"
            "    choose number n in Tree\n"
            "    set oak.age to n\n",
            "action guess(p: Seat) of chores\n"
            "    choose number n in 0..p.coins\n"
            "    set oak.age to n\n",
        ),
        Code(
            "RW0715",
            "Amounts without a bound",
            "An answer of amounts has a largest size, so that it can be listed and stored. `each 0..N` bounds "
            "every amount, `total n at most N` all of them together.",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree\n"
            "    for every t in Tree: set t.age to n[t]\n",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree each 0..3\n"
            "    for every t in Tree: set t.age to n[t]\n",
        ),
        Code(
            "RW0704",
            "`per` names something of this choice",
            "`total n per t` bounds a total for each member of one of the names that the choice ranges over.",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree each 0..3 total n per f at most 5\n"
            "    for every t in Tree: set t.age to n[t]\n",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree, f in Fruit each 0..3 total n per t at most 5\n"
            "    for every t in Tree, f in Fruit: move n[t, f] fruit[f] from store to t.crop\n",
        ),
        Code(
            "RW0705",
            "A bound on a single answer",
            "`exactly`, `at least` and `at most` bound the size of an answer with several members. A condition "
            "on a single one is written behind `where`.",
            "action sit(p: Seat) of chores\n"
            "    choose t in Tree at most 2\n"
            "    set t.keeper to p\n",
            "action sit(p: Seat) of chores\n"
            "    choose some ts in Tree at most 2\n"
            "    for every t in ts: set t.keeper to p\n",
        ),
        Code(
            "RW0706",
            "A bound without its total",
            "Amounts are bounded one by one with `each`, or together with `total n at most 5`.",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree each 0..3 at most 5\n"
            "    for every t in Tree: set t.age to n[t]\n",
            "action give_out(p: Seat) of chores\n"
            "    choose amounts n for t in Tree each 0..3 total n at most 5\n"
            "    for every t in Tree: set t.age to n[t]\n",
        ),
        Code(
            "RW0707",
            "Only cases below `choose one`",
            "Each branch of `choose one` begins with `case NAME`.",
            "action act(p: Seat) of chores\n"
            "    choose one\n"
            "        case rest: set p.passed to true\n"
            "        set oak.age to 0\n",
            "action act(p: Seat) of chores\n"
            "    choose one\n"
            "        case rest: set p.passed to true\n"
            "        case work: set oak.age to 0\n",
        ),
        Code(
            "RW0708",
            "The range of a case",
            "A name in a case says what it ranges over, and the answer holds one member of that.",
            "action act(p: Seat) of chores\n"
            "    choose one\n"
            "        case rest: set p.passed to true\n"
            "        case work(t): set oak.age to 0\n",
            "action act(p: Seat) of chores\n"
            "    choose one\n"
            "        case rest: set p.passed to true\n"
            "        case work(t: Tree): set t.age to 0\n",
        ),
        Code(
            "RW0709",
            "No case at all",
            "`choose one` offers its cases, so it needs at least one.",
            "action act(p: Seat) of chores\n"
            "    choose one\n"
            "        set p.passed to true\n",
            "action act(p: Seat) of chores\n"
            "    choose one\n"
            "        case rest: set p.passed to true\n",
        ),
        Code(
            "RW0710",
            "This piece can not be drawn",
            "A random piece is drawn by its index. A piece without an index, or with several, or with faces, "
            "gives nothing to tell one from another.",
            "procedure draw(p: Seat)\n"
            "    random x in p.coins\n"
            "    move 1 fruit[apple] from store to p.basket\n",
            "procedure draw(p: Seat)\n"
            "    random f in store\n"
            "    move 1 fruit[f] from store to p.basket\n",
        ),
        Code(
            "RW0711",
            "An unknown menu",
            "A menu exists as soon as an action says that it is `of` it.",
            "phase evening\n"
            "    for every p in seats: offer chore by p or decline\n",
            "phase evening\n"
            "    for every p in seats: offer chores by p or decline\n",
        ),
        Code(
            "RW0712",
            "No action for this actor",
            "The first parameter of an action is the one who takes it. No action of the menu begins with this "
            "kind.",
            "kind Robot: 2 decided by master\n"
            "    field master: Seat\n"
            "phase evening\n"
            "    for every r in Robot: offer chores by r\n",
            "phase evening\n"
            "    for every p in seats: offer chores by p\n",
        ),
        Code(
            "RW0713",
            "`perform` orders an action",
            "`perform` runs an action with its arguments, as a plan that may fail. Procedures are called with "
            "`do`.",
            "phase evening\n"
            "    for every p in seats: perform grow(oak) by p\n",
            "phase evening\n"
            "    for every p in seats: perform prune(p, oak)\n",
        ),
        Code(
            "RW0714",
            "A menu can not list this",
            "To offer an action, all values of its parameters are listed. Members and small numbers can be "
            "listed; sets and lists can not.",
            "action gather(p: Seat, ts: set of Tree) of games\n"
            "    for every t in ts: set t.age to 0\n"
            "phase evening\n"
            "    for every p in seats: offer games by p\n",
            "action gather(p: Seat) of games\n"
            "    choose some ts in Tree\n"
            "    for every t in ts: set t.age to 0\n"
            "phase evening\n"
            "    for every p in seats: offer games by p\n",
        ),
    )
}
