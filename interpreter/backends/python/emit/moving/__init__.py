"""Things that move between zones, and counted pieces between pools."""
