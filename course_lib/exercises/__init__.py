"""Checks for the exercises at the end of each lecture, one module per lecture.

A check takes the student's function, tries it, and prints one line: not attempted,
right, or what probably went wrong. It never raises, so a notebook with open exercises
still runs to its end.
"""
