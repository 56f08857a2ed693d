"""Event files of the program `lab`, read by TensorBoard itself."""

import csv
import os
import signal
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest
from tensorboard.backend.event_processing.data_provider import MultiplexerDataProvider
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
from tensorboard.context import RequestContext
from tensorboard.plugins.base_plugin import TBContext
from tensorboard.plugins.hparams import api_pb2, list_session_groups, metadata
from tensorboard.plugins.hparams.backend_context import Context

ROOT = Path(__file__).parents[2]
LAB = Path(os.environ.get("LAB", ROOT / "target/debug/lab")).resolve()
CONFIG = ROOT / "configs/qtable_o.toml"
SHORT = ["--set", "episodes_per_epoch=50", "--set", "evaluation.games=40"]

pytestmark = pytest.mark.skipif(not LAB.exists(), reason=f"there is no program {LAB}")


def lab(*arguments):
    done = subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def train(out, *arguments):
    lab("train", CONFIG, "--out", out, *SHORT, *arguments)


def read(directory):
    events = EventAccumulator(str(directory))
    events.Reload()
    return events


def curve(events, tag):
    return {event.step: event.value for event in events.Scalars(tag)}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "o"
    log = "log={tensorboard=true,each_seed=true}"
    train(out, "--set", log, "--set", "epochs=6", "--seeds", 3)
    return out


def test_scalars_are_the_rows_of_the_run(run):
    rates = defaultdict(dict)
    with open(run / "metrics.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sampled = ", sampled" if row["method"] == "sampled" else ""
            for rate in ("win", "draw", "loss"):
                tag = f"O v {row['opponent']}{sampled}/{rate} rate"
                of_seeds = rates[tag, int(row["episodes"])]
                of_seeds[int(row["seed"])] = float(row[f"{rate}_rate"])
    assert len(rates) == (2 * 2 + 2) * 3 * 7
    names = ["mean", "lowest", "highest", *(f"seed-{seed:04}" for seed in (1, 2, 3))]
    told = {name: read(run / "tensorboard" / name) for name in names}
    for (tag, step), of_seeds in rates.items():
        values = of_seeds.values()
        expected = [mean(values), min(values), max(values), *(of_seeds[seed] for seed in (1, 2, 3))]
        for name, value in zip(names, expected, strict=True):
            found = curve(told[name], tag)
            assert sorted(found) == [0, 50, 100, 150, 200, 250, 300]
            assert found[step] == pytest.approx(value, abs=1e-6), (name, tag, step)


def test_curves_grow_while_a_reader_has_them_open(tmp_path):
    train(tmp_path / "o", "--set", "log.tensorboard=true", "--set", "epochs=2", "--seeds", 2)
    events = read(tmp_path / "o/tensorboard/mean")
    tag = "O/optimal-move rate"
    before = curve(events, tag)
    assert sorted(before) == [0, 50, 100]
    lab("train", "--resume", tmp_path / "o", "--set", "epochs=5")
    events.Reload()
    after = curve(events, tag)
    assert len(events.Scalars(tag)) == 6 and sorted(after) == [0, 50, 100, 150, 200, 250]
    assert after.items() >= before.items()


def test_curves_are_read_while_a_training_writes_them(tmp_path):
    out = tmp_path / "o"
    # TensorBoard keeps 10,000 points of a curve.
    endless = ["--set", "epochs=1000000", "--set", "episodes_per_epoch=5000", "--seeds", "2"]
    command = [LAB, "train", CONFIG, "--out", out, "--set", "log.tensorboard=true", *endless]
    training = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        patience = time.monotonic() + 60
        while not list(out.glob("tensorboard/mean/*")):
            assert training.poll() is None and time.monotonic() < patience
            time.sleep(0.01)
        events = EventAccumulator(str(out / "tensorboard/mean"))
        tag = "O/optimal-move rate"
        lengths = {0}
        while len(lengths) < 3:
            assert training.poll() is None and time.monotonic() < patience
            events.Reload()
            if tag in events.Tags()["scalars"]:
                lengths.add(len(events.Scalars(tag)))
            time.sleep(0.01)
    finally:
        training.send_signal(signal.SIGINT)
        training.wait(timeout=60)
    assert training.returncode == 130
    events.Reload()
    assert curve(events, tag) == curve(read(out / "tensorboard/mean"), tag)
    steps = sorted(curve(events, tag))
    assert steps == [5000 * epoch for epoch in range(len(steps))]


def test_the_config_is_told_as_hyperparameters(run):
    contents = read(run / "tensorboard/mean").PluginTagToContent("hparams")
    assert list(contents) == [metadata.SESSION_START_INFO_TAG]
    content = contents[metadata.SESSION_START_INFO_TAG]
    told = metadata.parse_session_start_info_plugin_data(content).hparams
    assert told["game"].string_value == "tic-tac-toe"
    assert told["learner.q-learning.fold_symmetries"].bool_value is True
    assert told["learner.q-learning.rewards.loss"].number_value == -5
    assert told["opponents.0.weight"].number_value == 9


def test_a_sweep_has_rows_with_results(tmp_path):
    """What the HPARAMS tab asks for and shows."""
    tree = ROOT / "configs/mcts_exploration.toml"
    lab("train", tree, "--out", tmp_path / "sweep", "--set", "epochs=2", "--seeds", 2)
    lab("export", tmp_path / "sweep", "--tensorboard", tmp_path / "events")
    runs = EventMultiplexer().AddRunsFromDirectory(str(tmp_path / "events"))
    runs.Reload()
    provider = MultiplexerDataProvider(runs, str(tmp_path / "events"))
    context = Context(TBContext(data_provider=provider))
    statuses = [api_pb2.STATUS_UNKNOWN]
    tag = "X v random/win rate"
    name = api_pb2.MetricName(tag=tag)
    request = api_pb2.ListSessionGroupsRequest(
        allowed_statuses=statuses,
        col_params=[
            api_pb2.ColParams(hparam="learner.mcts.c", order=api_pb2.ORDER_ASC),
            api_pb2.ColParams(metric=name),
        ],
        slice_size=100,
    )
    handler = list_session_groups.Handler(RequestContext(), context, "", request)
    groups = handler.run().session_groups
    values = [group.hparams["learner.mcts.c"].number_value for group in groups]
    assert values == [0, 0.2, 0.5, 1, 1.4, 2, 4]
    for group, value in zip(groups, values, strict=True):
        (result,) = [metric for metric in group.metric_values if metric.name == name]
        rows = curve(read(tmp_path / f"events/c-{value:g}/mean"), tag)
        assert result.training_step == 500 and result.value == rows[500]
