"""Policies of OpenSpiel as the lab's arrays."""

from __future__ import annotations

import re
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyspiel

from playlab import _core
from playlab._strength import GameLike

__all__ = ["policy_array", "spiel_game"]


class SpielPolicy(Protocol):
    """A policy of OpenSpiel, in Python or C++."""

    def action_probabilities(self, state: Any, /) -> Any: ...


def spiel_game(game: GameLike) -> Any:
    """OpenSpiel's game with the rules and actions of the lab's game.

    Raises ``ValueError`` if OpenSpiel has none.
    """
    name = _core.game(game).name
    if name == "tic-tac-toe":
        return pyspiel.load_game("tic_tac_toe")
    if name == "misere-tic-tac-toe":
        return pyspiel.load_game("misere(game=tic_tac_toe())")
    if name == "connect-four":
        return pyspiel.load_game("connect_four")
    if found := re.fullmatch(r"hex-(\d+)x\1", name):
        return pyspiel.load_game("hex", {"board_size": int(found[1])})
    if found := re.fullmatch(r"mnk-(\d)x(\d)x(\d)", name):
        columns, rows, length = map(int, found.groups())
        return pyspiel.load_game("mnk", {"m": columns, "n": rows, "k": length})
    if found := re.fullmatch(r"connect-four-(\d)x(\d)", name):
        columns, rows = map(int, found.groups())
        return pyspiel.load_game("connect_four", {"rows": rows, "columns": columns})
    raise ValueError(f"OpenSpiel has no game with the rules and actions of {name}")


def policy_array(game: GameLike, policy: SpielPolicy) -> npt.NDArray[np.float64]:
    """A policy of OpenSpiel, in Python or C++, as an array for :func:`playlab.evaluate`.

    The policy is asked once about every position in which the game goes on, in the state of the first game that reaches
    it, so it must depend on the board alone. Shape (positions, moves). Raises ``ValueError`` if OpenSpiel has
    no such game, if its legal actions are not the lab's moves, or if the policy has other actions.
    """
    game = _core.game(game)
    states: list[Any] = [None] * game.position_count
    states[0] = spiel_game(game).new_initial_state()
    array = np.zeros((game.position_count, game.move_count))
    for position in range(game.position_count):
        state, states[position] = states[position], None
        first, last = int(game.offsets[position]), int(game.offsets[position + 1])
        moves = [int(move) for move in game.moves[first:last]]
        if ([] if state.is_terminal() else state.legal_actions()) != moves:
            raise ValueError(
                f"position {position}, {game.position(position)}: OpenSpiel's actions are "
                f"{state.legal_actions()}, the lab's moves {moves}"
            )
        if not moves:
            continue
        answer = policy.action_probabilities(state)
        for action, probability in dict(answer).items():
            if action not in moves:
                if not probability:
                    continue
                raise ValueError(
                    f"position {position}, {game.position(position)}: the policy has action {action}, "
                    f"expected only {moves}"
                )
            array[position, action] = probability
        for edge, move in zip(range(first, last), moves):
            child = int(game.children[edge])
            if states[child] is None:
                states[child] = state.child(move)
    return array
