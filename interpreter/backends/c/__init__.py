"""Programs in low form as C, for machines that have a compiler."""
