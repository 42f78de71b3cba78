"""The ledger: what published lecture material prints, what holds, and a check of both.

    for entry in ledger():
        print(entry.number, entry.title, settle(entry))

`table.py` reads the table, `evidence.py` says how a claim is settled; the other files
hold one small function per entry, named after what it shows, by theme and lecture.
"""

from course_lib.errata.table import (
    CHECKS,
    SORTS,
    Entry,
    ledger,
    section_in,
    settle,
)

__all__ = [
    "CHECKS",
    "SORTS",
    "Entry",
    "ledger",
    "section_in",
    "settle",
]
