"""A class on one machine: JupyterHub, nbgrader's exchange, a place for the graders."""
