"""Two-player board games as numpy arrays: exact evaluation of policies, and fast environments.

    >>> import playlab
    >>> game = playlab.Game("tic-tac-toe")
    >>> policy = game.legal / game.legal.sum(axis=1, keepdims=True).clip(1)
    >>> playlab.evaluate(game, policy)["x"].worst_case
    'loss'

The guide is docs/python.md in the lab's repository.
"""

from importlib.metadata import version as _version

from playlab._core import BrokeOff, Game, Player, Position, Resigned, VectorEnv, games
from playlab._observations import Observation, evaluate_pettingzoo
from playlab._runs import Checkpoint, Run, read_csv, resume, train
from playlab._strength import (
    BestResponse,
    GameLike,
    PolicyLike,
    Rates,
    Side,
    SolvedMove,
    SolvedPosition,
    Strength,
    best_response,
    evaluate,
    losing_line,
    solve,
)

__version__ = _version("playlab")

__all__ = [
    "BestResponse",
    "BrokeOff",
    "Checkpoint",
    "Game",
    "GameLike",
    "Observation",
    "Player",
    "PolicyLike",
    "Position",
    "Rates",
    "Resigned",
    "Run",
    "Side",
    "SolvedMove",
    "SolvedPosition",
    "Strength",
    "VectorEnv",
    "best_response",
    "evaluate",
    "evaluate_pettingzoo",
    "games",
    "losing_line",
    "read_csv",
    "resume",
    "solve",
    "train",
]
