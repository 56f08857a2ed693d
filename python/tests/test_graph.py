"""The graph as arrays."""

import gc
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import playlab

ARRAYS = {
    "keys": (np.uint64, "P"),
    "offsets": (np.uint32, "P+1"),
    "children": (np.uint32, "E"),
    "moves": (np.uint8, "E"),
    "to_move": (np.int8, "P"),
    "live": (np.bool_, "P"),
    "outcomes": (np.int8, "P"),
    "values": (np.int8, "P"),
    "distances": (np.uint16, "P"),
    "classes": (np.uint32, "P"),
}


@pytest.fixture(scope="module")
def game() -> playlab.Game:
    return playlab.Game("tic-tac-toe")


def test_the_numbers_of_tic_tac_toe_are_the_known_ones(game):
    assert (game.position_count, game.edge_count) == (5478, 16167)
    assert (game.rows, game.columns, game.move_count) == (3, 3, 9)
    assert game.live.sum() == 4520
    # X wins in 626 final positions, O in 316, and 16 are drawn.
    over = game.outcomes[~game.live]
    assert [(over == result).sum() for result in (1, -1, 0)] == [626, 316, 16]
    assert len(np.unique(game.classes)) == 765
    assert game.values[0] == 0 and game.distances[0] == 9


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_have_their_type_and_shape_and_cannot_be_written_to(game, name):
    dtype, shape = ARRAYS[name]
    sizes = {"P": game.position_count, "P+1": game.position_count + 1, "E": game.edge_count}
    array = getattr(game, name)
    assert array.dtype == dtype and array.shape == (sizes[shape],)
    assert getattr(game, name) is array
    with pytest.raises(ValueError):
        array[0] = 0
    with pytest.raises(ValueError):
        array.setflags(write=True)


def test_what_the_lab_has_as_it_is_shown_is_not_copied(game):
    shown = {name for name in ARRAYS if type(getattr(game, name).base).__name__ == "Owner"}
    assert shown == {"keys", "children", "moves", "values", "distances", "classes"}


def test_edges_lead_where_the_rules_lead(game):
    random = np.random.default_rng(1)
    for number in random.integers(game.position_count, size=200):
        position = game.position(int(number))
        first, last = game.offsets[number], game.offsets[number + 1]
        assert game.moves[first:last].tolist() == position.moves
        assert np.flatnonzero(game.legal[number]).tolist() == position.moves
        assert game.live[number] == (position.outcome is None)
        assert ["x", "o"][game.to_move[number]] == position.to_move
        for edge in range(first, last):
            child = position.play(int(game.moves[edge]))
            assert child.number == game.children[edge] > number
            assert game.position(str(child)) == child


def test_values_are_minimax_values(game):
    """By a slow and obvious sweep."""
    values = np.where(game.to_move == 0, game.outcomes, -game.outcomes)
    for position in reversed(range(game.position_count)):
        edges = slice(game.offsets[position], game.offsets[position + 1])
        if game.live[position]:
            values[position] = max(-values[game.children[edges]])
    assert (values == game.values).all()


def test_planes_are_the_movers_squares_and_the_others(game):
    assert game.planes.shape == (5478, 2, 3, 3) and game.planes.dtype == np.int8
    position = game.position("XO./.X./..O")
    assert position.to_move == "x"
    expected = [[[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 0], [0, 0, 1]]]
    assert position.planes.tolist() == expected
    assert game.planes[position.number].tolist() == expected
    assert position.play(2).planes[1].tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]


def test_rows_of_connect_four_are_told_from_the_top():
    position = playlab.Game("connect-four").start().play(3)
    assert position.to_move == "o"
    assert np.argwhere(position.planes).tolist() == [[1, 5, 3]]


def test_arrays_outlive_their_game():
    children = playlab.Game("hex-3x3").children
    kept = children.copy()
    view = children[10:20]
    del children
    gc.collect()
    playlab.Game("mnk-4x3x3").children
    assert (view == kept[10:20]).all()


GROWTH = """
import resource

import playlab


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def use():
    game = playlab.Game("mnk-4x3x3")
    assert game.children.sum() > 0 and game.planes.any() and game.legal.any()


use()
before = memory()
for _ in range(10):
    use()
print(memory() - before)
"""


def test_a_graph_is_let_go_with_its_last_array(tmp_path):
    """Nothing keeps a game forever: arrays do not refer to it. A process of its own has no other uses of memory."""
    done = subprocess.run(
        [sys.executable, "-c", GROWTH], capture_output=True, text=True, cwd=tmp_path
    )
    # In KiB. A graph of it takes over 4 MB, its planes 2.7 MB, and its mask 1.3 MB.
    assert int(done.stdout) < 30_000, done.stderr


def test_what_is_not_there_is_told_in_the_labs_words():
    with pytest.raises(ValueError, match="unknown game 'tictactoe', did you mean 'tic-tac-toe'?"):
        playlab.Game("tictactoe")
    with pytest.raises(ValueError, match="positions of connect-four are too many to list"):
        playlab.Game("connect-four").children
    game = playlab.Game("tic-tac-toe")
    with pytest.raises(ValueError, match="there is no position 5478, expected a number from 0"):
        game.position(5478)
    with pytest.raises(ValueError, match="move 0 is not legal, expected one of \\[1, 2"):
        game.start().play(0).play(0)
    for number in (-1, 2**70):
        with pytest.raises(ValueError, match=f"there is no position {number}, expected a number from 0 to 5477"):
            game.position(number)
        with pytest.raises(ValueError, match=f"move {number} is not legal, expected one of"):
            game.start().play(number)
        with pytest.raises(ValueError, match=f"there is no move {number}, expected a number from 0 to 8"):
            game.format_move(number)
    for call in (game.position, game.start().play, game.format_move):
        with pytest.raises(TypeError):
            call(0.5)
    with pytest.raises(ValueError, match="'j9' is .* expected column and row"):
        game.parse_move("j9")
    assert game.parse_move(game.format_move(4)) == 4 and game.format_move(4) == "b2"


@pytest.mark.parametrize(("name", "size", "number"), [("othello", 8, 27), ("othello-4x4", 4, 5)])
def test_the_pass_is_the_first_square_in_the_centre(name, size, number):
    game = playlab.Game(name)
    assert (game.move_count, game.parse_move("pass")) == (size**2, number)
    assert game.format_move(number) == "pass"
    assert str(number) in playlab.Game.move_count.__doc__
    # The other squares in the centre are never free.
    for other in (number + 1, number + size, number + size + 1):
        with pytest.raises(ValueError, match=f"no move of {name} has the number {other}"):
            game.format_move(other)
    others = [move for move in range(size**2) if move // size not in (size // 2 - 1, size // 2)]
    assert [game.parse_move(game.format_move(move)) for move in others] == others


def test_no_game_is_without_a_name_for_its_moves():
    for name in playlab.games():
        position = playlab.Game(name).start()
        for move in position.moves:
            assert position.game.parse_move(position.game.format_move(move)) == move


def test_games_are_equal_by_name_and_can_be_pickled():
    import pickle

    game = playlab.Game("hex-3x3")
    read = pickle.loads(pickle.dumps(game))
    assert read == game != playlab.Game("hex-4x4")
    # All that are unpickled are one game, so that it is compiled once.
    assert pickle.loads(pickle.dumps(game)) is read
    assert len({game, playlab.Game("hex-3x3")}) == 1
    assert "tic-tac-toe" in playlab.games()


@pytest.mark.parametrize("name", ["tic-tac-toe", "othello"])
def test_positions_can_be_copied_and_pickled(name):
    import copy
    import pickle

    game = playlab.Game(name)
    position = game.start()
    for _ in range(4):
        position = position.play(position.moves[-1])
        assert pickle.loads(pickle.dumps(position)) == position
    found = copy.deepcopy({"to": [position, game]})["to"]
    assert found[0] is position is copy.copy(position)
    assert found[1] is game is copy.copy(game)


def test_the_version_is_that_of_the_lab():
    manifest = (Path(__file__).parents[2] / "Cargo.toml").read_text()
    assert playlab.__version__ == re.search(r'^version = "(.*)"$', manifest, re.M)[1]
