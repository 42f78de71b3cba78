"""A course folder: where things are, what was handed in, the gradebook."""
