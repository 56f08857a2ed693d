"""The lab's games as Gymnasium environments: one side is yours, an agent of the lab plays the other.

    import gymnasium
    import playlab.gymnasium
    environment = gymnasium.make("playlab/Game-v0", game="connect-four", opponent="minimax")
"""

from __future__ import annotations

import operator
import warnings
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from playlab import _core
from playlab._strength import GameLike, Side
from playlab._text import board, check_render_mode

__all__ = ["GameEnv"]

_Planes = npt.NDArray[np.int8]


class GameEnv(gymnasium.Env[_Planes, np.int64]):
    """A game against an agent of the lab.

    An observation is :attr:`playlab.Position.planes`: your squares and the other side's, of shape (2,
    rows, columns). An action is a move; ``info["action_mask"]``, like ``action_masks()``, has 1 for
    each legal move, and ``info["side"]`` is your side. A won game rewards 1, a lost one -1. An opponent that resigns
    loses, and so does a program that breaks the game off, which a ``UserWarning`` reports. You lose by an illegal move, and then ``info["illegal"]`` is true. You play ``side``; with ``"both"``, your
    side is drawn at random in the first game after a seed, and changes with every further game. ``game`` is a game or
    its name; an environment spec that is to be written as JSON needs the name. ``render_mode`` may be ``"ansi"``.
    Raises ``ValueError`` if there is no such game or agent, and ``TypeError`` if the opponent is an array; ``step``
    raises ``ValueError`` before the first ``reset`` and after the end of a game; ``step`` and ``reset`` raise it if an
    opponent's program cannot be started again; ``reset`` raises
    :class:`playlab.Resigned` or :class:`playlab.BrokeOff` if the opponent loses so before your first move.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: GameLike = "tic-tac-toe",
        opponent: str = "random",
        side: Literal["x", "o", "both"] = "x",
        render_mode: str | None = None,
    ) -> None:
        if side not in ("x", "o", "both"):
            raise ValueError(f"unknown side {side!r}, expected x, o or both")
        check_render_mode(render_mode)
        if not isinstance(opponent, str):
            raise TypeError(
                "opponent: expected the spec of an agent, such as 'minimax' or 'policy:FILE'; "
                "playlab.VectorEnv takes arrays"
            )
        self.game = _core.game(game)
        self.opponent = _core.Player(self.game, opponent)
        self.position = self.game.start()
        self.render_mode = render_mode
        self._plays_both = side == "both"
        self._side: Side = "o" if side == "o" else "x"
        self._has_begun = self._goes_on = False
        shape = (2, self.game.rows, self.game.columns)
        self.observation_space = spaces.Box(0, 1, shape, np.int8)
        self.action_space = spaces.Discrete(self.game.move_count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Planes, dict[str, Any]]:
        super().reset(seed=seed)
        # The same seed always gives the same games.
        self.opponent.start_game(int(self.np_random.integers(2**63)))
        if self._plays_both:
            is_first = seed is not None or not self._has_begun
            was_x = bool(self.np_random.integers(2)) if is_first else self._side == "x"
            self._side = "o" if was_x else "x"
        self._has_begun = True
        self._goes_on = False
        self.position = self.game.start()
        if self._side != self.position.to_move:
            self.position = self._answer(self.position)
        self._goes_on = True
        return self._observe(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[_Planes, float, bool, bool, dict[str, Any]]:
        if not self._goes_on:
            state = "is over" if self._has_begun else "has not begun"
            raise ValueError(f"the game {state}; call reset first")
        move = operator.index(action)
        if move not in self.position.moves:
            self._goes_on = False
            return self._observe(), -1.0, True, False, {**self._info(), "illegal": True}
        side = self.position.to_move
        position = self.position.play(move)
        outcome = position.outcome
        if outcome is None:
            # After Ctrl-C it is still your turn.
            try:
                position = self._answer(position)
                outcome = position.outcome
            except _core.Resigned:
                outcome = side
            except _core.BrokeOff as why:
                warnings.warn(f"the opponent loses a game: {why}", stacklevel=2)
                outcome = side
        self.position = position
        self._goes_on = outcome is None
        won = 0.0 if outcome in (None, "draw") else 1.0 if outcome == side else -1.0
        return self._observe(side), won, outcome is not None, False, self._info()

    def action_masks(self) -> npt.NDArray[np.int8]:
        """1 for each legal move, else 0. Shape (moves,)."""
        return self.position.legal.astype(np.int8)

    def render(self) -> str | None:
        return board(self.position) if self.render_mode == "ansi" else None

    def _answer(self, position: _core.Position) -> _core.Position:
        return position.play(self.opponent.choose(position))

    def _observe(self, side: str | None = None) -> _Planes:
        planes = self.position.planes
        return planes if side in (None, self.position.to_move) else planes[::-1].copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "side": self._side}


gymnasium.register(id="playlab/Game-v0", entry_point="playlab.gymnasium:GameEnv")
