"""How fast the package is from Python, on one thread.

    python python/benchmarks/speed.py

Times are the least of several, so that other work on the machine counts little.
"""

import os

# numpy may not use more threads than one either.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time  # noqa: E402

import numpy as np  # noqa: E402

import playlab  # noqa: E402

GAMES = 1024


def least(work, repeats):
    """The least time of the work, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def evaluation():
    game = playlab.Game("tic-tac-toe")
    uniform = game.legal / game.legal.sum(axis=1, keepdims=True).clip(1)
    for name, policy in (("minimax", game.policy("minimax")), ("uniform", uniform)):
        for sides in (("x",), ("o",), ("x", "o")):
            seconds = least(lambda: playlab.evaluate(game, policy, sides), 300)
            print(f"evaluate, {name} as {' and '.join(sides)}: {seconds * 1e6:.0f} µs")


def environment(name, steps):
    env = playlab.VectorEnv(playlab.Game(name), GAMES, "random")
    random = np.random.default_rng(1)

    def play():
        for _ in range(steps):
            legal = env.legal
            noise = random.random(legal.shape, dtype=np.float32)
            env.step((noise * legal).argmax(axis=1))

    def look():
        for _ in range(steps):
            legal = env.legal
            noise = random.random(legal.shape, dtype=np.float32)
            env.planes
            env.step((noise * legal).argmax(axis=1))

    for what, work in (("", play), (" and its planes", look)):
        moves = steps * GAMES / least(work, 7)
        print(
            f"{name}{what}: {moves / 1e6:.1f} million moves a second of the caller, "
            "and about as many of the opponent"
        )


def pettingzoo_moves_per_second(make, games):
    env = make()
    random = np.random.default_rng(1)
    moves = 0
    start = time.perf_counter()
    for _ in range(games):
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            mask = observation["action_mask"]
            env.step(None if terminated else random.choice(np.flatnonzero(mask)))
            moves += not terminated
    return moves / (time.perf_counter() - start)


def pettingzoo():
    try:
        from pettingzoo.classic import tictactoe_v3

        from playlab.pettingzoo import env
    except ImportError as error:
        print(f"PettingZoo is not measured: {error}")
        return
    for name, make in (("PettingZoo's tictactoe_v3", tictactoe_v3.env), ("playlab.pettingzoo", env)):
        print(f"{name}: {pettingzoo_moves_per_second(make, 300):,.0f} moves a second")


if __name__ == "__main__":
    evaluation()
    environment("tic-tac-toe", 200)
    environment("connect-four", 50)
    pettingzoo()
