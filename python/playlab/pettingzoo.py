"""The lab's games as PettingZoo environments, one move at a time (AEC).

    from playlab.pettingzoo import env
    environment = env("connect-four")

They follow the conventions of PettingZoo's own ``tictactoe_v3`` and ``connect_four_v3``, whose agents
play here unchanged: see :class:`playlab.Observation`. A won game rewards 1, a lost one -1. An
illegal move loses the game for the agent that made it. Actions are the lab's moves.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from playlab import _core
from playlab._observations import Observation, observe
from playlab._strength import GameLike, Side
from playlab._text import board, check_render_mode

__all__ = ["env", "raw_env"]

_SIDES: tuple[Side, Side] = ("x", "o")


def env(game: GameLike = "tic-tac-toe", render_mode: str | None = None) -> Any:
    """The environment of a game, with PettingZoo's usual wrappers. ``render_mode`` may be
    ``"ansi"``. Raises ``ValueError`` if there is no such game."""
    environment: Any = raw_env(game, render_mode)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]
    """The environment of a game without wrappers: an illegal move raises ``ValueError``."""

    metadata: dict[str, Any] = {
        "render_modes": ["ansi"],
        "name": "playlab_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, game: GameLike = "tic-tac-toe", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, game, render_mode)
        super().__init__()
        check_render_mode(render_mode)
        self.game = _core.game(game)
        self.position = self.game.start()
        self.render_mode = render_mode
        # Tic-tac-toe counts its players from 1 in PettingZoo.
        first = 1 if self.game.name == "tic-tac-toe" else 0
        self.possible_agents = [f"player_{first}", f"player_{first + 1}"]
        self.agents = self.possible_agents[:]
        shape = (self.game.rows, self.game.columns, 2)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.int8),
                "action_mask": spaces.Box(0, 1, (self.game.move_count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.agents, self._observation_space)
        self.action_spaces = {
            agent: spaces.Discrete(self.game.move_count) for agent in self.agents
        }

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = self.game.start()
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        return observe(self.position, _SIDES[self.possible_agents.index(agent)])

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.agent_selection
        (other,) = (agent for agent in self.agents if agent != mover)
        to_move = self.position.to_move
        self.position = self.position.play(action)
        outcome = self.position.outcome
        if outcome is not None:
            reward = 0.0 if outcome == "draw" else 1.0 if outcome == to_move else -1.0
            self.rewards = {mover: reward, other: -reward}
            self.terminations = dict.fromkeys(self.agents, True)
        self._cumulative_rewards[mover] = 0.0
        self.agent_selection = other
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render needs an environment that was made with a render_mode.")
            return None
        return board(self.position)

    def close(self) -> None:
        pass
