"""The helper library of the course "From Recurrence to Attention".

Three floors; imports only go down.

    grading/                          floor 3: release, check and grade problem sets
    models/ numpy_cells/ show/        floor 2: networks, and everything one looks at
    data/ train.py check.py seeds.py  floor 1: data sources, training loop, checks
"""
