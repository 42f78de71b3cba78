"""The way to a class and back: hand-outs, updates, what platforms deliver, progress."""
