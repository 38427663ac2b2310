"""HTML: elements and their escaping, the one frame of a page, and the styles of pages."""
