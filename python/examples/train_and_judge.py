"""Trains an agent that is nothing but numpy arrays, by self-play, and gets its verdict.

    python python/examples/train_and_judge.py

The agent keeps a value for every edge of tic-tac-toe's graph and learns by Q-learning in 1,024 games at
once, in which it moves both sides (Sutton & Barto 2018, section 6.5, with the other side's best reply
in place of the next maximum, as what is good for it is bad for the agent).
"""

import numpy as np

import playlab

GAMES = 1024
STEPS = 2000
LEARNING_RATE = 0.3


def learn(game: playlab.Game, seed: int) -> np.ndarray:
    """The learned value of every move in every position, to the side that makes it."""
    random = np.random.default_rng(seed)
    values = np.where(game.legal, 0.0, -np.inf)
    env = playlab.VectorEnv(game, GAMES, seed=seed)
    index = np.arange(GAMES)
    for step in range(STEPS):
        positions = env.positions
        explores = random.random(GAMES) < 1 - step / STEPS
        noise = random.random(values[positions].shape) * env.legal
        # Ties are broken at random.
        greedy = (values[positions] + 1e-6 * noise).argmax(axis=1)
        moves = np.where(explores, noise.argmax(axis=1), greedy)
        rewards, ended = env.step(moves)
        reply = values[env.positions].max(axis=1)
        targets = np.where(ended, rewards, -reply)
        values[positions, moves] += LEARNING_RATE * (targets - values[positions, moves])
    return values


def main() -> None:
    game = playlab.Game("tic-tac-toe")
    values = learn(game, seed=1)
    best = game.legal & (values >= values.max(axis=1, keepdims=True) - 1e-3)
    policy = best / best.sum(axis=1, keepdims=True).clip(1)
    for side, strength in playlab.evaluate(game, policy).items():
        win, draw, loss = strength.against["random"]
        verdict = "unbeatable" if strength.unbeatable else "beatable"
        print(f"{side}: {verdict}; against random it wins {win:.4f}, draws {draw:.4f}, loses {loss:.4f}")
        line = playlab.losing_line(game, policy, side)
        if line is not None:
            print("   beaten by", " ".join(game.format_move(move) for move in line))


if __name__ == "__main__":
    main()
