"""Everything one looks at: plots, diagrams, interactive parts."""
