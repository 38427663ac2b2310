"""Codes RW09xx: positions and rulings."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0901",
            "An unknown position",
            'A position is declared with `position NAME "title"`. Rulings begin with one, and positions may '
            "build on others.",
            'ruling growing "A tree grows"\n'
            "    given sprnig\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 1\n"
            'position spring "Spring"\n'
            "    seats: 2\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0902",
            "`given` holds rows",
            "What is given is the state: rows `key: cells`. What happens then stands under `when`.",
            'ruling growing "A tree grows"\n'
            "    given\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 1\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0903",
            "It does not belong into a ruling",
            "A position has rows; a ruling has `given`, `when` and `expect`.",
            'ruling growing "A tree grows"\n'
            "    do grow(oak)\n"
            "    expect\n"
            "        oak.age: 1\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0904",
            "The number of seats",
            "The manifest says for how many seats the game is.",
            'position crowd "Too many"\n'
            "    seats: 9\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0905",
            "Not a place of the state",
            "Rows of a position set fields, zones and options. Values follow from these.",
            'position spring "Spring"\n'
            "    oak.height: 3\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0906",
            "What stands under `when`",
            "Under `when` a routine is started, answers are given and chance is fixed.",
            'ruling growing "A tree grows"\n'
            "    when\n"
            "        set oak.age to 3\n"
            "    expect\n"
            "        oak.age: 3\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0907",
            "What stands under `expect`",
            "Under `expect` stand rows that compare, and `legal`, `illegal`, `asks`, `known`, `hidden` and `options`.",
            'ruling growing "A tree grows"\n'
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        do grow(oak)\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0908",
            "One value is expected",
            "What is compared is a single number or member, so one value stands behind the colon.",
            'ruling growing "A tree grows"\n'
            "    expect\n"
            "        oak.age: 3, 4\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n"
            'ruling growing "A tree grows"\n'
            "    given spring\n"
            "    when\n"
            "        do grow(oak)\n"
            "    expect\n"
            "        oak.age: 4\n",
        ),
        Code(
            "RW0909",
            "An unknown option of a position",
            "The row sets an option that the ruleset does not have.",
            'position spring "Spring"\n'
            "    option lnog: true\n",
            'position spring "Spring"\n'
            "    option long: true\n",
        ),
        Code(
            "RW0910",
            "Rules in a file of rulings",
            "Files that end in `.ruling` hold positions and rulings and nothing else: whoever reads the rules need not "
            "look there, and a ruling never changes the game that it is about.",
            "value crop_of(t: Tree): int = t.age + 1\n",
            'position spring "Spring"\n'
            "    seats: 2\n"
            "    oak.age: 3\n",
        ),
    )
}
