"""OpenSpiel's own evaluation of policies and the lab's, compared."""

import numpy as np
import pytest

import playlab

pytest.importorskip("pyspiel")

import pyspiel  # noqa: E402
from open_spiel.python import policy as spiel_policy  # noqa: E402
from open_spiel.python.algorithms import best_response, expected_game_score  # noqa: E402

from playlab.openspiel import policy_array, spiel_game  # noqa: E402


class ByBoard(spiel_policy.Policy):
    """A policy in Python that depends on the board alone: it weighs at most three moves, so that
    OpenSpiel, which sums over histories, finishes soon."""

    def __init__(self, game, seed):
        super().__init__(game, [0, 1])
        self.seed = seed

    def action_probabilities(self, state, player_id=None):
        random = np.random.default_rng([self.seed, *map(ord, str(state))])
        actions = state.legal_actions()
        actions = random.choice(actions, size=min(3, len(actions)), replace=False)
        weights = random.random(len(actions)) + 0.01
        return dict(zip(map(int, actions), weights / weights.sum()))


@pytest.fixture(scope="module")
def game():
    return spiel_game("tic-tac-toe")


@pytest.fixture(scope="module")
def policies(game):
    return ByBoard(game, 1), ByBoard(game, 2)


def success(rates):
    return rates.win - rates.loss


def test_a_policy_in_python_is_worth_what_openspiel_says(game, policies):
    x, o = (policy_array("tic-tac-toe", policy) for policy in policies)
    expected = expected_game_score.policy_value(game.new_initial_state(), policies)
    for side, mine, other, value in (("x", x, o, expected[0]), ("o", o, x, expected[1])):
        found = playlab.evaluate("tic-tac-toe", mine, side, against={"other": other})[side]
        assert success(found.against["other"]) == pytest.approx(value, abs=1e-9)


def test_the_best_response_is_worth_what_openspiel_says(game, policies):
    for player, side in enumerate(("x", "o")):
        response = best_response.BestResponsePolicy(game, 1 - player, policies[player])
        value = response.value(game.new_initial_state())
        array = policy_array("tic-tac-toe", policies[player])
        found = playlab.best_response("tic-tac-toe", array, side)
        assert -success(found.rates) == pytest.approx(value, abs=1e-9)


def test_a_policy_in_c_is_worth_what_openspiel_says(game):
    uniform = pyspiel.UniformRandomPolicy(game)
    value = pyspiel.expected_returns(game.new_initial_state(), [uniform, uniform], -1, True)[0]
    found = playlab.evaluate("tic-tac-toe", policy_array("tic-tac-toe", uniform), "x")["x"]
    assert success(found.against["random"]) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", ["mnk-4x3x3", "connect-four-4x4", "hex-3x3", "misere-tic-tac-toe"])
def test_other_boards_have_the_same_actions(name):
    """As policy_array checks in every position."""
    array = policy_array(name, spiel_policy.UniformRandomPolicy(spiel_game(name)))
    game = playlab.Game(name)
    assert (array > 0).sum() == game.edge_count
    assert playlab.evaluate(game, array, "x") == playlab.evaluate(game, "random", "x")


def test_an_action_that_is_no_move_is_told():
    class Invalid:
        def action_probabilities(self, state):
            return {pyspiel.INVALID_ACTION: 1.0}

    with pytest.raises(ValueError, match=r"position 0, .*: the policy has action -1, expected only"):
        policy_array("tic-tac-toe", Invalid())


@pytest.mark.parametrize("name", ["othello", "othello-4x4"])
def test_a_game_that_openspiel_has_not_is_told(name):
    """Its Othello has a number of its own for the pass."""
    with pytest.raises(ValueError, match=f"OpenSpiel has no game .* of {name}"):
        spiel_game(name)
