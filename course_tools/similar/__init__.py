"""`./course similar`: pairs of submissions whose answers are alike."""
