"""The helper library of the course "From Recurrence to Attention".

Three floors; imports only go down.

    show/ exercises/ errata/          floor 3: one module per lecture
    models/ numpy_cells/ search       floor 2: networks, what is done with them, and
      running_task attention_runs       what was measured with them
    data/ train check measured        floor 1: data sources, training loop, checks,
      shapes seeds progress             seeds, what a student has opened
"""
