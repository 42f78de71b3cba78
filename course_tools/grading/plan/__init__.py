"""From a submitted file to a plan: trusted cells, and who runs which."""
