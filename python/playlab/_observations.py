"""Positions as PettingZoo's environments show them, and the evaluation of agents that see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from playlab import _core
from playlab._strength import GameLike, PolicyLike, Side, Strength, each_side, evaluate


class Observation(TypedDict):
    """What an agent is shown, as in PettingZoo's ``tictactoe_v3`` and ``connect_four_v3``."""

    #: The agent's own squares, and the other side's: 1 where there is a stone, else 0. Shape (rows,
    #: columns, 2), rows from the top.
    observation: npt.NDArray[np.int8]
    #: 1 for each legal move, else 0; all 0 for an agent that is not to move. Shape (moves,).
    action_mask: npt.NDArray[np.int8]


def observe(position: _core.Position, side: Side) -> Observation:
    """What PettingZoo shows a side of a position."""
    planes = position.planes
    to_move = position.to_move == side
    return {
        "observation": np.moveaxis(planes if to_move else planes[::-1], 0, -1),
        "action_mask": position.legal.astype(np.int8) * np.int8(to_move),
    }


#: What an agent answers to an observation: a move, or a probability for each move.
Answer = Any


def evaluate_pettingzoo(
    agent: Callable[[Observation], Answer],
    game: GameLike = "tic-tac-toe",
    sides: Side | Literal["both"] | Sequence[Side] = "both",
    against: str | Sequence[str] | Mapping[str, PolicyLike] = ("random",),
    batched: bool = False,
) -> dict[Side, Strength]:
    """Computes exactly how good an agent is that plays by what PettingZoo shows it and remembers nothing.

    ``agent`` is asked once about every position in which the game goes on and one of the sides is to move. It is
    shown an observation like the one that ``env.last()`` returns, and answers with a move or with a probability for
    each move. If ``batched``, it is asked once per side, and all arrays have a first axis for the positions. An agent
    that draws its moves at random should answer with their probabilities; otherwise the moves that it happened to
    draw are evaluated. PettingZoo need not be installed. Raises ``ValueError`` if an answer is not a legal move,
    or as :func:`evaluate` does.
    """
    game = _core.game(game)
    policy = np.zeros((game.position_count, game.move_count))
    asked_sides = each_side(sides)
    for side in asked_sides:
        asked = np.flatnonzero(game.live & (game.to_move == (side in ("o", "O"))))
        observations = np.moveaxis(game.planes[asked], 1, -1)
        masks = game.legal[asked].astype(np.int8)
        if batched:
            answers = agent({"observation": observations, "action_mask": masks})
            _take(game, policy, asked, np.atleast_1d(answers))
        else:
            for index, position in enumerate(asked):
                answer = agent({"observation": observations[index], "action_mask": masks[index]})
                _take(game, policy, asked[index : index + 1], np.asarray(answer)[None])
    return evaluate(game, policy, asked_sides, against)


def _take(
    game: _core.Game,
    policy: npt.NDArray[np.float64],
    asked: npt.NDArray[np.int64],
    answers: npt.NDArray[Any],
) -> None:
    """Writes the answers about positions into a policy."""
    if answers.shape == (len(asked), game.move_count):
        policy[asked] = answers
        return
    if len(answers) != len(asked):
        raise ValueError(
            f"the agent answered for {len(answers)} positions, expected {len(asked)}, one answer for each"
        )
    if answers.shape != (len(asked),) or answers.dtype.kind not in "iu":
        raise ValueError(
            f"the agent answered with {answers.dtype} of shape {answers.shape[1:]}, expected a move or "
            f"{game.move_count} probabilities"
        )
    known = (answers >= 0) & (answers < game.move_count)
    legal = known & game.legal[asked, np.where(known, answers, 0)]
    if not legal.all():
        wrong = int(np.argmin(legal))
        position = game.position(int(asked[wrong]))
        raise ValueError(
            f"position {asked[wrong]}, {position}: the agent answered with move {answers[wrong]}, "
            f"expected one of {position.moves}"
        )
    policy[asked, answers] = 1.0
