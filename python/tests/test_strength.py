"""Exact strength."""

import warnings

import numpy as np
import pytest

import playlab

close = pytest.approx


@pytest.fixture(scope="module")
def game() -> playlab.Game:
    return playlab.Game("tic-tac-toe")


@pytest.fixture(scope="module")
def uniform(game):
    return game.legal / game.legal.sum(axis=1, keepdims=True).clip(1)


def test_random_players_have_their_known_rates(game, uniform):
    strength = playlab.evaluate(game, uniform)
    assert strength["x"].against["random"] == close((737 / 1260, 8 / 63, 121 / 420), abs=1e-12)
    assert strength["o"].against["random"] == close((121 / 420, 8 / 63, 737 / 1260), abs=1e-12)
    assert strength["x"].best_response == close((1 / 135, 57 / 945, 881 / 945), abs=1e-12)
    assert not strength["x"].unbeatable and strength["x"].worst_case == "loss"


def test_an_agent_is_as_good_as_its_array_and_its_edges(game):
    dense = game.policy("minimax")
    assert dense.shape == (5478, 9)
    opponents = ["random", "block-or-random"]
    by_name = playlab.evaluate("tic-tac-toe", "minimax", against=opponents)
    assert list(by_name["x"].against) == opponents
    assert by_name == playlab.evaluate(game, dense, against=opponents)
    assert by_name == playlab.evaluate(game, dense[game.legal], against=opponents)
    assert by_name["o"].unbeatable and by_name["o"].holds_value
    assert by_name["o"].against["random"].win == close(2645 / 3402, abs=1e-12)
    assert by_name["o"].best_response == (0.0, 1.0, 0.0)
    assert by_name["o"].optimal_move_rate == 1.0


def test_one_opponent_needs_no_list(game, uniform):
    for against in ("random", "block-or-random"):
        alone = playlab.evaluate(game, uniform, against=against)
        assert alone == playlab.evaluate(game, uniform, against=[against])
    first = playlab.evaluate_pettingzoo(
        lambda observation: int(np.argmax(observation["action_mask"])), against="random"
    )
    assert list(first["x"].against) == ["random"]
    with pytest.raises(ValueError, match="unknown agent 'randm'"):
        playlab.evaluate(game, uniform, against="randm")
    for against in (uniform, [uniform]):
        with pytest.raises(TypeError, match="an opponent that is an array needs a name"):
            playlab.evaluate(game, uniform, against=against)


def test_a_policy_of_other_numbers_is_read_too(game, uniform):
    exact = playlab.evaluate(game, uniform)["x"].against["random"]
    single = playlab.evaluate(game, uniform.astype(np.float32))["x"].against["random"]
    assert single == close(exact, abs=1e-6) and sum(single) == close(1, abs=1e-12)
    assert playlab.evaluate(game, np.asfortranarray(uniform))["x"].against["random"] == exact
    first = np.eye(9, dtype=int)[game.legal.argmax(axis=1)]
    assert playlab.evaluate(game, first.tolist()) == playlab.evaluate(game, first.astype(float))


def test_rates_are_what_a_slow_sweep_finds(game):
    random = np.random.default_rng(3)
    policy = random.random(game.legal.shape) * game.legal
    policy /= policy.sum(axis=1, keepdims=True).clip(1e-9)
    opponent = random.random(game.legal.shape) ** 4 * game.legal
    opponent /= opponent.sum(axis=1, keepdims=True).clip(1e-9)
    reach = np.zeros(game.position_count)
    reach[0] = 1.0
    for position in range(game.position_count):
        mover = policy if game.to_move[position] == 0 else opponent
        for edge in range(game.offsets[position], game.offsets[position + 1]):
            share = mover[position, game.moves[edge]]
            reach[game.children[edge]] += reach[position] * share
    over = ~game.live
    expected = [reach[over & (game.outcomes == result)].sum() for result in (1, 0, -1)]
    found = playlab.evaluate(game, policy, "x", against={"other": opponent})["x"].against
    assert found["other"] == close(tuple(expected), abs=1e-12)


def test_the_best_response_does_what_it_is_said_to_do(game, uniform):
    for side, other in (("x", "o"), ("o", "x")):
        rates, response = playlab.best_response(game, uniform, side)
        strength = playlab.evaluate(game, uniform, side, against={"worst": response})[side]
        assert strength.against["worst"] == close(rates, abs=1e-12)
        assert strength.best_response.score == close(rates.score, abs=1e-12)
        theirs = game.live & (game.to_move == (other == "o"))
        assert (response[theirs].max(axis=1) == 1).all()
        assert not response[~theirs].any()


def test_a_beatable_policy_has_a_line_that_beats_it(game):
    first = np.eye(9)[game.legal.argmax(axis=1)]
    line = playlab.losing_line(game, first, "x")
    position = game.start()
    for move in line:
        if position.to_move == "x":
            assert first[position.number, move] == 1
        position = position.play(move)
    assert position.outcome == "o"
    assert playlab.losing_line(game, "minimax", "x") is None


def test_only_the_sides_that_are_asked_about_are_looked_at(game, uniform):
    of_x = np.where((game.to_move == 0)[:, None], uniform, 7.0)
    assert playlab.evaluate(game, of_x, "x")["x"] == playlab.evaluate(game, uniform)["x"]
    with pytest.raises(ValueError, match="position 1, X../.../...: the probability of move 0 is 7"):
        playlab.evaluate(game, of_x, "o")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda policy: policy * 0.5, "position 0, .*: the probabilities of its moves add up to 0.5"),
        (lambda policy: -policy, "the probability of move a1 is -0.11"),
        (lambda policy: policy * np.nan, "the probability of move .* is NaN"),
        (lambda policy: policy + 1, "the probability of move"),
        (lambda policy: policy[:7], r"the policy's shape is \[7, 9\], expected \[5478, 9\]"),
        (lambda policy: policy[:, :, None], r"the policy's shape is \[5478, 9, 1\]"),
    ],
)
def test_what_is_no_policy_is_told(game, uniform, change, message):
    with pytest.raises(ValueError, match=message):
        playlab.evaluate(game, change(uniform))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"key": np.int32}, "the array key holds other numbers, expected uint64 or int64"),
        ({"key": np.float64}, "the array key holds other numbers, expected uint64 or int64"),
        ({"probability": np.int32}, "the array probability holds other numbers, expected float32, float64, uint8 or bool"),
    ],
)
def test_a_file_with_numbers_of_other_types_is_told(tmp_path, game, uniform, change, message):
    path = tmp_path / "policy.npz"
    arrays = {"key": game.keys[game.live], "probability": uniform[game.live]}
    types = {name: change.get(name, array.dtype) for name, array in arrays.items()}
    np.savez(path, **{name: array.astype(types[name]) for name, array in arrays.items()})
    with pytest.raises(ValueError, match=message):
        playlab.evaluate(game, f"policy:{path}")


def test_booleans_are_moves_that_are_always_played(tmp_path, game):
    first = np.eye(9)[game.legal.argmax(axis=1)]
    path = tmp_path / "policy.npz"
    np.savez(path, key=game.keys[game.live], probability=first[game.live] == 1)
    assert playlab.evaluate(game, f"policy:{path}") == playlab.evaluate(game, first)


def test_the_keys_of_a_file_are_one_list(tmp_path, game, uniform):
    path = tmp_path / "policy.npz"
    keys = game.keys[game.live]
    np.savez(path, key=keys.astype(np.int64), probability=uniform[game.live])
    found = playlab.evaluate(game, f"policy:{path}", "x")["x"].against["random"]
    assert found == close((737 / 1260, 8 / 63, 121 / 420), abs=1e-12)
    np.savez(path, key=keys[:, None], probability=uniform[game.live])
    with pytest.raises(ValueError, match=r"the array key has the shape \(4520, 1\), expected one dimension"):
        playlab.evaluate(game, f"policy:{path}")


def test_a_file_with_a_move_that_is_never_made_is_told(tmp_path):
    """Othello has four such numbers, of which one is the pass."""
    game = playlab.Game("othello-4x4")
    uniform = game.legal / game.legal.sum(axis=1, keepdims=True).clip(1)
    uniform[0, 6] = 0.5
    np.savez(tmp_path / "policy.npz", key=game.keys[game.live], probability=uniform[game.live])
    with pytest.raises(ValueError, match=r"row 0: move 6 \(pass\) is not legal in .* but has the probability 0.5"):
        playlab.evaluate(game, f"policy:{tmp_path / 'policy.npz'}")


def test_sides_are_those_that_a_policy_tells_of(tmp_path, game, uniform):
    for sides in ["O", "o", ["o"], ("O",)]:
        assert list(playlab.evaluate(game, uniform, sides)) == ["o"]
    for sides in [None, "both", ["x", "o"]]:
        assert list(playlab.evaluate(game, uniform, sides)) == ["x", "o"]
    file = tmp_path / "policy.npz"
    of_o = game.live & (game.to_move == 1)
    np.savez(file, key=game.keys[of_o], probability=uniform[of_o])
    agent = f"policy:{file}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = playlab.evaluate(game, agent)
        assert list(alone) == ["o"]
        expected = playlab.evaluate(game, uniform, "o")["o"].against["random"]
        assert alone["o"].against["random"] == close(expected, abs=1e-12)
        assert np.allclose(game.policy(agent)[of_o], uniform[of_o])
    with pytest.warns(UserWarning, match="no positions with X to move"):
        both = playlab.evaluate(game, agent, "both")
    assert both["o"] == alone["o"]


def test_what_cannot_be_evaluated_is_told(game, uniform):
    with pytest.raises(ValueError, match="unknown agent 'minmax'"):
        playlab.evaluate(game, "minmax")
    with pytest.raises(ValueError, match="the probabilities of its moves cannot be listed"):
        playlab.evaluate(game, "mcts:simulations=10")
    with pytest.raises(ValueError, match="unknown side 'z', expected x or o"):
        playlab.evaluate(game, uniform, "z")
    with pytest.raises(ValueError, match="too many to list"):
        playlab.evaluate("connect-four", uniform)
    with pytest.raises(TypeError):
        playlab.evaluate(game, np.full((5478, 9), "a"))


def test_an_opponent_that_is_no_policy_is_named(game, uniform):
    with pytest.raises(ValueError, match="opponent 'turned': the policy's shape is"):
        playlab.evaluate(game, uniform, against={"uniform": uniform, "turned": uniform.T})


def test_positions_are_solved():
    game = playlab.Game("tic-tac-toe")
    found = playlab.solve(game, "XX./OO./...")
    assert (found.value, found.to_move, found.best_moves) == ("win", "x", [2])
    assert found.distance == 1 and found.line == [2]
    assert {move.move: move.value for move in found.moves}[6] == "loss"
    assert playlab.solve("tic-tac-toe").value == "draw"
    three = "......./......./......./...X.../O..X.../O..X..O"
    found = playlab.solve("connect-four", three)
    # X wins with its fourth stone of 21: 22 - 4.
    assert (found.value, found.score, found.best_moves) == ("win", 18, [3])
    assert [move.distance for move in found.moves if move.move == 3] == [1]
    with pytest.raises(ValueError, match="is not a position"):
        playlab.solve(game, "XX")
    assert playlab.solve(playlab.Game("tic-tac-toe"), game.start()).value == "draw"
    with pytest.raises(ValueError, match="the position is of tic-tac-toe, expected one of mnk-4x3x3"):
        playlab.solve("mnk-4x3x3", game.start())


def test_a_long_search_ends_with_ctrl_c():
    import os
    import signal
    import threading
    import time

    # A shell makes processes that it starts in the background ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    position = playlab.Game("othello").start()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            playlab.solve("othello", position)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - started < 30
