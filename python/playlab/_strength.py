"""How good policies are, exactly, and what positions are worth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from playlab import _core

Side = Literal["x", "o"]
Value = Literal["win", "draw", "loss"]
#: The name of a game, or the game itself.
GameLike = Union[str, _core.Game]
#: The spec of an agent, such as ``"minimax"``, or an array of probabilities: of shape (positions,
#: moves), or (edges,).
PolicyLike = Union[str, npt.ArrayLike]


class Rates(NamedTuple):
    """Probabilities of the three results for one side; they add up to 1."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        """The expected score: 1 for a win, ½ for a draw, 0 for a loss."""
        return self.win + 0.5 * self.draw


class Strength(NamedTuple):
    """How good a policy is as one side, exactly."""

    side: Side
    #: Its rates against each opponent, by the opponent's name.
    against: dict[str, Rates]
    #: Its rates against the opponent that minimises its score.
    best_response: Rates
    #: Its rates against the opponent that makes it lose with the largest probability.
    most_losses: Rates
    #: The worst result that has positive probability when the opponent does all it can.
    worst_case: Value
    #: Whether the worst case is no worse than the game's value for the side.
    holds_value: bool
    #: The mean probability of a move that keeps the position's value, over all positions of
    #: the side.
    optimal_move_rate: float

    @property
    def unbeatable(self) -> bool:
        """Whether no opponent can win with positive probability."""
        return self.worst_case != "loss"


class BestResponse(NamedTuple):
    """The strongest opponent of a policy."""

    #: The rates of the policy's side against it.
    rates: Rates
    #: Its moves: a probability, 0 or 1, for each position and move; the rows of positions in which
    #: the policy's side is to move are 0. Shape (positions, moves).
    policy: npt.NDArray[np.float64]


@dataclass(frozen=True)
class SolvedMove:
    """What a move is worth under perfect play."""

    #: The move's number.
    move: int
    #: What it is worth to the side that makes it.
    value: Value
    #: Its score for that side, where the game has scores.
    score: int | None
    #: Plies to the end, itself included, where they are known.
    distance: int | None


@dataclass(frozen=True)
class SolvedPosition:
    """What a position is worth under perfect play."""

    position: str
    to_move: Side
    #: What the position is worth to the side to move.
    value: Value
    #: Its score for that side, where the game has scores.
    score: int | None
    #: Plies to the end, where they are known.
    distance: int | None
    #: The moves that keep the value, and the score where there is one.
    best_moves: list[int]
    #: Best play to the end, as moves.
    line: list[int]
    #: Every legal move.
    moves: list[SolvedMove]


def _named(against: str | Sequence[str] | Mapping[str, PolicyLike]) -> Mapping[str, PolicyLike]:
    """The opponents, by name."""
    if isinstance(against, str):
        return {against: against}
    if isinstance(against, Mapping):
        return against
    named = {}
    for spec in against:
        if not isinstance(spec, str):
            raise TypeError(
                "an opponent that is an array needs a name, as in against={'mine': policy}"
            )
        named[spec] = spec
    return named


def each_side(sides: Side | Literal["both"] | Sequence[Side]) -> list[Side]:
    """The sides, as a list. Raises ``ValueError`` if one is unknown."""
    each: list[Side]
    if isinstance(sides, str):
        each = ["x", "o"] if sides == "both" else [sides]
    else:
        each = list(sides)
    for side in each:
        if side not in ("x", "X", "o", "O"):
            raise ValueError(f"unknown side {side!r}, expected x or o")
    return each


def evaluate(
    game: GameLike,
    policy: PolicyLike,
    sides: Side | Literal["both"] | Sequence[Side] | None = None,
    against: str | Sequence[str] | Mapping[str, PolicyLike] = ("random",),
) -> dict[Side, Strength]:
    """Computes exactly how good a policy is as each of the sides; no game is played.

    By default, ``sides`` are all sides that the policy covers: the sides that a run learned, or that a file of a
    policy has; both sides of an array. Warns (``UserWarning``) if an agent is asked about a side that it did not
    learn, or that its policy lacks.

    ``policy`` is the spec of an agent or an array of probabilities: of shape (positions, moves), a
    row for each position, or (edges,), a number for each edge. Where the game goes on and one of the sides is to
    move, the probabilities of a position add up to 1 (within 1e-6; they are then divided by their sum); other
    rows are ignored. ``against`` is an opponent by its spec, several of them, or policies under any names. Raises
    ``ValueError`` if the array is not a policy, and says where, or if the game's positions are not listed.
    """
    named = _named(against)
    asked = None if sides is None else each_side(sides)
    assessments = _core.evaluate(_core.game(game), policy, asked, list(named.items()))
    return {
        side: Strength(
            side,
            {name: Rates(*of) for name, of in zip(named, rates)},
            Rates(*best_response),
            Rates(*most_losses),
            worst_case,
            holds_value,
            optimal_move_rate,
        )
        for (
            side,
            rates,
            best_response,
            most_losses,
            worst_case,
            holds_value,
            optimal_move_rate,
        ) in assessments
    }


def best_response(game: GameLike, policy: PolicyLike, side: Side) -> BestResponse:
    """The strongest opponent of a policy that plays ``side``: in every position the other side's move that
    minimises the policy's expected score, the first of equally good ones.

    Raises ``ValueError`` as :func:`evaluate` does.
    """
    rates, response = _core.best_response(_core.game(game), policy, side)
    return BestResponse(Rates(*rates), response)


def losing_line(game: GameLike, policy: PolicyLike, side: Side) -> list[int] | None:
    """The line that beats a policy that plays ``side``, as moves from the start: of all games that
    it loses, the one whose own moves it is most likely to play. ``None`` if it cannot lose.

    Raises ``ValueError`` as :func:`evaluate` does.
    """
    return _core.losing_line(_core.game(game), policy, side)


def solve(game: GameLike, position: str | SupportsIndex | _core.Position | None = None) -> SolvedPosition:
    """Computes what a position and every move in it are worth under perfect play.

    ``position`` is a position, its text, or its number where positions are listed; the default is the
    start. Where positions are not listed, an exact solver searches, which may take long;
    Ctrl-C ends it. Raises ``ValueError`` if no game reaches the position, or if it is of another game.
    """
    game = _core.game(game)
    if position is None:
        position = game.start()
    elif not isinstance(position, _core.Position):
        position = game.position(position)
    elif position.game != game:
        raise ValueError(
            f"the position is of {position.game.name}, expected one of {game.name}"
        )
    found: dict[str, Any] = json.loads(_core.solve(position))
    return SolvedPosition(
        position=found["position"],
        to_move=found["to_move"],
        value=found["value"],
        score=found["score"],
        distance=found["distance"],
        best_moves=[game.parse_move(move) for move in found["best_moves"]],
        line=[game.parse_move(move) for move in found["line"]],
        moves=[
            SolvedMove(
                move=game.parse_move(move["move"]),
                value=move["value"],
                score=move["score"],
                distance=move["distance"],
            )
            for move in found["moves"]
        ],
    )
