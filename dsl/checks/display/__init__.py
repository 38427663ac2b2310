"""`display.yaml`: its shape, the names in it, and what is left of it without members that an overlay took out."""
