"""Environments: the lab's own, and the ones for Gymnasium and PettingZoo."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import playlab


def moves_of(env, random):
    legal = env.legal
    return (random.random(legal.shape) * legal).argmax(axis=1)


@pytest.mark.parametrize(("side", "expected"), [("x", (737 / 1260, 121 / 420)), ("o", (121 / 420, 737 / 1260))])
def test_games_against_random_end_as_often_as_computed(side, expected):
    env = playlab.VectorEnv(playlab.Game("tic-tac-toe"), 1024, "random", side, seed=5)
    random = np.random.default_rng(5)
    results = []
    for _ in range(200):
        assert (env.to_move == (side == "o")).all()
        rewards, ended = env.step(moves_of(env, random))
        assert not rewards[~ended].any()
        results.append(rewards[ended])
    results = np.concatenate(results)
    # Five standard deviations. Games that are cut off at the end are few.
    error = 5 * 0.5 / len(results) ** 0.5 + 0.001
    assert len(results) > 40_000
    for result, rate in zip((1, -1), expected):
        assert abs((results == result).mean() - rate) < error


def test_what_an_environment_tells_is_what_the_graph_says():
    game = playlab.Game("connect-four-4x4")
    env = playlab.VectorEnv(game, 64, "block-or-random", "both", seed=2)
    random = np.random.default_rng(2)
    for _ in range(20):
        assert (env.planes == game.planes[env.positions]).all()
        assert (env.legal == game.legal[env.positions]).all()
        assert (env.to_move == game.to_move[env.positions]).all()
        assert (env.to_move == np.arange(64) % 2).all()
        env.step(moves_of(env, random))


def test_the_same_seed_gives_the_same_games_however_many_there_are():
    game = playlab.Game("tic-tac-toe")
    few = playlab.VectorEnv(game, 3, "random", seed=7)
    many = playlab.VectorEnv(game, 9, "random", seed=1)
    many.reset(7)
    for _ in range(30):
        first = many.legal.argmax(axis=1)
        for ours, theirs in zip(few.step(first[:3]), many.step(first)):
            assert (ours == theirs[:3]).all()
        assert (few.positions == many.positions[:3]).all()


def test_a_reset_without_a_seed_goes_on():
    game = playlab.Game("tic-tac-toe")
    env, other = (playlab.VectorEnv(game, 8, "random", "o", seed=7) for _ in range(2))
    first = env.positions
    env.reset()
    second = env.positions
    assert (first != second).any()
    other.reset(None)
    assert (other.positions == second).all()
    other.reset(7)
    assert (other.positions == first).all()
    assert repr(env) == "VectorEnv(Game(\"tic-tac-toe\"), 8)"


def test_without_an_opponent_the_caller_moves_both_sides():
    env = playlab.VectorEnv(playlab.Game("tic-tac-toe"), 2)
    for move in (0, 3, 1, 4):
        rewards, ended = env.step([move, move])
        assert not rewards.any() and not ended.any()
    rewards, ended = env.step([2, 8])
    assert rewards.tolist() == [1, 0] and ended.tolist() == [True, False]
    assert env.positions[0] == 0
    rewards, ended = env.step([0, 5])
    assert rewards.tolist() == [0, 1] and ended.tolist() == [False, True]


def test_an_array_can_be_the_opponent():
    game = playlab.Game("tic-tac-toe")
    first = np.eye(9)[game.legal.argmax(axis=1)]
    env = playlab.VectorEnv(game, 2, first, "both")
    assert [str(game.position(int(n))) for n in env.positions] == [".../.../...", "X../.../..."]
    env.step([4, 4])
    assert [str(game.position(int(n))) for n in env.positions] == ["O../.X./...", "XX./.O./..."]
    with pytest.raises(ValueError, match="position 0, .*: the probabilities of its moves add up to 0"):
        playlab.VectorEnv(game, 2, np.zeros((5478, 9)), "o")


@pytest.mark.parametrize("opponent", ["random", "mcts:simulations=5"])
def test_large_boards_are_played_too(opponent):
    env = playlab.VectorEnv(playlab.Game("connect-four"), 4, opponent, "o", seed=1)
    random = np.random.default_rng(1)
    ends = 0
    for _ in range(40):
        assert env.planes.shape == (4, 2, 6, 7) and env.legal.shape == (4, 7)
        # O has as many stones as moves were made; X has one more.
        stones = env.planes.sum(axis=(2, 3))
        assert (stones[:, 1] == stones[:, 0] + 1).all()
        rewards, ended = env.step(moves_of(env, random))
        ends += ended.sum()
    assert ends > 0
    with pytest.raises(ValueError, match="too many to list"):
        env.positions


def test_a_move_that_is_not_legal_changes_nothing():
    game = playlab.Game("tic-tac-toe")
    env = playlab.VectorEnv(game, 2)
    env.step([0, 4])
    before = env.positions
    with pytest.raises(ValueError, match="game 1, .../.X./...: move 4 is not legal, expected one of 0"):
        env.step([1, 4])
    with pytest.raises(ValueError, match="there are 3 moves, expected 2"):
        env.step([1, 2, 3])
    with pytest.raises(ValueError, match=r"the moves' shape is \(2, 1\), expected one dimension"):
        env.step([[1], [2]])
    with pytest.raises(ValueError, match="no game has a move -1"):
        env.step([-1, 2])
    with pytest.raises(TypeError):
        env.step([0.5, 1.0])
    assert (env.positions == before).all()
    with pytest.raises(ValueError, match="there are 0 moves, expected 2"):
        env.step([])
    with pytest.raises(TypeError, match=r"NoneType with dtype object and shape \(\) is no array of moves"):
        env.step(None)
    with pytest.raises(ValueError, match="expected x, o or both"):
        playlab.VectorEnv(game, 2, side="z")
    with pytest.raises(ValueError, match="without an opponent you move both sides; leave out side = 'o'"):
        playlab.VectorEnv(game, 2, side="o")
    for opponent in (object(), [None]):
        with pytest.raises(TypeError, match="is no spec of an agent, and no array of probabilities"):
            playlab.VectorEnv(game, 2, opponent)
    for count in (0, -1, 2**24 + 1, 2**62, 2**70):
        with pytest.raises(ValueError, match=f"there are {count} games, expected 1 to 16777216"):
            playlab.VectorEnv(game, count)
    with pytest.raises(TypeError):
        playlab.VectorEnv(game, 1.5)
    with pytest.raises(TypeError, match="the game is 3, expected a Game or the name of one"):
        playlab.VectorEnv(3, 1)
    with pytest.raises(ValueError, match="did you mean 'tic-tac-toe'"):
        playlab.Player("tic-tac-to", "random")


def test_seeds_are_whole_numbers_of_64_bits():
    game = playlab.Game("tic-tac-toe")
    env, player = playlab.VectorEnv(game, 1, seed=2**64 - 1), playlab.Player(game, "random")
    for seed in (-1, 2**64):
        for call in (
            lambda: playlab.VectorEnv(game, 1, seed=seed),
            lambda: env.reset(seed),
            lambda: playlab.Player(game, "random", seed=seed),
            lambda: player.start_game(seed),
        ):
            with pytest.raises(ValueError, match=f"the seed is {seed}, expected a whole number from 0 to 18446744073709551615"):
                call()
    with pytest.raises(TypeError):
        env.reset("1")
    player.start_game(None)


def test_what_an_environment_tells_belongs_to_the_caller():
    env = playlab.VectorEnv(playlab.Game("tic-tac-toe"), 2)
    for name in ("positions", "planes", "legal", "to_move"):
        array = getattr(env, name)
        array[...] = 1
        assert (getattr(env, name) == 0).any() == (name != "legal"), name


BROKEN = """
import playlab

env = playlab.VectorEnv(playlab.Game("connect-four"), 2)
try:
    env.positions
except BaseException as error:
    print(type(error).__name__)
try:
    env.legal
except RuntimeError as error:
    print(error)
"""


def test_what_a_panic_left_behind_is_not_another_threads(tmp_path):
    """A thread with a stack of this size cannot start, which the lab does not expect."""
    options = {**os.environ, "RUST_MIN_STACK": str(2**62)}
    done = subprocess.run(
        [sys.executable, "-c", BROKEN], capture_output=True, text=True, env=options, cwd=tmp_path
    )
    name, told = done.stdout.splitlines()
    assert name == "PanicException"
    assert told == "a bug in the lab cut an earlier call short; make a new one"


def test_players_choose_by_their_seed():
    game = playlab.Game("connect-four")
    player = playlab.Player(game, "mcts:simulations=50", seed=3)
    chosen = player.choose(game.start())
    player.start_game(3)
    assert chosen == player.choose(game.start()) in range(7)
    with pytest.raises(ValueError, match="the position is of hex-3x3, expected one of connect-four"):
        player.choose(playlab.Game("hex-3x3").start())
    three = game.start()
    for move in (3, 0, 3, 0, 3, 0):
        three = three.play(move)
    by_name = playlab.Player("connect-four", "minimax")
    assert by_name.choose(three) == 3 and by_name.game == game
    with pytest.raises(ValueError, match="the game is over"):
        player.choose(three.play(3))


def program(path, on_genmove):
    """An outside program that does this to generate a move."""
    done = f"case $command in genmove) {on_genmove} ;; *) printf '=\\n\\n' ;; esac"
    path.write_text(f"while read -r command rest; do {done}; done\n")
    return f"gtp:sh {path}"


def test_a_program_that_resigns_has_lost(tmp_path):
    agent = program(tmp_path / "resigns.sh", "printf '= resign\\n\\n'")
    env = playlab.VectorEnv("tic-tac-toe", 2, agent)
    for _ in range(2):
        rewards, ended = env.step([4, 4])
        assert rewards.tolist() == [1, 1] and ended.all() and not env.planes.any()
    player = playlab.Player("tic-tac-toe", agent)
    assert issubclass(playlab.Resigned, ValueError)
    with pytest.raises(playlab.Resigned, match="it resigns"):
        player.choose(player.game.start())
    with pytest.raises(RuntimeError, match="it resigns"):
        playlab.VectorEnv("tic-tac-toe", 1, agent, side="o")
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    env = GameEnv(opponent=agent)
    env.reset(seed=1)
    planes, reward, terminated, _, _ = env.step(4)
    assert (reward, terminated) == (1, True) and planes[0].sum() == 1
    with pytest.raises(playlab.Resigned):
        GameEnv(opponent=agent, side="o").reset(seed=1)


def won_as_it_ends(agent):
    """An environment whose opponent is a program that has just ended in place of its first move."""
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    env = GameEnv(opponent=agent)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="the opponent loses a game: it ended"):
        _, reward, terminated, _, _ = env.step(4)
    assert (reward, terminated) == (1, True)
    return env


def test_a_program_that_breaks_off_has_lost(tmp_path):
    agent = program(tmp_path / "ends.sh", "exit 3")
    env = won_as_it_ends(agent)
    with pytest.raises(playlab.BrokeOff):
        type(env)(opponent=agent, side="o").reset(seed=1)


def test_a_program_that_cannot_be_started_again_gives_no_games_away(tmp_path):
    env = won_as_it_ends(program(tmp_path / "gone.sh", 'rm "$0"; exit 3'))
    env.reset()
    for _ in range(2):
        with pytest.raises(ValueError, match="boardsize 3") as why:
            env.step(4)
        assert why.type is ValueError


def test_a_program_that_has_failed_is_started_again(tmp_path):
    died = tmp_path / "died"
    fails = f"if [ -e {died} ]; then printf '= B1\\n\\n'; elif [ $moved ]; then touch {died}; exit 3; "
    agent = program(tmp_path / "fails.sh", fails + "else moved=1; printf '= A1\\n\\n'; fi")
    player = playlab.Player("tic-tac-toe", agent)
    position = player.game.start().play(4)
    assert player.choose(position) == 0
    position = position.play(0).play(8)
    with pytest.raises(playlab.BrokeOff, match="it ended"):
        player.choose(position)
    assert player.choose(position) == 1
    died.unlink()
    env = playlab.VectorEnv("tic-tac-toe", 1, agent)
    env.step([4])
    with pytest.warns(UserWarning, match="the opponent loses a game: it ended"):
        rewards, ended = env.step([8])
    assert (rewards[0], ended[0]) == (1, True)
    env.step([4])
    assert env.legal[0].sum() == 7 and not env.legal[0, 1]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"side": "both", "opponent": "minimax"},
        {"game": "connect-four", "opponent": "mcts:simulations=10", "side": "o"},
    ],
)
def test_gymnasium_finds_its_environment_sound(options):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import playlab.gymnasium

    env = gymnasium.make("playlab/Game-v0", render_mode="ansi", **options).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


def test_gymnasium_says_what_an_opponent_is():
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    with pytest.raises(TypeError, match="expected the spec of an agent, such as .*VectorEnv takes arrays"):
        GameEnv(opponent=np.eye(9))
    with pytest.raises(ValueError, match="unknown render_mode 'human', expected 'ansi' or None"):
        GameEnv(render_mode="human")
    game = playlab.Game("hex-3x3")
    assert GameEnv(game).game is game
    assert GameEnv("hex-3x3").game is GameEnv("hex-3x3").game


def test_a_game_in_gymnasium_ends_as_it_should():
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    env = GameEnv(side="both", opponent="minimax:first", render_mode="ansi")
    # The same seed always draws the same sides.
    sides = [env.reset(seed=seed)[1]["side"] for seed in [*range(9)] * 2]
    assert sides[:9] == sides[9:] and set(sides) == {"x", "o"}
    planes, info = env.reset(seed=sides.index("x"))
    assert info["side"] == "x" and not planes.any() and info["action_mask"].all()
    planes, reward, terminated, _, info = env.step(4)
    assert (reward, terminated) == (0, False) and planes[0, 1, 1] == 1 and planes[1].sum() == 1
    assert env.render().count("O") == 1
    planes, reward, terminated, _, info = env.step(4)
    assert (reward, terminated, info["illegal"]) == (-1, True, True)
    with pytest.raises(ValueError, match="the game is over; call reset first"):
        env.step(3)
    planes, info = env.reset()
    assert info["side"] == "o"
    # O's turn, after X's first move.
    assert planes[0].sum() == 0 and planes[1].sum() == 1


def test_a_game_in_gymnasium_begins_with_reset():
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    env = GameEnv()
    with pytest.raises(ValueError, match="the game has not begun; call reset first"):
        env.step(4)
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(4.7)
    assert env.step(np.int64(4))[1:4] == (0, False, False)


def test_a_step_in_gymnasium_that_is_broken_off_changes_nothing():
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    class Interrupted:
        def choose(self, position):
            raise KeyboardInterrupt

    env = GameEnv()
    env.reset(seed=1)
    opponent, env.opponent = env.opponent, Interrupted()
    with pytest.raises(KeyboardInterrupt):
        env.step(4)
    assert str(env.position) == ".../.../..."
    env.opponent = opponent
    assert env.step(4)[0].sum() == 2


def test_a_lost_game_in_gymnasium_is_seen_from_the_losers_side():
    pytest.importorskip("gymnasium")
    from playlab.gymnasium import GameEnv

    env = GameEnv(opponent="minimax:first")
    env.reset(seed=1)
    while True:
        move = env.position.moves[-1]
        planes, reward, terminated, _, _ = env.step(move)
        if terminated:
            break
    assert reward == -1 and planes.shape == (2, 3, 3)
    # X, who moved first, has as many stones as O, who moved last.
    assert planes[0].sum() == planes[1].sum()
    won = planes[1]
    lines = [*won, *won.T, won.diagonal(), won[::-1].diagonal()]
    assert any(line.all() for line in lines)


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "othello-4x4", "hex-3x3"])
def test_pettingzoo_finds_its_environment_sound(game):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from playlab.pettingzoo import env

    api_test(env(game), num_cycles=100)
    seed_test(lambda: env(game), num_cycles=20)


def test_pettingzoo_without_wrappers_tells_of_a_move_that_is_not_legal():
    pytest.importorskip("pettingzoo")
    from playlab.pettingzoo import raw_env

    env = raw_env()
    env.reset()
    with pytest.raises(ValueError, match="move -1 is not legal, expected one of"):
        env.step(-1)
    assert str(env.position) == ".../.../..." and env.agent_selection == "player_1"


@pytest.mark.parametrize(("theirs", "ours"), [("tictactoe_v3", "tic-tac-toe"), ("connect_four_v3", "connect-four")])
def test_our_environments_are_pettingzoos_own(theirs, ours):
    """The same moves give the same observations, rewards and ends."""
    pytest.importorskip("pettingzoo")
    classic = pytest.importorskip("pettingzoo.classic", exc_type=ImportError)
    from playlab.pettingzoo import env

    try:
        theirs = getattr(classic, theirs).env()
    except ImportError as error:
        pytest.skip(f"PettingZoo's own environment cannot be made: {error}")
    ours = env(ours)
    random = np.random.default_rng(4)
    for _ in range(30):
        theirs.reset()
        ours.reset()
        while ours.agents:
            assert (theirs.agents, theirs.agent_selection) == (ours.agents, ours.agent_selection)
            observation, *rest = ours.last()
            over = rest[1]
            for agent in ours.agents:
                # Their mask is not empty once a game is won.
                for part in ("observation",) if over else ("observation", "action_mask"):
                    mine, other = ours.observe(agent)[part], theirs.observe(agent)[part]
                    assert mine.dtype == other.dtype and mine.shape == other.shape
                    assert (mine == other).all()
            _, *other_rest = theirs.last()
            assert rest[:3] == other_rest[:3]
            mask = observation["action_mask"]
            move = None if over else int(random.choice(np.flatnonzero(mask)))
            if random.random() < 0.02 and not over and not mask.all():
                # Not legal: both end the game.
                move = int(np.argmin(mask))
            ours.step(move)
            theirs.step(move)


def test_an_agent_of_pettingzoo_gets_its_exact_strength():
    game = playlab.Game("tic-tac-toe")
    values, numbers = game.policy("minimax"), {}
    for position in np.flatnonzero(game.live):
        numbers[np.moveaxis(game.planes[position], 0, -1).tobytes()] = position

    def perfect(observation):
        assert observation["observation"].shape == (3, 3, 2)
        return values[numbers[observation["observation"].tobytes()]]

    assert playlab.evaluate_pettingzoo(perfect) == playlab.evaluate(game, "minimax")

    def first(observation):
        return np.argmax(observation["action_mask"], axis=-1)

    one_by_one = playlab.evaluate_pettingzoo(first)
    assert one_by_one == playlab.evaluate_pettingzoo(first, batched=True)
    for sides in ("O", "both", ["x", "o"]):
        found = playlab.evaluate_pettingzoo(first, sides=sides)
        assert found == {side: one_by_one[side] for side in found} and list(found)[-1] == "o"
    array = np.eye(9)[game.legal.argmax(axis=1)]
    assert one_by_one == playlab.evaluate(game, array)


def test_an_answer_that_is_no_move_is_told():
    with pytest.raises(ValueError, match=r"position 1, X../.../...: the agent answered with move 0"):
        playlab.evaluate_pettingzoo(lambda _: 0, sides="o")
    with pytest.raises(ValueError, match="unknown side 'z', expected x or o"):
        playlab.evaluate_pettingzoo(lambda _: 0, sides=["x", "z"])
    with pytest.raises(ValueError, match="expected a move or 9 probabilities"):
        playlab.evaluate_pettingzoo(lambda _: 0.5)
    with pytest.raises(ValueError, match="the agent answered with move 9"):
        playlab.evaluate_pettingzoo(lambda _: 9)
