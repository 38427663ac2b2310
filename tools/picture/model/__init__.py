"""What a picture shows, as plain data: position, reader and language in, places, panels and things out."""
