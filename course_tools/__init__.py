"""What `./course` runs: the command line, tools for authors, and the grading engine.

Imports only go down; course_lib, which lectures import, knows nothing of this package.

    cli/        what one types: commands, set-up of .venv, doctor
    authoring/  tidy notebooks, coverage table, release of problem sets
    grading/    the engine: plan, bridge, judge, student, sandbox, run, pages
"""
