"""Codes RW05xx: moving, gaining, turning, setting."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0501",
            "There is no enum of causes",
            "`as CAUSE` names a member of the enum `Cause`, which the ruleset declares.",
            "piece coin\n"
            "zone bank: coin\n"
            "zone chest: coin\n"
            "phase game\n"
            "    move 1 coin from bank to chest as gift\n",
            "enum Reason: gift\n",
        ),
        Code(
            "RW0502",
            "This is not a zone",
            "Behind `from` and `to` stands a zone, perhaps one inside a thing: `t.crop`.",
            "procedure tidy\n"
            "    move 1 fruit[apple] from store to oak.age\n",
            "procedure tidy\n"
            "    move 1 fruit[apple] from store to oak.crop\n",
        ),
        Code(
            "RW0503",
            "A move without a from or to",
            "A move of counted pieces says where they come from; every move says where to.",
            "procedure tidy\n"
            "    move 1 fruit[apple] to oak.crop\n",
            "procedure tidy\n"
            "    move 1 fruit[apple] from store to oak.crop\n",
        ),
        Code(
            "RW0504",
            "This can not be moved",
            "Things and counted pieces move. Numbers are set, values are modified.",
            "procedure tidy\n"
            "    move oak.age to store\n",
            "procedure tidy\n"
            "    move 1 fruit[apple] from store to oak.crop\n",
        ),
        Code(
            "RW0505",
            "The zone holds something else",
            "A zone holds one sort of pieces or the things of one kind.",
            "procedure tidy\n"
            "    move 1 coin from store to p1.coins\n",
            "procedure tidy\n"
            "    move rain to shelf\n",
        ),
        Code(
            "RW0506",
            "Which piece",
            "The piece is counted by an index, and the sentence does not say which.",
            "procedure tidy\n"
            "    move 1 fruit from store to oak.crop\n",
            "procedure tidy\n"
            "    move 1 fruit[apple] from store to oak.crop\n",
        ),
        Code(
            "RW0508",
            "All of what has no limit",
            "A piece without `each` has no end, so there is no number that would be all of it.",
            "procedure tidy(p: Seat)\n"
            "    gain all coin by p\n",
            "procedure tidy(p: Seat)\n"
            "    gain 5 coin by p\n",
        ),
        Code(
            "RW0509",
            "A negative amount",
            "A move has a direction; a negative amount would turn it round silently.",
            "procedure tidy\n"
            "    move -1 fruit[apple] from store to oak.crop\n",
            "procedure tidy\n"
            "    move 1 fruit[apple] from oak.crop to store\n",
        ),
        Code(
            "RW0510",
            "An amount and a piece",
            "`gain`, `lose` and `pay` take how many, and of what.",
            "procedure tidy(p: Seat)\n"
            "    gain coin by p\n",
            "procedure tidy(p: Seat)\n"
            "    gain 1 coin by p\n",
        ),
        Code(
            "RW0511",
            "Who gains or loses",
            "Outside of actions nobody acts, so say `by` whom.",
            "procedure tidy\n"
            "    gain 1 coin\n",
            "procedure tidy(p: Seat)\n"
            "    gain 1 coin by p\n",
        ),
        Code(
            "RW0512",
            "Somebody who acts",
            "Behind `by` stands a seat or a thing of a kind that is `decided by` one.",
            "procedure tidy\n"
            "    gain 1 coin by 3\n",
            "procedure tidy(p: Seat)\n"
            "    gain 1 coin by p\n",
        ),
        Code(
            "RW0513",
            "Which zone takes it",
            "The kind of the one who gains has no zone for the piece, or several.",
            "procedure tidy(p: Seat)\n"
            "    gain 1 bee by p\n",
            "procedure tidy(t: Tree)\n"
            "    move 1 bee from sky to t.nest\n",
        ),
        Code(
            "RW0514",
            "An unknown face",
            "The faces of a piece or kind are declared with it.",
            "kind Sheep: 3 faces shorn, woolly\n"
            "procedure shear(s: Sheep)\n"
            "    turn s to shron\n",
            "kind Sheep: 3 faces shorn, woolly\n"
            "procedure shear(s: Sheep)\n"
            "    turn s to shorn\n",
        ),
        Code(
            "RW0515",
            "It has no faces",
            "`turn` shows another face of a thing or a piece. Its kind declares the faces.",
            "procedure flip(t: Tree)\n"
            "    turn t to pruned\n",
            "kind Sheep: 3 faces shorn, woolly\n"
            "procedure shear(s: Sheep)\n"
            "    turn s to shorn\n",
        ),
        Code(
            "RW0517",
            "This can not be set",
            "A parameter and the answer of a choice stay what they are. A local name can change.",
            "procedure tidy(t: Tree)\n"
            "    set t to oak\n",
            "procedure tidy(t: Tree)\n"
            "    let u = t\n"
            "    set u to oak\n",
        ),
        Code(
            "RW0518",
            "Outside of the field's bounds",
            "The number lies outside of the bounds that the field is declared with, whatever happens.",
            "procedure tidy(t: Tree)\n"
            "    set t.age to 120\n",
            "procedure tidy(t: Tree)\n"
            "    set t.age to 12\n",
        ),
        Code(
            "RW0519",
            "Only fields and locals are set",
            "Zones change by `move`, values by `modify` lines, constants never.",
            "procedure tidy(t: Tree)\n"
            "    set t.height to 3\n",
            "procedure tidy(t: Tree)\n"
            "    set t.age to 3\n",
        ),
        Code(
            "RW0520",
            "Nobody decides for it",
            "A thing acts only if its kind says which seat decides for it.",
            "procedure tidy(t: Tree)\n"
            "    choose f in Fruit by t\n"
            "    move 1 fruit[f] from store to t.crop\n",
            "procedure tidy(p: Seat, t: Tree)\n"
            "    choose f in Fruit by p\n"
            "    move 1 fruit[f] from store to t.crop\n",
        ),
        Code(
            "RW0521",
            "`decided by` must give a seat",
            "The field or value behind `decided by` names the seat that decides for a thing.",
            "kind Robot: 2 decided by power\n"
            "    field power: 0..9\n"
            "procedure run(r: Robot)\n"
            "    choose f in Fruit by r\n"
            "    move 1 fruit[f] from store to oak.crop\n",
            "kind Robot: 2 decided by master\n"
            "    field master: Seat\n"
            "procedure run(r: Robot)\n"
            "    choose f in Fruit by r\n"
            "    move 1 fruit[f] from store to oak.crop\n",
        ),
        Code(
            "RW0507",
            "Counted pieces move between named zones",
            "A `place` can be any zone, also one that can not hold these pieces. Name the zone itself.",
            "rule copy\n"
            "    after move(c: Tale, origin, goal)\n"
            "        move 1 fruit[apple] from store to goal\n"
            "procedure tidy: move rain to shelf\n",
            "rule copy\n"
            "    after move(c: Tale, origin, goal)\n"
            "        move 1 fruit[apple] from store to oak.crop\n"
            "procedure tidy: move rain to shelf\n",
        ),
    )
}
