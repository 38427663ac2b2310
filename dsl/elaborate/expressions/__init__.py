"""Values and their types become expressions of the intermediate form."""
