"""For authors: run and store notebooks, count coverage, release problem sets."""
