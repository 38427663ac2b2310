"""Whole pictures: one sheet of SVG with map, panels and legend, and two of them beside each other."""
