"""Knowledge of what values say: one pass over the intermediate form, for choices, notes and questions."""
