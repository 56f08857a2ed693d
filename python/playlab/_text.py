"""Positions as text."""

from __future__ import annotations

from playlab import _core


def board(position: _core.Position) -> str:
    """The board, a line for each row from the top."""
    own, other = position.planes
    marks = ".XO" if position.to_move == "x" else ".OX"
    return "\n".join("".join(marks[square] for square in row) for row in own + 2 * other)


def check_render_mode(render_mode: str | None) -> None:
    """Raises ``ValueError`` if environments have no such render mode."""
    if render_mode not in (None, "ansi"):
        raise ValueError(f"unknown render_mode {render_mode!r}, expected 'ansi' or None")
