"""Programs in low form: words and jumps, for targets that have neither lists nor sets nor Python."""
