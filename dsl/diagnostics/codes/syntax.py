"""Codes RW01xx: what can be wrong with the form of a text, before any name is looked up."""

from dsl.diagnostics.code import Code

_CODES = (
    Code(
        "RW0101",
        "A tab in the indentation",
        "Lines are indented with spaces only, four for each level. A tab looks different in every editor, so "
        "it is refused.",
        "phase rest\n\tdo sleep()\n",
        "phase rest\n    do sleep()\n",
    ),
    Code(
        "RW0102",
        "Wrong indentation",
        "Each level of a block is four spaces deep. A line whose indentation is no multiple of four, or that "
        "does not fit the lines around it, belongs to no block.",
        "phase rest\n  do sleep()\n",
        "phase rest\n    do sleep()\n",
    ),
    Code(
        "RW0103",
        "A line that is too deep",
        "A block is one level deeper than the line above it, never two.",
        "phase rest\n        do sleep()\n",
        "phase rest\n    do sleep()\n",
    ),
    Code(
        "RW0104",
        "A bracket that is not closed",
        "Inside brackets a sentence goes on over the end of a line. If the next line begins a new sentence "
        "all the same, the bracket was forgotten.",
        "phase rest\n    do sleep(home\n    do wake(home)\n",
        "phase rest\n    do sleep(home)\n    do wake(home)\n",
    ),
    Code(
        "RW0105",
        "A closing bracket without its opening one",
        "Each `)`, `]` and `}` closes the nearest open bracket of its sort.",
        "phase rest\n    do sleep home)\n",
        "phase rest\n    do sleep(home)\n",
    ),
    Code(
        "RW0106",
        "A text that is not closed",
        'A text stands between two `"` on one line. Within it `\\"` is a quotation mark and `\\\\` a backslash.',
        'card lamp "Lamp: Item\n',
        'card lamp "Lamp": Item\n',
    ),
    Code(
        "RW0107",
        "A character that means nothing",
        "Outside of texts and comments there are letters, digits, `_` and the signs of the language. Names "
        "begin with a letter; other scripts stand in texts.",
        "phase rest\n    do sleep();\n",
        "phase rest\n    do sleep()\n",
    ),
    Code(
        "RW0108",
        "A number that is too large",
        "Numbers have 32 bits: from -2147483647 to 2147483647.",
        "value limit(): int = 3000000000\n",
        "value limit(): int = 30000\n",
    ),
    Code(
        "RW0109",
        "A misspelt first word",
        "The first word of a line says what the line is. It is a word of the language, or the key of a row "
        "followed by `:`.",
        "phase rest\n    mvoe lamp to shelf\n",
        "phase rest\n    move lamp to shelf\n",
    ),
    Code(
        "RW0110",
        "An unknown declaration",
        "What stands in column 1 declares something: a kind, a value, an action, a card, a rule and so on.",
        "gadget lamp to shelf\n",
        "kind Lamp\n",
    ),
    Code(
        "RW0111",
        "A misspelt clause",
        "Behind its operand a sentence has clauses, each with its word. The table of words in the manual "
        "lists which word takes which.",
        "phase rest\n    move lamp form table to shelf\n",
        "phase rest\n    move lamp from table to shelf\n",
    ),
    Code(
        "RW0112",
        "An equals sign that compares or changes",
        "`=` gives a value to a name (`let x = 3`, `value v(): int = 3`). To compare write `is`; to change a "
        "field write `set field to value`.",
        "phase rest\n    if night = true: do sleep()\n",
        "phase rest\n    if night is true: do sleep()\n",
    ),
    Code(
        "RW0113",
        "A call without a verb",
        "A sentence begins with a verb. A routine is called by `do`, an action by `perform`, a menu by `offer`.",
        "phase rest\n    sleep(home)\n",
        "phase rest\n    do sleep(home)\n",
    ),
    Code(
        "RW0114",
        "A missing colon",
        "A `:` stands before a type, between the key of a row and its cells, before the body of a fold, and "
        "before a sentence on the same line.",
        "phase rest\n    if night do sleep()\n",
        "phase rest\n    if night: do sleep()\n",
    ),
    Code(
        "RW0115",
        "A missing block",
        "Loops, conditions, steps, triggers and the like need lines under them, indented by four more spaces,"
        " or one sentence behind a `:`.",
        "phase rest\n    for every p in seats\n    do sleep()\n",
        "phase rest\n    for every p in seats\n        do sleep()\n",
    ),
    Code(
        "RW0116",
        "A block where none may stand",
        "Nothing stands under a plain sentence such as `move` or `set`, nor under a field, a zone or a value.",
        "phase rest\n    do sleep()\n        do wake()\n",
        "phase rest\n    do sleep()\n    do wake()\n",
    ),
    Code(
        "RW0117",
        "An `else` without an `if`",
        "`else` and `else if` follow the block of their `if` at once, at the same depth, and only one `else` does.",
        "phase rest\n    do sleep()\n    else: do wake()\n",
        "phase rest\n    if night: do sleep()\n    else: do wake()\n",
    ),
    Code(
        "RW0118",
        "Two clauses of one kind",
        "A sentence has at most one clause of a kind. Conditions are joined by `and`. Only `total`, its "
        "bounds, `cost`, `without` and `with ... by` may stand more than once.",
        "phase rest\n    move lamp to shelf to table\n",
        "phase rest\n    move lamp to shelf\n",
    ),
    Code(
        "RW0119",
        "A clause that does not belong here",
        "Each word takes its own clauses, as the table of words in the manual lists them.",
        "phase rest\n    set light to true as night\n",
        "phase rest\n    set light to true\n",
    ),
    Code(
        "RW0120",
        "A clause that is missing",
        "Some words mean nothing without a certain clause: `set` and `move` need `to`, `modify` needs `by` or `to`.",
        "phase rest\n    move lamp from table\n",
        "phase rest\n    move lamp from table to shelf\n",
    ),
    Code(
        "RW0121",
        "An `if` behind a colon",
        "Behind a `:` stands one sentence, choice or loop. An `if` there would leave open whose `else` follows.",
        "phase rest\n    for every p in seats: if tired(p): do sleep(p)\n",
        "phase rest\n    for every p in seats\n        if tired(p): do sleep(p)\n",
    ),
    Code(
        "RW0122",
        "Nothing where a value is expected",
        "An expression, an address or an answer was asked for, and nothing but space was written.",
        "invariant rest: \n",
        "invariant rest: night\n",
    ),
    Code(
        "RW0123",
        "A word that does not fit",
        "The line can be read up to this word, and not with it. The message says what could have followed.",
        "value limit(): int = 3 4\n",
        "value limit(): int = 34\n",
    ),
    Code(
        "RW0124",
        "A line that ends too early",
        "The line has a right beginning and lacks its end.",
        "phase rest\n    let high\n    do sleep()\n",
        "phase rest\n    let high = 3\n    do sleep()\n",
    ),
    Code(
        "RW0125",
        "More than one operand",
        "A sentence has one operand; only the moving verbs take an amount before it (`move 3 cube[red]`).",
        "phase rest\n    shuffle deck discard\n",
        "phase rest\n    shuffle deck\n",
    ),
    Code(
        "RW0126",
        "A row of data among sentences",
        "`key: cells` is data. In a routine it says nothing, so it is most likely a misspelt section or a "
        "sentence with a stray colon.",
        "phase rest\n    lamp: shelf\n",
        "phase rest\n    move lamp to shelf\n",
    ),
    Code(
        "RW0127",
        "A declaration without a name",
        "A declaration is a word, a name and perhaps parameters: `value cost(p: Seat): int`.",
        "zone 3: Card\n",
        "zone deck: Card\n",
    ),
    Code(
        "RW0128",
        "A line that may not stand in column 1",
        "Sentences, rows and sections stand inside of declarations, indented by four spaces or more.",
        "phase rest\n    do sleep()\ndo wake()\n",
        "phase rest\n    do sleep()\n    do wake()\n",
    ),
    Code(
        "RW0129",
        "An `if` without `else` in an expression",
        "`X if P else Y` is a value and needs both outcomes. A sentence that is done only sometimes stands "
        "under an `if` line.",
        "value limit(): int = 3 if night\n",
        "value limit(): int = 3 if night else 4\n",
    ),
    Code(
        "RW0130",
        "Nested too deeply",
        "At most a hundred things stand in one another in a line, at most twenty blocks in a declaration, at "
        "most fifty branches in an `if`. Whoever needs more gives parts names of their own: values, "
        "procedures, tables.",
        "value deep(): int = " + "(" * 101 + "1" + ")" * 101 + "\n",
        "value flat(): int = 1\n",
    ),
)
CODES: dict[str, Code] = {code.code: code for code in _CODES}
