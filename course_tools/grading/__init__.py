"""Grade notebooks fast and fairly: judge apart, student code in a sandbox.

How a submission travels, one module per step:

    course       where nbgrader keeps things (folders, gradebook address);
                 collected finds what was handed in
    sanitise     submission -> trusted notebook (cells restored from the gradebook)
    split        trusted notebook -> plan (student | locked | test cells)
    zygote       warm process that forks; launch is its client
    prologue     locked cells at the start of a notebook, run once for a whole class,
                 and a rehearsal with the instructor's solution; prepared is its client
    sandbox      what the forked student process is shut into
    student      runs the student's cells, answers calls
    judge        runs the instructor's cells; student names are stand-ins (remote)
    link         requests and answers between the two, over wire, encode and decode:
                 JSON and raw buffers, never pickle
                 (standard, frames: what crosses beside numbers, texts and arrays)
    job          one submission, start to finish
    coordinator  all submissions, in parallel; gradebook, records of what is done,
                 progress, report, feedback (its pages are made by `page`), export
"""
