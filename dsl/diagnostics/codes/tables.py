"""Codes RW027x and RW028x: rows of cards and tables."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0208",
            "An unknown cause",
            "Behind `as` stands a member of the enum `Cause`.",
            "procedure tidy\n"
            "    move rain to shelf as rotte\n",
            "procedure tidy\n"
            "    move rain to shelf as rotten\n",
        ),
        Code(
            "RW0209",
            "An unknown piece",
            "What is gained, lost, paid or moved by number is a piece that the ruleset declares. What is paid "
            "may also be a purse.",
            "procedure tidy(p: Seat)\n"
            "    gain 1 coyn by p\n",
            "procedure tidy(p: Seat)\n"
            "    gain 1 coin by p\n",
        ),
        Code(
            "RW0270",
            "An unknown row of a card",
            "The rows of a card are the constants of its kind; rules stand under `effect` and `while`.",
            'card snow "Snow": Tale\n'
            "    csot: 2\n",
            'card snow "Snow": Tale\n'
            "    cost: 2\n",
        ),
        Code(
            "RW0271",
            "A table by nothing",
            "A table says by what it is looked up: an enum, a kind or a range of numbers.",
            "table heights\n"
            "    apple: 3\n",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n",
        ),
        Code(
            "RW0272",
            "A table holds rows",
            "Under a table stand rows `key: value` only.",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n"
            "    gain 1 coin\n",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n",
        ),
        Code(
            "RW0273",
            "An empty table",
            "A table without rows gives nothing for any key.",
            "table heights by Fruit\n",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n",
        ),
        Code(
            "RW0274",
            "This is not a key of the table",
            "A table by numbers has numbers and ranges as keys.",
            "table prizes by 0..5\n"
            "    apple: 3\n"
            "    0..5: 1\n",
            "table prizes by 0..5\n"
            "    0: 3\n"
            "    1..5: 1\n",
        ),
        Code(
            "RW0275",
            "A table with a gap",
            "A table gives a value for every key. A table by numbers may end with a range, whose value holds "
            "for all others.",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n",
        ),
        Code(
            "RW0276",
            "A key twice in a table",
            "Two rows have the same key, so one of them would never count.",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    apple: 5\n"
            "    plum: 2\n",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n",
        ),
        Code(
            "RW0277",
            "Too many items in a row",
            "A list holds at most as many items as its type has members.",
            "kind Tale\n"
            "    const likes: list of Fruit\n"
            'card snow "Snow": Tale\n'
            "    likes: apple, pear, plum, apple\n",
            "kind Tale\n"
            "    const likes: list of Fruit\n"
            'card snow "Snow": Tale\n'
            "    likes: apple, pear, plum\n",
        ),
        Code(
            "RW0278",
            "The wrong number of cells",
            "A row gives one value where the constant is one, and several between commas where it is a set, a "
            "list or amounts.",
            'card snow "Snow": Tale\n'
            "    cost: 2, 3\n",
            'card snow "Snow": Tale\n'
            "    cost: 2\n",
        ),
        Code(
            "RW0279",
            "A number or a truth is needed",
            "The cell is of another sort than the constant of this row.",
            'card snow "Snow": Tale\n'
            "    cost: high\n",
            'card snow "Snow": Tale\n'
            "    cost: 2\n",
        ),
        Code(
            "RW0280",
            "A cell out of bounds",
            "The constant is declared with bounds, and the number lies outside of them.",
            'card snow "Snow": Tale\n'
            "    cost: 12\n",
            'card snow "Snow": Tale\n'
            "    cost: 2\n",
        ),
        Code(
            "RW0281",
            "No such member in a row",
            "The cell should name a member of the enum or kind.",
            "kind Tale\n"
            "    const liked: Fruit or none\n"
            'card snow "Snow": Tale\n'
            "    liked: aple\n",
            "kind Tale\n"
            "    const liked: Fruit or none\n"
            'card snow "Snow": Tale\n'
            "    liked: apple\n",
        ),
        Code(
            "RW0282",
            "A card without a row",
            "A constant whose type has no zero must be given on every card: a number whose bounds exclude 0, a "
            "member.",
            "kind Story\n"
            "    const mood: Grade\n"
            'card snow "Snow": Story\n',
            "kind Story\n"
            "    const mood: Grade\n"
            'card snow "Snow": Story\n'
            "    mood: fair\n",
        ),
    )
}
