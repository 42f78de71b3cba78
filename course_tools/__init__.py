"""What `./course` runs: the command line, tools for authors, and the grading engine.

Imports only go down; course_lib, which lectures import, knows nothing of this package.

    cli/        what one types: commands, set-up of .venv, doctor
    book/       the web edition, its slides and its search
    hub/        a JupyterHub for a class
    authoring/  tidy notebooks, coverage table, release of problem sets
    classroom/  handout, update, collect, hand back, progress
    similar/    answers that are alike
    grading/    the engine: plan, bridge, judge, student, sandbox, run, pages
    katex/      formulas set as HTML
"""
