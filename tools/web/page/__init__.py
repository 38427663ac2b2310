"""Pages in the browser: parts of a page as HTML, from a table and its reader. It knows no server."""
