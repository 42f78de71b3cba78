"""The cells of a notebook that an interactive part needs, and no others.

A lecture trains networks for a minute; its interactive part rarely uses them.  Names
lead back from the interactive cell to the cells that define them.
"""

import ast

import nbformat


def needed_cells(cells: list, wanted) -> list:
    """The code cells, in order, that define what the `wanted` cells use."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    kept, missing = [], set()
    for cell in reversed(code):
        tree = ast.parse(cell.source)
        if wanted(cell) or missing & defined(tree):
            kept.append(cell)
            missing |= used(tree)
    return kept[::-1]


def defined(tree: ast.AST) -> set[str]:
    """Names that a cell assigns, imports or defines, at whatever depth."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
    return names


def used(tree: ast.AST) -> set[str]:
    """Names that a cell reads."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def interactive(cell) -> bool:
    return cell.cell_type == "code" and "explore(" in cell.source


def interactive_notebook(path, whole: bool):
    """A lecture, or just its interactive parts and what they need; no outputs."""
    book = nbformat.read(path, as_version=4)
    if not whole:
        book.cells = needed_cells(book.cells, interactive)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return book
