"""Any ruleset behind the two usual programming interfaces of game research: OpenSpiel and PettingZoo.

Each adapter needs an extra of its own (`spiel`, `pettingzoo`); nothing else in `tools` imports them.
"""
