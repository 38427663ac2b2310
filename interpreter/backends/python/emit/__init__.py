"""From nodes of the IR to Python text."""
