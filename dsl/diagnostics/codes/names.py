"""Codes RW02xx: names and what is declared."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW0202",
            "Declared twice",
            "One name has one meaning in a ruleset. Kinds may be continued, but get their members once; inside "
            "a kind, fields and zones share their names.",
            "enum Colour: red, green\n"
            "enum Colour: blue\n",
            "enum Colour: red, green, blue\n",
        ),
        Code(
            "RW0203",
            "A word of the language as a name",
            "`this`, `you`, `none`, `seats` and a few others mean something everywhere, so nothing can be "
            "called so.",
            "value none(t: Tree): int = t.age\n",
            "value nothing(t: Tree): int = t.age\n",
        ),
        Code(
            "RW0204",
            "A local name that is taken",
            "A parameter or a local name may not repeat the name of a kind, a zone, an option or a member: a "
            "reader could not tell which one a line means.",
            "procedure wait(store: Tree)\n"
            "    set store.pruned to true\n",
            "procedure wait(place: Tree)\n"
            "    set place.pruned to true\n",
        ),
        Code(
            "RW0205",
            "An unknown name",
            "Nothing of this name is known here: no parameter, local name, value, zone, field, option, member "
            "or kind.",
            "value old_trees: int = count(t in Tree where t.age > limt)\n"
            "value limit: int = 5\n",
            "value old_trees: int = count(t in Tree where t.age > limit)\n"
            "value limit: int = 5\n",
        ),
        Code(
            "RW0206",
            "An unknown value",
            "What is called with arguments is a value of the ruleset or one of the built-in functions such as "
            "`size` and `total`.",
            "value fruit_price: int = prise(apple)\n",
            "value fruit_price: int = price(apple)\n",
        ),
        Code(
            "RW0207",
            "An unknown routine",
            "The name should be a phase, an action, a procedure or an icon that is declared somewhere.",
            "value at_night: bool = running(nigth)\n"
            "phase night: stop night\n",
            "value at_night: bool = running(night)\n"
            "phase night: stop night\n",
        ),
        Code(
            "RW0210",
            "An unknown kind or type",
            "A type is `bool`, `int`, a range, an enum or a kind, or is built from these with `set of`, `list "
            "of`, `count by` and `or none`.",
            "value tall(t: Treee): bool = true\n",
            "value tall(t: Tree): bool = true\n",
        ),
        Code(
            "RW0211",
            "A card of a union",
            "A card is a thing, and every thing is of one kind. A union only gathers kinds under one name.",
            "kind Thing: Tree, Tale\n"
            'card snow "Snow": Thing\n',
            'card snow "Snow": Tale\n'
            "    cost: 1\n",
        ),
        Code(
            "RW0212",
            "A kind without members",
            "A kind is a finite population that exists from the beginning: from a data file, by number, or card "
            "by card.",
            "kind Ghost\n"
            "    field seen: bool\n",
            "kind Ghost: 3\n"
            "    field seen: bool\n",
        ),
        Code(
            "RW0213",
            "Bounds that are not constants",
            "The bounds of a number are written as digits. What changes in play belongs into a condition.",
            "kind Tree\n"
            "    field bees: 0..most\n"
            "value most: int = 3\n",
            "kind Tree\n"
            "    field bees: 0..3\n",
        ),
        Code(
            "RW0214",
            "An empty range",
            "The lower bound stands first; this range has no number in it.",
            "kind Tree\n"
            "    field bees: 9..0\n",
            "kind Tree\n"
            "    field bees: 0..9\n",
        ),
        Code(
            "RW0215",
            "Only members can be none",
            "`or none` is for members of a kind or an enum. A number has 0, a set is empty.",
            "kind Tree\n"
            "    field bees: 0..9 or none\n",
            "kind Tree\n"
            "    field visitor: Seat or none\n",
        ),
        Code(
            "RW0216",
            "A set of what can not be in a set",
            "Sets hold members of a kind or enum, or small numbers. Sets of sets do not exist: name the groups "
            "by their first member, or keep a list of sets.",
            "value groups(t: Tree): set of set of Tree = t.near\n",
            "value groups(t: Tree): set of Tree = t.near\n",
        ),
        Code(
            "RW0217",
            "This is not a type",
            "An expression stands where a type is needed.",
            "value tall(t: Tree + Tree): bool = true\n",
            "value tall(t: Tree): bool = true\n",
        ),
        Code(
            "RW0220",
            "An unknown supply",
            "Behind `from` stands the zone in which all pieces of this sort begin.",
            "piece leaf each 9 from stoer\n",
            "piece leaf each 9 from heap\n"
            "zone heap: leaf\n",
        ),
        Code(
            "RW0221",
            "A line that does not belong into a kind",
            "A kind holds constants, fields and zones. What happens is written in routines, what is worked out "
            "in values.",
            "kind Tree\n"
            "    gain 1 coin\n",
            "kind Tree\n"
            "    field leaves: 0..9\n",
        ),
        Code(
            "RW0222",
            "A stored number without bounds",
            "`int` is for values and local names. What is stored says how large it can get, so that the state "
            "has a fixed size and a slip is found.",
            "kind Tree\n"
            "    field leaves: int\n",
            "kind Tree\n"
            "    field leaves: 0..99\n",
        ),
        Code(
            "RW0223",
            "An unknown piece or kind in a zone",
            "A zone holds one sort of counted pieces, or the things of one kind.",
            "zone barn: friut\n",
            "zone barn: fruit\n",
        ),
        Code(
            "RW0224",
            "`max` of a zone",
            "The capacity of a zone is a number from 1 on. Capacities that change in play are conditions of the "
            "actions that fill the zone.",
            "zone barn: fruit max 0\n",
            "zone barn: fruit max 6\n",
        ),
        Code(
            "RW0225",
            "Counted pieces have no order",
            "Equal pieces are a number, so there is no first one among them. Things of a kind can lie in an "
            "order.",
            "zone barn: fruit ordered\n",
            "zone queue: Tale ordered\n",
        ),
        Code(
            "RW0226",
            "A zone that belongs to nobody",
            "`seen by owner` hides a zone inside a thing from all but that thing's owner. A zone of the whole "
            "game has none.",
            "zone secrets: Tale seen by owner\n",
            "zone secrets: Tale seen by nobody\n",
        ),
        Code(
            "RW0227",
            "`each` of a piece",
            "`each` says how many pieces there are, for every index, from 0 to 999999. Without `each` there is "
            "no end of them.",
            "piece leaf each many from heap\n"
            "zone heap: leaf\n",
            "piece leaf each 9 from heap\n"
            "zone heap: leaf\n",
        ),
        Code(
            "RW0228",
            "The default of an option",
            "Behind `=` stands one of the option's answers.",
            "option start: dry, wet = wett\n",
            "option start: dry, wet = wet\n",
        ),
        Code(
            "RW0229",
            "A supply that can not hold its pieces",
            "All pieces of a sort begin in their supply. So that zone must be for these pieces, and without a "
            "limit.",
            "piece leaf each 9 from store\n",
            "piece leaf each 9 from heap\n"
            "zone heap: leaf\n",
        ),
        Code(
            "RW0230",
            "A parameter without a type",
            "Each parameter says its type, so that every call can be checked.",
            "value tall(t): bool = true\n",
            "value tall(t: Tree): bool = true\n",
        ),
        Code(
            "RW0231",
            "Only values in bots.rules",
            "Bots judge positions by values. They can not change the game, so routines and rule lines have no "
            "place there.",
            "procedure cheat(p: Seat)\n"
            "    gain 1 coin by p\n",
            "value hope(p: Seat): int = p.coins\n",
        ),
        Code(
            "RW0232",
            "A value without a type",
            "A value says what it gives: `bool`, `int`, a member, a set.",
            "value tall(t: Tree) = t.height > 3\n",
            "value tall(t: Tree): bool = t.height > 3\n",
        ),
        Code(
            "RW0233",
            "What a procedure can give",
            "A procedure gives a member or a number. Sets and lists come from values, which can be asked at any "
            "time.",
            "procedure tallest giving set of Tree\n"
            "    give Tree\n",
            "procedure tallest() giving Tree\n"
            "    give oak\n",
        ),
        Code(
            "RW0234",
            "An unknown strip",
            "The kind of a card declares which strips of icons its cards have.",
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    strip tpo: thaw\n"
            "icon thaw: set oak.age to 0\n",
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    effect: gain 1 coin\n",
        ),
        Code(
            "RW0235",
            "Whose it is can not be told",
            "A card with copies is several things. Each copy has its own effect, actions and lasting rules, but a "
            "procedure is called by its name, which does not say whose. One that is about `this` or `owner` takes the "
            "card as a parameter.",
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    copies: 2\n"
            "    effect: do bury()\n"
            "    procedure bury(): move this to pile\n",
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    copies: 2\n"
            "    effect: do bury(this)\n"
            "procedure bury(c: Tale): move c to pile\n",
        ),
        Code(
            "RW0240",
            "A trigger on nothing",
            "`before`, `after` and `instead of` name a routine, or one of the verbs `move`, `gain`, `lose`, "
            "`pay`, `turn`.",
            "rule pests\n"
            "    after prnue(p, t): set t.age to 0\n",
            "rule pests\n"
            "    after prune(p, t): set t.age to 0\n",
        ),
        Code(
            "RW0241",
            "An unknown purse",
            "A card's `source ... of purse` adds a way to pay to a purse that the ruleset declares, and "
            "`worth_of(purse(p))` asks what such a purse holds.",
            'card snow "Snow": Tale\n'
            "    cost: 1\n"
            "    source store of pruse\n",
            "purse wallet(p: Seat)\n"
            "    source p.coins\n",
        ),
        Code(
            "RW0242",
            "A change to an unknown value",
            "`modify`, `grant` and `deny` name a value that the ruleset declares, with new names for its "
            "parameters.",
            "rule fair\n"
            "    modify prise(f) by 1\n",
            "rule fair\n"
            "    modify price(f) by 1\n",
        ),
        Code(
            "RW0243",
            "`grant` and `deny` are for truth",
            "A permission is granted or denied. A number is changed with `modify ... by` or `modify ... to`.",
            "rule fair\n"
            "    grant price(f)\n",
            "rule fair\n"
            "    modify price(f) by 1\n",
        ),
        Code(
            "RW0244",
            "`modify` is for numbers",
            "A value that is true or false is changed with `grant` or `deny`; a prohibition always wins.",
            "rule drought\n"
            "    modify ripe(t) to false\n",
            "rule drought\n"
            "    deny ripe(t)\n",
        ),
        Code(
            "RW0245",
            "An unknown layer",
            "The layers of a value, and their order, are declared with it: `value price(f: Fruit): int = 2 in "
            "layers base, market`.",
            "rule fair\n"
            "    modify price(f) in layer markte by 1\n",
            "rule fair\n"
            "    modify price(f) in layer market by 1\n",
        ),
        Code(
            "RW0250",
            "The wrong number of arguments",
            "A value, a table or a routine takes as many arguments as it has parameters. A value with one "
            "parameter can also be written `x.value`.",
            "value pears: int = price(pear, 2)\n",
            "value pears: int = price(pear)\n",
        ),
        Code(
            "RW0251",
            "A member of several enums or kinds",
            "Two enums or kinds have a member of this name, and the place does not tell which is meant. Write "
            "the enum or kind before it.",
            "enum Drink: cider, perry\n"
            "enum Prize: cider, cup\n"
            "value same: bool = any(x in {cider} where true)\n",
            "enum Drink: cider, perry\n"
            "enum Prize: cider, cup\n"
            "value same: bool = any(x in {Drink.cider} where true)\n",
        ),
        Code(
            "RW0252",
            "A routine has no value",
            "Phases, actions and procedures are started by a sentence. What is read in an expression is a "
            "value.",
            "value half: bool = prune\n",
            "value half: bool = oak.pruned\n",
        ),
        Code(
            "RW0253",
            "A table without a key",
            "A table gives a value for a key: `heights[apple]`.",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n"
            "value best: int = heights\n",
            "table heights by Fruit\n"
            "    apple: 3\n"
            "    pear: 4\n"
            "    plum: 2\n"
            "value best: int = heights[apple]\n",
        ),
        Code(
            "RW0254",
            "A piece is not a value",
            "A piece is a sort of counted object. What can be read is how many of it lie in a zone.",
            "value wealth(p: Seat): int = coin\n",
            "value wealth(p: Seat): int = p.coins\n",
        ),
        Code(
            "RW0255",
            "`this` and `owner` outside of a card",
            "`this` is the thing whose text is being read, `owner` is its owner. Outside of cards name the "
            "thing.",
            "value dear: bool = this.cost > 3\n",
            "value dear(c: Tale): bool = c.cost > 3\n",
        ),
        Code(
            "RW0256",
            "Nobody acts here",
            "`you` is whoever acts in the nearest routine that has an actor: the first parameter of an action, "
            "the `by` of a `do`.",
            "value rich: bool = you.coins > 3\n",
            "value rich(p: Seat): bool = p.coins > 3\n",
        ),
        Code(
            "RW0257",
            "A word that means something elsewhere",
            "`cause` and `amount` are known in triggers, `so_far` in a line that modifies a value, `over` in a "
            "purse.",
            "value doubled(f: Fruit): int = so_far + 2\n",
            "rule fair\n"
            "    modify price(f) by so_far\n",
        ),
        Code(
            "RW0258",
            "No such member",
            "The enum or kind before the dot has no member of this name.",
            "value ready: bool = Fruit.aple in Fruit\n",
            "value ready: bool = Fruit.apple in Fruit\n",
        ),
        Code(
            "RW0259",
            "Only things have fields",
            "Behind a dot stands a field, a zone or a one-parameter value of a thing. Numbers and sets have "
            "none.",
            "value odd(t: Tree): int = t.height.age\n",
            "value odd(t: Tree): int = t.age\n",
        ),
        Code(
            "RW0260",
            "No such field",
            "The kind has no field, constant or zone of this name, and no value with one parameter of that kind "
            "is called so.",
            "value crop_size(t: Tree): int = total(t.corp)\n",
            "value crop_size(t: Tree): int = total(t.crop)\n",
        ),
        Code(
            "RW0261",
            "Which piece is meant",
            "The zone counts pieces by an index, so it is several numbers. Give the index, or add them up with "
            "`total(...)`.",
            "piece leaf by Fruit each 9 from heap faces green, brown\n"
            "zone heap: leaf\n"
            "kind Tree\n"
            "    zone leaves: leaf\n"
            "procedure look\n"
            "    for every t in Tree\n"
            "        let before = t.leaves\n"
            "        set t.age to before[apple]\n",
            "value crop_size(t: Tree): int = total(t.crop)\n",
        ),
        Code(
            "RW0218",
            "It can not be a key",
            "Tables, amounts and pieces are looked up by members of an enum or kind, or by numbers with bounds.",
            "table heights by set of Tree\n"
            "    oak: 3\n",
            "table heights by Tree\n"
            "    oak: 3\n"
            "    willow: 2\n"
            "    quince: 1\n",
        ),
        Code(
            "RW0219",
            "A misspelt declaration",
            "The name that is given here stands nowhere else, and a name that differs by a letter or two is "
            "used and given nowhere. So the slip is probably here. Where the other name is used once only, "
            "either may be the misspelt one.",
            "value hight(t: Tree): int = t.height\n"
            "value tall: int = high(oak)\n"
            "value taller: int = high(willow)\n",
            "value high(t: Tree): int = t.height\n"
            "value tall: int = high(oak)\n"
            "value taller: int = high(willow)\n",
        ),
    )
}
