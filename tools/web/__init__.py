"""`rulewright serve`: tables in the browser for every ruleset; pages drawn by the server, no client library."""
