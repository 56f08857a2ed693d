"""Evaluates a policy of OpenSpiel exactly, and compares the result with OpenSpiel's own evaluation.

    pip install open_spiel
    python python/examples/openspiel_policy.py

The policy plays OpenSpiel's Monte Carlo tree search: in each position the move that one search visits
most, always with the same seed.
"""

import numpy as np
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import expected_game_score, mcts

import playlab
from playlab.openspiel import policy_array, spiel_game

SIMULATIONS = 20


class SearchPolicy(spiel_policy.Policy):
    """Plays the most visited move of a search that begins with the same seed in every position."""

    def __init__(self, game):
        super().__init__(game, [0, 1])
        self.game = game
        self.known = {}

    def action_probabilities(self, state, player_id=None):
        board = str(state)
        if board not in self.known:
            random = np.random.RandomState(1)
            evaluator = mcts.RandomRolloutEvaluator(random_state=random)
            bot = mcts.MCTSBot(self.game, 1.4, SIMULATIONS, evaluator, random_state=random)
            self.known[board] = bot.mcts_search(state).best_child().action
        return {self.known[board]: 1.0}


def main() -> None:
    game = spiel_game("tic-tac-toe")
    search = SearchPolicy(game)
    strength = playlab.evaluate("tic-tac-toe", policy_array("tic-tac-toe", search), "x")["x"]
    win, draw, loss = strength.against["random"]
    print(f"{SIMULATIONS} simulations a move as X, worst case: {strength.worst_case}")
    print(f"against random it wins {win:.6f}, draws {draw:.6f}, loses {loss:.6f}")
    random = spiel_policy.UniformRandomPolicy(game)
    start = game.new_initial_state()
    value = expected_game_score.policy_value(start, [search, random])[0]
    print(f"value {win - loss:.12f}, by OpenSpiel {value:.12f}")


if __name__ == "__main__":
    main()
