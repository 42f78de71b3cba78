"""All submissions of an assignment, in parallel, start to finish."""
