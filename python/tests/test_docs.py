"""The guide, the examples and the docstrings."""

import ast
import contextlib
import importlib.util
import inspect
import io
import os
import re
import subprocess
from pathlib import Path

import pytest

import playlab
from playlab import _core

PYTHON = Path(__file__).parents[1]
LAB = Path(os.environ.get("LAB", PYTHON.parent / "target/debug/lab")).resolve()
GUIDE = PYTHON.parent / "docs/python.md"
BLOCK = r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?"


def sections():
    """The sections of the guide that have code, by their headings: each block of code and what it prints."""
    found, heading, fenced = {}, "", False
    for line in GUIDE.read_text(encoding="utf-8").splitlines(keepends=True):
        fenced ^= line.startswith("```")
        # A line of code may begin like a heading.
        if not fenced and line.startswith("#"):
            heading = line.strip("# \n")
        found[heading] = found.get(heading, "") + line
    return {
        heading: re.findall(BLOCK, text, flags=re.S)
        for heading, text in found.items()
        if "```python" in text
    }


SECTIONS = sections()


def test_every_block_of_code_of_the_guide_is_run():
    blocks = sum(map(len, SECTIONS.values()))
    assert blocks == GUIDE.read_text(encoding="utf-8").count("```python") > 0


@pytest.mark.parametrize("section", SECTIONS)
def test_the_code_of_the_guide_prints_what_it_says(section, tmp_path, monkeypatch):
    """Sections stand alone. A block of text after a block of code is what the code prints."""
    root = PYTHON.parent
    for place in ("configs", "runs"):
        (tmp_path / place).symlink_to(root / place)
    monkeypatch.chdir(tmp_path)
    names = {}
    for code, expected in SECTIONS[section]:
        for module in re.findall(r"^(?:import|from) (\w+)", code, flags=re.M):
            pytest.importorskip(module)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        if expected:
            assert printed.getvalue() == expected


def example(name):
    spec = importlib.util.spec_from_file_location(name, PYTHON / f"examples/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_agent_of_numpy_becomes_unbeatable(capsys):
    example("train_and_judge").main()
    verdicts = re.findall(r"^([xo]): (\w+);", capsys.readouterr().out, flags=re.M)
    assert verdicts == [("x", "unbeatable"), ("o", "unbeatable")]


def test_the_policy_of_openspiel_has_the_value_that_openspiel_says(capsys):
    pytest.importorskip("pyspiel")
    example("openspiel_policy").main()
    ours, theirs = re.search(r"value (\S+), by OpenSpiel (\S+)", capsys.readouterr().out).groups()
    assert float(ours) == pytest.approx(float(theirs), abs=1e-9)


def test_shards_of_ray_are_the_run_of_one_process(tmp_path, monkeypatch):
    pytest.importorskip("ray")
    (tmp_path / "configs").symlink_to(PYTHON.parent / "configs")
    monkeypatch.chdir(tmp_path)
    training = ["configs/qtable_o.toml", "--seeds", "6", "--set", "epochs=3"]
    subprocess.run([LAB, "train", *training, "--out", "one"], check=True, capture_output=True)
    shards = ["--shards", "4", "--out", "runs/ray", "--lab", LAB]
    monkeypatch.setattr("sys.argv", ["ray_shards.py", *training, *map(str, shards)])
    assert example("ray_shards").main() == 0
    files = [path.relative_to("one") for path in Path("one").rglob("*") if path.is_file()]
    assert len(files) > 6
    for file in files:
        # It says when the run was made, and by what command.
        if file.name != "manifest.json":
            assert ("one" / file).read_bytes() == ("runs/ray" / file).read_bytes(), file


def documented():
    """What the stub describes: names and their docstrings."""
    stub = ast.parse((PYTHON / "playlab/_core.pyi").read_text(encoding="utf-8"))
    for node in stub.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        members = node.body if isinstance(node, ast.ClassDef) else []
        yield node.name, ast.get_docstring(node)
        for member in members:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                yield f"{node.name}.{member.name}", ast.get_docstring(member)


@pytest.mark.parametrize(("name", "text"), list(documented()))
def test_help_says_what_the_stub_says(name, text):
    if text is None:
        # It is wrapped by a documented function of the package.
        assert not inspect.isclass(getattr(_core, name)) and name not in playlab.Game.__dict__
        return
    found = _core
    for part in name.split("."):
        found = getattr(found, part)
    assert inspect.getdoc(found) == text
