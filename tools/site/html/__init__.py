"""The HTML of a page: elements, links, layout, phrases and style."""
