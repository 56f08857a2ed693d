"""The guide, the examples and the docstrings."""

import ast
import contextlib
import importlib.util
import inspect
import io
import re
from pathlib import Path

import pytest

import playlab
from playlab import _core

PYTHON = Path(__file__).parents[1]
GUIDE = PYTHON.parent / "docs/python.md"
#: The sections of the guide that have code.
SECTIONS = {
    section.split("\n", 1)[0]: section
    for section in re.split(r"^#+ ", GUIDE.read_text(encoding="utf-8"), flags=re.M)
    if "```python" in section
}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_code_of_the_guide_prints_what_it_says(section, tmp_path, monkeypatch):
    """Sections stand alone. A block of text after a block of code is what the code prints."""
    root = PYTHON.parent
    for place in ("configs", "runs"):
        (tmp_path / place).symlink_to(root / place)
    monkeypatch.chdir(tmp_path)
    names = {}
    pattern = r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?"
    for code, expected in re.findall(pattern, SECTIONS[section], flags=re.S):
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


def documented():
    """What the stub describes: names, and the docstrings there."""
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
        # Behind a documented function of the package.
        assert not inspect.isclass(getattr(_core, name)) and name not in playlab.Game.__dict__
        return
    found = _core
    for part in name.split("."):
        found = getattr(found, part)
    assert inspect.getdoc(found) == text
