"""The models of the course in torch, one module per family; import them by name."""
