"""Exercises, one module per lecture: checks, known mistakes, solutions.

A check takes the student's function, tries it on random instances, and prints what it
found: not attempted, right, or what probably went wrong. It never raises, so a notebook
with open exercises still runs to its end.
"""
