"""Codes RW12xx: sentences that are legal and yet hardly meant."""

from dsl.codes.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW1201",
            "An action that is all `if`",
            "Where the condition fails, this action is still offered and does nothing. To forbid it, demand the "
            "condition with `require`.",
            "action rest(p: Seat) of chores\n"
            "    if not p.passed\n"
            "        set p.passed to true\n",
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
            "procedure stack\n"
            "    for every c in pile\n"
            "        move front(pile) to shelf\n"
            "        move rain to pile\n",
            "procedure stack\n"
            "    for every c in live pile\n"
            "        move c to shelf\n",
        ),
        Code(
            "RW1204",
            "Two lines that replace one value",
            "Both lines say `to` in the same layer. Where both apply, the one that is written last wins, which "
            "is easily overlooked.",
            "rule fair\n"
            "    modify price(f) to 3\n"
            "    modify price(f) to 5\n",
            "rule fair\n"
            "    modify price(f) to 3 where f is apple\n"
            "    modify price(f) to 5 where f is pear\n",
        ),
        Code(
            "RW1205",
            "A check that never comes to rest",
            "`always` acts as long as its condition holds. A block that changes nothing leaves the condition as "
            "it is, so the check would act for ever.",
            "rule order\n"
            "    always for every t in Tree where t.age > 50: let old = t\n",
            "rule order\n"
            "    always for every t in Tree where t.age > 50: set t.age to 0\n",
        ),
        Code(
            "RW1210",
            "A choice decided by what the chooser can not see",
            "What is offered tells the chooser about it. A choice may read only what the one who is asked can "
            "see.",
            "zone secret: Tale seen by nobody\n"
            "procedure peek(p: Seat)\n"
            "    choose t in Tree where rain in secret by p\n"
            "    set t.age to 0\n",
            "procedure peek(p: Seat)\n"
            "    choose t in Tree where rain in p.hand by p\n"
            "    set t.age to 0\n",
        ),
    )
}
