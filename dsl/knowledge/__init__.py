"""Who may know what a value says: one pass over the intermediate form, for choices, notes and questions."""
