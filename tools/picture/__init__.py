"""A position as a picture: plain data of what a reader may see, drawn as SVG or as a page."""
