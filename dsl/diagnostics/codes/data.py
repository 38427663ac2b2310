"""Codes RW03xx: data files, the manifest, the clause index and the texts."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0301",
            "This is not YAML",
            "The file can not be read as YAML from here on, so nothing of it is used. The mark shows where the "
            "text stops making sense; a bracket or a quote that is never closed is marked where it begins.",
            "Tree:\n"
            "    oak: {height: 5, near: [willow}\n",
            "Tree:\n"
            "    oak: {height: 5, near: [willow]}\n",
        ),
        Code(
            "RW0302",
            "A key stands twice",
            "Two lines of one block have the same key, so one of them would be lost. In a file of texts a "
            "nested block and a dotted key can name the same text.",
            "oak:\n"
            "    height: 5\n"
            "    height: 4\n",
            "oak:\n"
            "    height: 5\n",
        ),
        Code(
            "RW0303",
            "A part of YAML that is not read",
            "Anchors, aliases, tags and several documents in a file are left out on purpose: a data file shall "
            "say what it means where it stands, and loading it shall never run anything.",
            "oak: &tall\n"
            "    height: 5\n"
            "willow: *tall\n",
            "oak: {height: 5}\n"
            "willow: {height: 5}\n",
        ),
        Code(
            "RW0304",
            "The block of a kind is missing",
            '`kind Tree from "data/trees.yaml"` reads the block `Tree:` of that file. A file can hold the '
            "blocks of several kinds, so the name is needed even for one.",
            "Trees:\n"
            "    oak: {height: 5}\n",
            "Tree:\n"
            "    oak: {height: 5}\n",
        ),
        Code(
            "RW0306",
            "This can not be an id",
            "Ids are written in rules, rulings and texts. They consist of letters, digits and `_`, and may have "
            "parts joined by dots. What people read is not the id but the text of the locale files.",
            "Tree:\n"
            "    old oak: {height: 5}\n",
            "Tree:\n"
            "    old_oak: {height: 5}\n",
        ),
        Code(
            "RW0307",
            "An id names two records",
            "An alias is a second id of the same thing. It can not be the id or the alias of another record.",
            "Tree:\n"
            "    oak: {height: 5}\n"
            "    willow: {height: 2, aliases: [oak]}\n",
            "Tree:\n"
            "    oak: {height: 5}\n"
            "    willow: {height: 2, aliases: [osier]}\n",
        ),
        Code(
            "RW0310",
            "An unknown key",
            "A record has the constants of its kind and, where you like, `source`, `confidence`, `note` and "
            "`aliases`. The manifest and the clause index have fixed keys.",
            "Tree:\n"
            "    oak: {heigth: 5}\n",
            "Tree:\n"
            "    oak: {height: 5}\n",
        ),
        Code(
            "RW0311",
            "Something is missing",
            "A constant may be left out when nothing is a value of its type: a number whose bounds include 0, "
            "`false`, an empty set or list, `none`. All others must be given, and so must the first keys of the "
            "manifest.",
            "Tree:\n"
            "    oak: {near: []}\n",
            "Tree:\n"
            "    oak: {height: 5, near: []}\n",
        ),
        Code(
            "RW0312",
            "A value of the wrong sort",
            "A number, a word, a list and a block are different things. Truth is written `true` and `false`: "
            "`yes`, `no`, `on` and `off` are words. A set or list has brackets even with one member.",
            "Tree:\n"
            "    oak: {height: tall, near: willow}\n",
            "Tree:\n"
            "    oak: {height: 5, near: [willow]}\n",
        ),
        Code(
            "RW0313",
            "A number out of bounds",
            "The constant is declared with bounds, `const height: 1..5`, and the number lies outside of them.",
            "Tree:\n"
            "    oak: {height: 7}\n",
            "Tree:\n"
            "    oak: {height: 5}\n",
        ),
        Code(
            "RW0314",
            "No such member",
            "The word should be the id (or an alias) of a thing of the kind, or a member of the enum, that the "
            "constant was declared with.",
            "Tree:\n"
            "    oak: {height: 5, near: [wilow]}\n"
            "    willow: {height: 2}\n",
            "Tree:\n"
            "    oak: {height: 5, near: [willow]}\n"
            "    willow: {height: 2}\n",
        ),
        Code(
            "RW0315",
            "A member stands twice in a set",
            "A set has each member once. Where the number of times counts, declare a `count by`; where the "
            "order counts, a `list of`.",
            "Tree:\n"
            "    oak: {height: 5, near: [willow, willow]}\n",
            "Tree:\n"
            "    oak: {height: 5, near: [willow]}\n",
        ),
        Code(
            "RW0316",
            "A list is too long",
            "A list holds at most as many items as its type has members.",
            "Tree:\n"
            "    oak: {height: 5, row: [pear, pear, pear]}\n",
            "Tree:\n"
            "    oak: {height: 5, row: [pear, apple]}\n",
        ),
        Code(
            "RW0317",
            "There must be a member here",
            "`none` is a value only of types that say so: `const fruit: Fruit or none`.",
            "Tree:\n"
            "    oak: {height: 5, fruit: none}\n",
            "Tree:\n"
            "    oak: {height: 5, fruit: pear}\n",
        ),
        Code(
            "RW0332",
            "A path that leaves the folder",
            "A ruleset reads files of its own folder only, so that a ruleset from a stranger can be checked and "
            "played without a thought.",
            "load: [../other/state.rules]\n",
            "load: [state.rules]\n",
        ),
        Code(
            "RW0333",
            "Not a file of rules",
            "`load` lists the files of rules in the order in which they are read; their names end in `.rules`. "
            "Data files are named by the kinds that use them.",
            "load: [state.txt]\n",
            "load: [state.rules]\n",
        ),
        Code(
            "RW0340",
            "This is not a clause id",
            "Clauses are cited in rules as `[AB-4.1]`: two or more capitals, a hyphen, numbers joined by dots. "
            "Other keys could never be cited.",
            "ab4.1: {title: Picking fruit}\n",
            "AB-4.1: {title: Picking fruit}\n",
        ),
        Code(
            "RW0350",
            "A text is expected",
            "The end of every address in a locale file is a text. An empty line or a list is none.",
            "pick:\n"
            "    ask:\n",
            "pick:\n"
            '    ask: "Pick a tree"\n',
        ),
        Code(
            "RW0351",
            "A brace without its partner",
            "`{name}` in a text stands for a value. A text whose braces do not pair would be shown with the "
            "brace in it.",
            "pick:\n"
            '    ask: "Pick {c"\n',
            "pick:\n"
            '    ask: "Pick {c}"\n',
        ),
    )
}
