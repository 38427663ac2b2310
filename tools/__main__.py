"""`python -m tools` is `rulewright`."""

from tools.cli import main

main()
