"""The same work in OpenSpiel and in the lab, in one go, with the ratios.

    pip install open_spiel numpy
    python benches/peers/openspiel.py

Compared are
- tabular Q-learning on tic-tac-toe as O against a random player: OpenSpiel's
  Python QLearner and `lab train`, in episodes per second of one thread;
- the exact value of a policy against a random player: OpenSpiel's C++
  expected_returns and the lab's benchmark of it (which computes the best
  response as well), in seconds;
- Monte Carlo tree search from the start of tic-tac-toe, Connect Four and Othello: OpenSpiel's C++
  MCTSBot and the lab's benchmark of it, both with UCT, c = 1.4, 2,000
  simulations, one random rollout each and without a solver, in simulations
  per second of one thread.

Needs the lab's Rust toolchain; builds what it measures.
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent, tabular_qlearner

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAB_EPISODES = 20_000_000
PEER_EPISODES = 3_000
SIMULATIONS = 2_000
# Of OpenSpiel's name, the lab's benchmark, and how often OpenSpiel searches.
TREE_SEARCHES = [
    ("tic_tac_toe", "mcts_tree", 200),
    ("connect_four", "mcts_connect_four", 20),
    ("othello", "mcts_othello", 2),
]
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def peer_episodes_per_second():
    environment = rl_environment.Environment("tic_tac_toe")
    actions = environment.action_spec()["num_actions"]
    numpy.random.seed(1)
    agents = [
        random_agent.RandomAgent(player_id=0, num_actions=actions),
        tabular_qlearner.QLearner(player_id=1, num_actions=actions),
    ]
    start = time.perf_counter()
    for _ in range(PEER_EPISODES):
        step = environment.reset()
        while not step.last():
            mover = step.observations["current_player"]
            step = environment.step([agents[mover].step(step).action])
        for agent in agents:
            agent.step(step)
    return PEER_EPISODES / (time.perf_counter() - start)


def lab_episodes_per_second():
    with tempfile.TemporaryDirectory() as directory:
        command = [
            ROOT / "target/release/lab", "train",
            "--config", ROOT / "configs/qtable_o.toml", "--out", f"{directory}/run",
            "--seeds", "1", "--threads", "1",
            "--set", "opponents=[{agent = \"random\"}]",
            "--set", "epochs=1", "--set", f"episodes_per_epoch={LAB_EPISODES}",
        ]
        start = time.perf_counter()
        run(*map(str, command))
        return LAB_EPISODES / (time.perf_counter() - start)


def peer_evaluation_seconds():
    game = pyspiel.load_game("tic_tac_toe")
    policies = [pyspiel.UniformRandomPolicy(game), pyspiel.UniformRandomPolicy(game)]
    start = time.perf_counter()
    x, _ = pyspiel.expected_returns(game.new_initial_state(), policies, -1, True)
    seconds = time.perf_counter() - start
    # X wins 737/1260 and O 121/420 of the games between random players.
    assert abs(x - (737 / 1260 - 121 / 420)) < 1e-9, x
    return seconds


def lab_median_seconds(name):
    table = run("cargo", "bench", "--quiet", "--bench", "hot_paths", "--", name)
    row = next(line for line in table.splitlines() if name in line)
    number, unit = re.findall(r"([\d.]+) (ns|µs|ms|s)\b", row)[2]
    return float(number) * UNITS[unit]


def lab_evaluation_seconds():
    return lab_median_seconds("exact_evaluation_against_random_and_worst_opponents")


def peer_simulations_per_second(name, searches):
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(
        game, evaluator, 1.4, SIMULATIONS, 1000, False, 1, False,
        pyspiel.ChildSelectionPolicy.UCT,
    )
    state = game.new_initial_state()
    start = time.perf_counter()
    for _ in range(searches):
        bot.step(state)
    return searches * SIMULATIONS / (time.perf_counter() - start)


def lab_simulations_per_second(benchmark):
    return SIMULATIONS / lab_median_seconds(benchmark)


def compare(what, unit, peer, lab, higher_is_better):
    # In turn, so that both meet the same noise.
    pairs = [(peer(), lab()) for _ in range(5)]
    peer_median, lab_median = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(
        lab / peer if higher_is_better else peer / lab for peer, lab in pairs
    )
    print(f"{what}: OpenSpiel {peer_median:.4g} {unit}, lab {lab_median:.4g} {unit}: {ratio:,.1f} times")


def main():
    run("cargo", "build", "--release", "--quiet")
    compare("Q-learning", "episodes/s", peer_episodes_per_second, lab_episodes_per_second, True)
    compare("exact evaluation", "s", peer_evaluation_seconds, lab_evaluation_seconds, False)
    for name, benchmark, searches in TREE_SEARCHES:
        compare(
            f"tree search, {name}", "simulations/s",
            lambda: peer_simulations_per_second(name, searches),
            lambda: lab_simulations_per_second(benchmark), True,
        )


if __name__ == "__main__":
    main()
