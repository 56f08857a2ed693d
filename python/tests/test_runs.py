"""Runs and their checkpoints."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import playlab

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "o"
    return playlab.train(ROOT / "configs/qtable_o.toml", out, ["epochs=20", "seeds=2"], threads=2)


def test_a_run_trained_from_python_has_the_bytes_of_the_reference(run, tmp_path):
    """The rows of the reference's first two seeds, up to the epoch to which this run was trained."""
    reference = playlab.Run(ROOT / "runs/reference/qtable_o").metrics()
    metrics = run.metrics()
    rows = (reference["seed"] <= 2) & (reference["epoch"] <= 20)
    assert list(metrics) == list(reference) and rows.sum() == len(metrics["seed"]) > 100
    for name, column in metrics.items():
        expected = reference[name][rows]
        if column.dtype.kind == "f":
            np.testing.assert_array_equal(column, expected.astype(float))
        else:
            assert (column == expected).all(), name


def test_a_run_tells_of_itself(run):
    assert run.config["game"] == "tic-tac-toe" and run.seeds == [1, 2] and run.finished
    training = run.training()
    assert training["epoch"].dtype == np.int64 and training["side"].dtype.kind == "U"
    assert training["epsilon"].dtype == np.float64
    assert run.epochs()[-1] == run.epochs(2)[-1] == 20
    assert run.checkpoint().epoch in run.epochs()


def test_a_checkpoint_plays_as_well_as_the_run_says(run):
    metrics = run.metrics()
    for seed in run.seeds:
        last = run.checkpoint("last", seed)
        assert (last.seed, last.epoch, last.game.name) == (seed, 20, "tic-tac-toe")
        exact = (metrics["seed"] == seed) & (metrics["epoch"] == 20) & (metrics["method"] == "exact")
        rates = exact & (metrics["opponent"] == "random")
        (row,) = np.flatnonzero(rates)
        found = playlab.evaluate("tic-tac-toe", last.policy(), "o")["o"].against["random"]
        assert found.win == pytest.approx(metrics["win_rate"][row], abs=1e-12)
        assert found == playlab.evaluate("tic-tac-toe", last.agent, "o")["o"].against["random"]


def test_who_plays_a_side_that_was_not_learned_is_told(run):
    agent, game = run.checkpoint().agent, playlab.Game("tic-tac-toe")
    player = playlab.Player(game, agent)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        playlab.VectorEnv(game, 2, agent, "x")
        player.choose(game.start().play(4))
        playlab.evaluate(game, agent)
        run.checkpoint().policy()
    for ask in (
        lambda: playlab.VectorEnv(game, 2, agent, "both"),
        lambda: player.choose(game.start()),
    ):
        with pytest.warns(UserWarning, match="did not learn to play X"):
            ask()


def test_a_file_of_a_checkpoint_is_that_one(run):
    path = run.checkpoint("last", 2).path
    assert playlab.Checkpoint(path).seed == 2
    for choice in ({"which": 20}, {"seed": 1}):
        with pytest.raises(ValueError, match="is a checkpoint itself; to choose one, name its run"):
            playlab.Checkpoint(path, **choice)


def test_a_checkpoint_has_arrays(run):
    arrays = run.checkpoint().arrays()
    assert len(arrays["keys"]) == len(arrays["values"]) == len(arrays["visits"]) > 0
    game = playlab.Game("tic-tac-toe")
    assert np.isin(arrays["keys"], game.keys).all()


def test_what_is_no_run_is_told(tmp_path, run):
    with pytest.raises(ValueError, match="there is no run"):
        playlab.Run(tmp_path / "none")
    with pytest.raises(ValueError, match="there is no config.toml in it"):
        playlab.Run(tmp_path)
    with pytest.raises(ValueError, match="has no checkpoint of epoch 999"):
        run.checkpoint(999)
    with pytest.raises(ValueError, match="has no seed 3"):
        run.checkpoint(seed=3)
    with pytest.raises(ValueError, match="the seed is -1, expected a whole number from 0"):
        run.checkpoint(seed=-1)
    with pytest.raises(ValueError, match="the seed is -1, expected a whole number from 0"):
        run.epochs(-1)
    with pytest.raises(ValueError, match="has no seed 3, expected 1 to 2"):
        run.epochs(3)
    with pytest.raises(ValueError, match="'worst' is .*checkpoint"):
        run.checkpoint("worst")
    with pytest.raises(ValueError, match="epochs"):
        playlab.train(ROOT / "configs/qtable_o.toml", tmp_path / "r", ["epochs=-1"])
    with pytest.raises(ValueError, match="--set lambda=3"):
        playlab.train(ROOT / "configs/qtable_o.toml", tmp_path / "r", "lambda=3")
    for threads in (0, -1):
        with pytest.raises(ValueError, match=f"there are {threads} threads, expected 1 to"):
            playlab.train(ROOT / "configs/qtable_o.toml", tmp_path / "r", threads=threads)
    assert not (tmp_path / "r").exists()


def test_columns_have_the_type_of_their_cells(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('whole,some,word,none\n1,0.5,"a,b",\n2,,c,\n3,4')
    table = playlab.read_csv(path)
    assert table["whole"].tolist() == [1, 2] and table["whole"].dtype == np.int64
    np.testing.assert_array_equal(table["some"], [0.5, np.nan])
    assert table["word"].tolist() == ["a,b", "c"]
    assert np.isnan(table["none"]).all()
    # Not everything that ends a line of text ends a row.
    path.write_text('word\n"a\u2028b"\n"c\nd"\n', encoding="utf-8")
    assert playlab.read_csv(path)["word"].tolist() == ["a\u2028b", "c\nd"]
    path.write_text("a,b\n")
    assert [len(column) for column in playlab.read_csv(path).values()] == [0, 0]
    path.write_text("")
    assert playlab.read_csv(path) == {}
    for rows, line in (("1,2\n3\n", 3), ("1,2\n\n3,4\n", 3), ("1,2,3\n", 2)):
        path.write_text("a,b\n" + rows)
        with pytest.raises(ValueError, match=rf"table.csv, line {line}: \d cells, expected 2"):
            playlab.read_csv(path)


def test_a_run_is_extended_to_the_bytes_of_one_that_was_asked_for_at_once(run, tmp_path):
    changes = {"epochs": 5, "seeds": 2, "opponents": ["random"], "learner.q-learning.exploration": {"softmax": 0.5}}
    config = ROOT / "configs/qtable_x.toml"
    short = playlab.train(config, tmp_path / "short", changes)
    assert short.config["learner"]["q-learning"]["exploration"] == {"softmax": {"temperature": {"constant": 0.5}}}
    longer = playlab.resume(tmp_path / "short", {"epochs": 7}, threads=2)
    at_once = playlab.train(config, tmp_path / "at_once", {**changes, "epochs": np.int64(7)})
    assert longer.epochs()[-1] == 7
    for name in ("metrics.csv", "training.csv", "config.toml"):
        assert (longer.path / name).read_bytes() == (at_once.path / name).read_bytes()
    with pytest.raises(ValueError, match="seed"):
        playlab.resume(longer, {"seeds": [5]})
    from playlab._runs import _toml

    assert _toml({"😀": [float("inf"), True]}) == '{ "😀" = [inf, true] }'
    with pytest.raises(TypeError):
        _toml(b"x")
    listed = playlab.train(config, tmp_path / "listed", {"seeds": np.array([1, 5]), "epochs": 1})
    assert listed.seeds == [1, 5]
    with pytest.raises(ValueError, match="has no seed 3, expected 1, 5"):
        listed.epochs(3)
    with pytest.raises(ValueError, match="unknown agent '😀"):
        playlab.train(config, tmp_path / "other", {"opponents": ["😀"], "seeds": range(1, 3)})
    with pytest.raises(ValueError, match="there is no run"):
        playlab.resume(tmp_path / "none")
