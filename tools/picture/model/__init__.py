"""The model of a picture, as plain data: position, reader and language in, places, panels and things out."""
