"""The compiled part of the package: calls of the lab's library."""

from os import PathLike
from pathlib import Path
from typing import Any, Literal, SupportsIndex, final

import numpy as np
import numpy.typing as npt

from playlab._strength import GameLike, PolicyLike, Side, Value

__all__ = [
    "BrokeOff",
    "Game",
    "Player",
    "Position",
    "Resigned",
    "VectorEnv",
    "best_response",
    "checkpoint",
    "checkpoint_epochs",
    "evaluate",
    "game",
    "games",
    "losing_line",
    "open_run",
    "resume",
    "solve",
    "train",
]

def games() -> list[str]:
    """The names of all games."""

def game(game: GameLike) -> Game:
    """The game of a name, which is made only once, or the given game itself."""

@final
class Game:
    """A game by its name, such as ``"tic-tac-toe"``; :func:`games` lists them.

    Where a game's positions are :attr:`listed`, it is compiled into a graph as soon as an array or
    an exact result needs it. Positions are numbered from 0, the start; a position comes after all
    positions that lead to it. Edges, the legal moves of all positions, are numbered from 0 too; those
    of position ``p`` are ``offsets[p]`` to ``offsets[p + 1] - 1``, in ascending order of their moves.
    The arrays are read-only. ``keys``, ``children``, ``moves``, ``values``, ``distances`` and ``classes``
    show the lab's own memory; the others are made once, when they are first asked for.

    Raises ``ValueError`` if there is no such game; what needs a graph raises it if the game's
    positions are not listed.
    """

    def __new__(cls, name: str) -> Game: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def summary(self) -> str:
        """What the game is."""
    @property
    def listed(self) -> bool:
        """Whether its positions are few enough to be compiled into a graph."""
    @property
    def rows(self) -> int:
        """Rows of the board."""
    @property
    def columns(self) -> int:
        """Columns of the board."""
    @property
    def move_count(self) -> int:
        """Moves are numbers below this: squares row by row from the top, or columns in Connect
        Four. The pass of Othello has the number of the first square in the centre, where no disc is
        ever put: 27 on 8x8, 14 on 6x6, 5 on 4x4."""
    @property
    def position_count(self) -> int:
        """Number of positions that games reach, finished ones included."""
    @property
    def edge_count(self) -> int:
        """Number of legal moves of all positions together."""
    @property
    def keys(self) -> npt.NDArray[np.uint64]:
        """For each position a number that no other position has. Shape (positions,)."""
    @property
    def offsets(self) -> npt.NDArray[np.uint32]:
        """For each position its first edge, then the number of all edges. Shape (positions + 1,)."""
    @property
    def children(self) -> npt.NDArray[np.uint32]:
        """For each edge the position that it leads to. Shape (edges,)."""
    @property
    def moves(self) -> npt.NDArray[np.uint8]:
        """For each edge its move. Shape (edges,)."""
    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """For each position the side to move, 0 for X and 1 for O. Shape (positions,)."""
    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """For each position whether the game goes on there. Shape (positions,)."""
    @property
    def outcomes(self) -> npt.NDArray[np.int8]:
        """For each position 1 if X has won there, -1 if O has, else 0. Shape (positions,)."""
    @property
    def values(self) -> npt.NDArray[np.int8]:
        """For each position what it is worth to the side to move under perfect play: 1 for a win, 0
        for a draw, -1 for a loss. Shape (positions,)."""
    @property
    def distances(self) -> npt.NDArray[np.uint16]:
        """For each position the plies to the end under perfect play, where winners hurry and losers
        take their time. Shape (positions,)."""
    @property
    def classes(self) -> npt.NDArray[np.uint32]:
        """For each position the number of its class: symmetric positions have the same one. Shape
        (positions,)."""
    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """For each position and move whether the move is legal there. Shape (positions, moves)."""
    @property
    def planes(self) -> npt.NDArray[np.int8]:
        """For each position a plane of the side to move and a plane of the other side: 1 where that side
        has a stone, else 0. Shape (positions, 2, rows, columns), rows from the top."""
    def start(self) -> Position:
        """The position that every game starts from."""
    def position(self, position: str | SupportsIndex) -> Position:
        """The position of this text, in the game's notation, or of this number.

        Raises ``ValueError`` if there is none."""
    def format_move(self, move: SupportsIndex) -> str:
        """The move in the game's notation. Raises ``ValueError`` if no move has this number."""
    def parse_move(self, text: str) -> int:
        """Reads a move in the game's notation. Raises ``ValueError`` if it is not a move."""
    def policy(self, agent: PolicyLike) -> npt.NDArray[np.float64]:
        """The policy of an agent, by its spec: a probability for each position and move. Shape
        (positions, moves).

        Raises ``ValueError`` if there is no such agent, or if the probabilities of its moves cannot
        be listed."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: Any, /) -> Game: ...

@final
class Position:
    """A position of any game. It does not change."""

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def to_move(self) -> Side:
        """The side to move, or the side that would be to move had the game not ended."""
    @property
    def outcome(self) -> Literal["x", "o", "draw"] | None:
        """The side that has won, or ``"draw"``; ``None`` while the game goes on."""
    @property
    def moves(self) -> list[int]:
        """The legal moves, in ascending order; none once the game is over."""
    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """For each move whether it is legal. Shape (moves,)."""
    @property
    def planes(self) -> npt.NDArray[np.int8]:
        """A plane of the side to move and a plane of the other side; see :attr:`Game.planes`.
        Shape (2, rows, columns)."""
    @property
    def number(self) -> int:
        """Its number in the game's graph. Raises ``ValueError`` if it has none."""
    def play(self, move: SupportsIndex) -> Position:
        """The position after a move. Raises ``ValueError`` if the move is not legal."""
    def __hash__(self) -> int: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: Any, /) -> Position: ...

class BrokeOff(ValueError):
    """A player, an outside program, has broken off its game: it has lost."""

class Resigned(ValueError):
    """A player has resigned instead of moving: it has lost."""

@final
class Player:
    """An agent of the lab, by its spec, such as ``"mcts:simulations=1000"``, in a game, which may be given by its name.
    It may remember the course of a game; begin another one with :meth:`start_game`.

    Raises ``ValueError`` if there is no such agent, or if it cannot play the game.
    """

    def __new__(cls, game: GameLike, agent: str, seed: SupportsIndex = 0) -> Player: ...
    @property
    def game(self) -> Game:
        """The game."""
    @property
    def agent(self) -> str:
        """The agent's spec."""
    def start_game(self, seed: SupportsIndex | None = None) -> None:
        """Forgets the previous game; with a seed, its random numbers start over, too."""
    def choose(self, position: Position) -> int:
        """Chooses a move. Raises ``ValueError`` if the game is over, if the position is of another
        game, or if the agent finds no move; :class:`Resigned`, a ``ValueError`` too, if it resigns, and
        :class:`BrokeOff` if it is an outside program that ends, hangs or plays an illegal move. Warns (``UserWarning``)
        at the first move as a side of what limits the agent there, such as that it did not learn that side."""

@final
class VectorEnv:
    """Many games at once. A game that ends is followed by a new one right away.

    ``game`` is a game or the name of one.
    ``opponent`` answers every move of the caller: an agent by its spec, or a policy as an array;
    without one, the caller moves both sides. The caller plays ``side`` in every game, X if none is given;
    ``"both"`` is X in the games of even index and O in the others. The same seed gives the same games.

    Warns (``UserWarning``) of what limits the opponent, such as that it did not learn the side that it has to play.

    ``count`` is the number of games, from 1 to 2**24; an outside program (``"gtp:COMMAND"``) is started
    once for each. Raises ``RuntimeError``, in :meth:`step` too, if a program resigns or breaks a game off before
    the caller's first move. Every call returns new arrays.
    """

    def __new__(
        cls,
        game: GameLike,
        count: SupportsIndex,
        opponent: PolicyLike | None = None,
        side: Literal["x", "o", "both"] | None = None,
        seed: SupportsIndex = 0,
    ) -> VectorEnv: ...
    @property
    def game(self) -> Game:
        """The game."""
    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Starts all games over, with the random numbers of a seed, or else continuing the present ones."""
    def step(
        self, moves: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Makes a move in every game, and lets the opponent answer.

        ``moves`` is of shape (count,). Returns rewards and which games ended with this step, each of
        shape (count,). A reward is 1 for a win, -1 for a loss, else 0: for the caller's side, or for
        the side that moved, where the caller moves both. The next position of a game that ended is
        the first one of another game. An opponent that resigns has lost, and so has a
        program that breaks a game off, which a ``UserWarning`` reports. Raises ``ValueError`` if a
        move is not legal; no game has gone on then. Raises ``RuntimeError`` if the opponent finds
        no move; after that, as after Ctrl-C, start over with :meth:`reset`.
        """
    @property
    def positions(self) -> npt.NDArray[np.uint32]:
        """The number of every game's position, where positions are listed. Shape (count,)."""
    @property
    def planes(self) -> npt.NDArray[np.int8]:
        """The planes of every game's position; see :attr:`Game.planes`. Shape (count, 2, rows,
        columns)."""
    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """For every game and move whether the move is legal. Shape (count, moves)."""
    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """The side to move in every game, 0 for X and 1 for O. Shape (count,)."""
    def __len__(self) -> int: ...

_Rates = tuple[float, float, float]

def evaluate(
    game: Game, policy: PolicyLike, sides: list[Side] | None, against: list[tuple[str, PolicyLike]]
) -> list[tuple[Side, list[_Rates], _Rates, _Rates, Value, bool, float]]: ...
def best_response(
    game: Game, policy: PolicyLike, side: Side
) -> tuple[_Rates, npt.NDArray[np.float64]]: ...
def losing_line(game: Game, policy: PolicyLike, side: Side) -> list[int] | None: ...
def solve(position: Position) -> str: ...
def open_run(path: str | PathLike[str]) -> tuple[str, str, list[int], bool, Path, Path]: ...
def train(
    config: str | PathLike[str], out: str | PathLike[str], changes: list[str], threads: SupportsIndex
) -> Path: ...
def resume(path: str | PathLike[str], changes: list[str], threads: SupportsIndex) -> Path: ...
def checkpoint_epochs(path: str | PathLike[str], seed: SupportsIndex) -> list[int]: ...
def checkpoint(
    target: str | PathLike[str], which: str = "best", seed: SupportsIndex | None = None
) -> tuple[Path, str, int, int, int]: ...
