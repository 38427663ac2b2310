"""The values of expressions: numbers, sets, lists and maps, and what goes through members."""
