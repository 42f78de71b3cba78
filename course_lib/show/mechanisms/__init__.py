"""The mechanisms of the course as diagrams: each module writes one, as data.

show(*panels(lstm_cell()))            # its steps in one figure
show(*draw(lstm_cell(), step=2))      # one of them
play(lstm_cell())                     # with a slider
"""

from course_lib.show.mechanisms.lstm_cell import lstm_cell

ALL = (lstm_cell,)

__all__ = ["ALL", "lstm_cell"]
