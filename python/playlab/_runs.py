"""Runs and their checkpoints, as arrays."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from playlab import _core

#: A path of a file or a directory.
PathLike = Union[str, "os.PathLike[str]"]
#: The columns of a table, by name.
Table = dict[str, npt.NDArray[Any]]


def read_csv(path: PathLike) -> Table:
    """The columns of a CSV file, by name.

    A column is an array of ``int64`` if all of its cells are whole numbers, of ``float64`` if all
    are numbers or empty (read as NaN), and otherwise of strings. A last line without a line break, which
    is still being written, is left out. Raises ``ValueError`` if a row has more or fewer cells than the first.
    """
    text = Path(path).read_text(encoding="utf-8")
    whole = io.StringIO(text[: text.rfind("\n") + 1])
    lines = csv.reader(whole)
    names = next(lines, [])
    rows = []
    for row in lines:
        if len(row) != len(names):
            raise ValueError(
                f"{path}, line {lines.line_num}: {len(row)} cells, expected {len(names)}"
            )
        rows.append(row)
    columns = zip(*rows) if rows else ((),) * len(names)
    return {name: _column(cells) for name, cells in zip(names, columns)}


def _column(cells: tuple[str, ...]) -> npt.NDArray[Any]:
    if cells and any(cells):
        try:
            return np.array([int(cell) for cell in cells], dtype=np.int64)
        except (ValueError, OverflowError):
            pass
        try:
            return np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            return np.array(cells)
    return np.full(len(cells), np.nan)


class Checkpoint:
    """A checkpoint of a training: what had been learned by then.

    ``target`` is a run's directory or a file of a checkpoint. Of a run, ``which`` is ``"best"``, the default, ``"last"``
    or an epoch, and ``seed`` is by default the first one. Raises ``ValueError`` if there is no such
    checkpoint, if it was altered, or if it is a file, and one is chosen.
    """

    #: The file with the arrays.
    path: Path
    #: The game that was learned.
    game: _core.Game
    seed: int
    epoch: int
    #: Episodes of training up to it.
    episodes: int

    def __init__(
        self, target: PathLike, which: str | SupportsIndex | None = None, seed: SupportsIndex | None = None
    ) -> None:
        if Path(target).is_file() and (which, seed) != (None, None):
            raise ValueError(f"{target} is a checkpoint itself; to choose one, name its run")
        self.path, game, self.seed, self.epoch, self.episodes = _core.checkpoint(
            target, "best" if which is None else str(which), seed
        )
        self.game = _core.game(game)

    @property
    def agent(self) -> str:
        """The spec of the agent that plays what was learned."""
        return f"run:{self.path}"

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays that were learned, by the names in docs/files.md."""
        with np.load(self.path) as arrays:
            return dict(arrays)

    def policy(self) -> npt.NDArray[np.float64]:
        """The policy of its agent: a probability for each position and move.

        Raises ``ValueError`` if the game's positions are not listed.
        """
        return self.game.policy(self.agent)

    def __repr__(self) -> str:
        return f"Checkpoint({str(self.path)!r})"


class Run:
    """A run: what a training recorded, even while it goes on.

    Raises ``ValueError`` if ``path`` is not a run, or if its files are not as the lab writes them.
    """

    path: Path
    name: str
    #: The resolved config.
    config: dict[str, Any]
    seeds: list[int]
    #: Whether all seeds have finished.
    finished: bool

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        self.name, config, self.seeds, self.finished, metrics, training = _core.open_run(path)
        self.config = json.loads(config)
        self._metrics, self._training = metrics, training

    def metrics(self) -> Table:
        """The columns of ``metrics.csv``: rates, with a row per seed, epoch, side, opponent and
        method."""
        return self._table(self._metrics)

    def training(self) -> Table:
        """The columns of ``training.csv``: what the learner did, with a row per seed, epoch and
        side."""
        return self._table(self._training)

    def _table(self, path: PathLike) -> Table:
        try:
            return read_csv(path)
        except FileNotFoundError:
            raise ValueError(
                f"{path} is not there; if {self.path} is being trained, wait for its first epoch"
            ) from None

    def epochs(self, seed: SupportsIndex | None = None) -> list[int]:
        """The epochs of a seed's checkpoints, by default of the first seed.

        Raises ``ValueError`` if the run has no such seed.
        """
        seed = self.seeds[0] if seed is None else seed
        epochs = _core.checkpoint_epochs(self.path, seed)
        if seed not in self.seeds:
            first, last = self.seeds[0], self.seeds[-1]
            is_range = len(self.seeds) > 1 and self.seeds == [*range(first, last + 1)]
            known = f"{first} to {last}" if is_range else ", ".join(map(str, self.seeds))
            raise ValueError(f"{self.path} has no seed {seed}, expected {known}")
        return epochs

    def checkpoint(self, which: str | SupportsIndex = "best", seed: SupportsIndex | None = None) -> Checkpoint:
        """A checkpoint; see :class:`Checkpoint`."""
        return Checkpoint(self.path, which, seed)

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


#: Keys of a config to override: one, such as ``"epochs=20"``, several of them, or ``{"epochs": 20}``.
Changes = Union[str, Sequence[str], Mapping[str, Any]]


def train(config: PathLike, out: PathLike, changes: Changes = (), threads: SupportsIndex = 1) -> Run:
    """Trains as a config says, into a new directory, as ``lab train`` does but without pictures.

    ``changes`` override keys of the config, such as ``"epochs=20"`` or ``{"epochs": 20}``. ``threads`` is how many
    seeds are trained at the same time; the result does not depend on it. After Ctrl-C, :func:`resume` continues.
    Raises ``ValueError`` if the config cannot be trained, or if ``out`` already exists.
    """
    return Run(_core.train(config, out, _each(changes), threads))


def resume(run: PathLike, changes: Changes = (), threads: SupportsIndex = 1) -> Run:
    """Continues an interrupted training, to the bytes of one that was not interrupted, as ``lab train --resume`` does.

    It draws nothing: existing pictures stay as they are until ``lab plot`` draws new ones. Changes such as
    ``{"epochs": 40}`` or ``{"seeds": 5}`` extend a finished training. Raises ``ValueError`` if ``run`` is not the
    directory of a run, or if a change would make it a different training.
    """
    return Run(_core.resume(run, _each(changes), threads))


def _each(changes: Changes) -> list[str]:
    """Each of these changes, as the lab reads it."""
    if isinstance(changes, str):
        return [changes]
    if isinstance(changes, Mapping):
        return [f"{key}={_toml(value)}" for key, value in changes.items()]
    return list(changes)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_toml(str(key))} = {_toml(of)}" for key, of in value.items())
        return f"{{ {pairs} }}"
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    # Numbers, strings and booleans are written as in JSON, except this character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
