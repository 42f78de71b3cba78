"""The helper library of the course "From Recurrence to Attention".

Three floors; imports only go down.

    show/ exercises/ errata/          floor 3: one module per lecture
    models/ numpy_cells/ search       floor 2: networks, and what is done with them
    data/ train check seeds           floor 1: data sources, training loop, checks
"""
