"""Codes RW12xx: sentences that are legal and yet hardly meant."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW1201",
            "An action that is all `if`",
            "Where the condition fails, this action is still offered and does nothing. To forbid it, demand the "
            "condition with `require`.",
            "action rest(p: Seat) of chores\n    if not p.passed\n        set p.passed to true\n",
            "action rest(p: Seat) of chores\n"
            '    require not p.passed because "you rest already"\n'
            "    set p.passed to true\n",
        ),
        Code(
            "RW1202",
            "A demand that comes too late",
            "Once chance was drawn, something new was shown or somebody else was asked, an action can not be "
            "taken back. What forbids it stands before.",
            "action gamble(p: Seat) of chores\n"
            "    random number n in 1..6\n"
            '    require n > 2 because "bad luck"\n'
            "    set oak.age to n\n",
            "action gamble(p: Seat) of chores\n"
            '    require p.coins > 2 because "too poor"\n'
            "    random number n in 1..6\n"
            "    set oak.age to n\n",
        ),
        Code(
            "RW1203",
            "A loop over what it changes",
            "`for every` goes over what was there at its start. `in live` also visits what comes in meanwhile.",
            "procedure stack\n    for every c in pile\n        move front(pile) to shelf\n        move rain to pile\n",
            "procedure stack\n    for every c in live pile\n        move c to shelf\n",
        ),
        Code(
            "RW1204",
            "Two lines that replace one value",
            "Both lines say `to` in the same layer. Where both apply, the one that is written last wins, which "
            "is easily overlooked.",
            "rule fair\n    modify price(f) to 3\n    modify price(f) to 5\n",
            "rule fair\n    modify price(f) to 3 where f is apple\n    modify price(f) to 5 where f is pear\n",
        ),
        Code(
            "RW1205",
            "A check that never comes to rest",
            "`always` acts as long as its condition holds. A block that changes nothing leaves the condition as "
            "it is, so the check would act for ever.",
            "rule order\n    always for every t in Tree where t.age > 50: let old = t\n",
            "rule order\n    always for every t in Tree where t.age > 50: set t.age to 0\n",
        ),
        Code(
            "RW1206",
            "The first of what may be empty",
            "`first` needs a member; of an empty set it fails a plan, and elsewhere ends the game in an error. Test "
            "that there is one, or let the answer be `none`. A `where` is taken as your word that it leaves one.",
            "procedure pluck(p: Seat)\n    let t = first(x in p.hand with highest x.cost)\n    set oak.age to t.cost\n",
            "procedure pluck(p: Seat)\n"
            "    if p.hand is {}: stop pluck\n"
            "    let t = first(x in p.hand with highest x.cost)\n"
            "    set oak.age to t.cost\n",
        ),
        Code(
            "RW1207",
            "The largest of what may be empty",
            "The `max` or `min` of nothing is the bound of the numbers it compares. A value of type `int` has none, so "
            "0 is taken, which may be more or less than any of them.",
            "value worth(c: Tale): int = c.cost - 5 * oak.age\n"
            "value dearest(p: Seat): int = max(c in p.hand: worth(c))\n",
            "value worth(c: Tale): int = c.cost - 5 * oak.age\n"
            "value dearest(p: Seat): int = 0 if p.hand is {} else max(c in p.hand: worth(c))\n",
        ),
        Code(
            "RW1208",
            "A frame that can not be running",
            "`stop F`, `at end of F` and `until end of F` speak of the F that is running around them. Where nothing "
            "that F starts leads to them, there is none, and `stop` would do nothing, silently.",
            "procedure reap(p: Seat)\n"
            "    if p.passed: stop grow\n"
            "    set p.passed to true\n"
            "phase evening\n"
            "    for every p in seats: do reap(p)\n",
            "procedure reap(p: Seat)\n"
            "    if p.passed: stop reap\n"
            "    set p.passed to true\n"
            "phase evening\n"
            "    for every p in seats: do reap(p)\n",
        ),
        Code(
            "RW1209",
            "Keys that leave ties",
            "The keys have fewer grades than there are members, so some will be equal. `first` and `ranked` then go by "
            "the tie rule of the ruleset, the value `tie_rank`, the lowest first; without one by the order of "
            "declaration, which is seldom meant.",
            "value next_tree(): Tree = first(t in Tree with highest t.pruned)\n",
            "value next_tree(): Tree = first(t in Tree with highest t.pruned, lowest t.age)\n",
        ),
        Code(
            "RW1211",
            "An amount that may be too large",
            "`move` is exact: where fewer are there, a plan fails, and elsewhere the game ends in an error. This "
            "amount can be more than the zone ever holds. `lose` and `gain` do what is possible.",
            "procedure storm(t: Tree)\n    move t.age fruit[apple] from t.crop to store\n",
            "procedure storm(t: Tree)\n    move smaller(t.age, t.crop[apple]) fruit[apple] from t.crop to store\n",
        ),
        Code(
            "RW1210",
            "A choice decided by what the chooser can not see",
            "What is offered tells the chooser about it. A choice may read only what the one who is asked can see.",
            "zone secret: Tale seen by nobody\n"
            "procedure peek(p: Seat)\n"
            "    choose t in Tree where rain in secret by p\n"
            "    set t.age to 0\n",
            "procedure peek(p: Seat)\n    choose t in Tree where rain in p.hand by p\n    set t.age to 0\n",
        ),
        Code(
            "RW1212",
            "This tells the others",
            "A condition reads what not everybody sees, and somebody is asked or something changes openly for it: "
            "the others may conclude what it was. If the rules want that, say `openly(...)`; it means the same. Else "
            "let the one who sees it decide, or show it to all before.",
            "procedure guess(p: Seat, c: Tale)\n    if c in p.hand: set p.passed to true\n",
            "procedure guess(p: Seat, c: Tale)\n    if openly(c in p.hand): set p.passed to true\n",
        ),
        Code(
            "RW1213",
            "A check that reads what is hidden",
            "A check acts by itself whenever its condition holds. Where that reads what not everybody sees, what it "
            "does is public by being done. If that is meant, say `openly(...)`; how much lies in a hidden zone is "
            "public anyway.",
            "rule caught\n"
            "    always for every p in seats where rain in p.hand and not p.passed: set p.passed to true\n",
            "rule caught\n"
            "    always for every p in seats where openly(rain in p.hand) and not p.passed: set p.passed to true\n"
            "    always for every p in seats where size(p.hand) > 7 and not p.passed: set p.passed to true\n",
        ),
        Code(
            "RW1215",
            "Branches that leave a member out",
            "A chain of `if x is ... else if x is ...` tells the members of an enum apart, and has neither a branch "
            "for each nor an `else`. A member that was forgotten, or that an overlay adds, would do nothing, silently. "
            "Tables have a row for every member anyway.",
            "procedure press(f: Fruit)\n    if f is apple: set oak.age to 1\n    else if f is pear: set oak.age to 2\n",
            "procedure press(f: Fruit)\n"
            "    if f is apple: set oak.age to 1\n"
            "    else if f in {pear, plum}: set oak.age to 2\n",
        ),
        Code(
            "RW1214",
            "A demand that may come too late",
            "A check or a line that hears the sentence before may draw by chance, show something or ask somebody else. "
            "Whether it does is not known before, so the action is offered; where the demand then fails, the action "
            "ends there and what it did before stays. Runs with `--checked` report each such case.",
            "action gamble(p: Seat) of chores\n"
            "    move 1 fruit[plum] from store to p.basket\n"
            "    require p.coins > 2\n"
            "    set oak.age to 3\n"
            "rule luck\n"
            "    after move(f: fruit, a, b) where f is plum\n"
            "        random number n in 1..6\n"
            "        set oak.age to n\n",
            "action gamble(p: Seat) of chores\n"
            "    require p.coins > 2\n"
            "    move 1 fruit[plum] from store to p.basket\n"
            "    set oak.age to 3\n"
            "rule luck\n"
            "    after move(f: fruit, a, b) where f is plum\n"
            "        random number n in 1..6\n"
            "        set oak.age to n\n",
        ),
    )
}
