"""The actions of a driver: view, answer, ask why."""
