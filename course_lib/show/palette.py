"""The colours of the course: Okabe and Ito's set.

People with the common kinds of colour blindness can tell them apart. Each has one job
throughout the course; what else diagrams need is in diagram/roles.py.
"""

INK = "#222222"
GREY = "#999999"
BLUE = "#0072B2"  # states, the forward pass
ORANGE = "#D55E00"  # gradients, the backward pass
GREEN = "#009E73"  # inputs, a reference, "right"
PURPLE = "#CC79A7"  # outputs and losses
YELLOW = "#E69F00"  # what is highlighted
SKY = "#56B4E9"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY, INK)

DIVERGING = "RdBu_r"  # signed values, white at zero
SEQUENTIAL = "cividis"  # values from zero upwards
