"""What the pages say is run: code, commands, links, hook signatures.

Fenced blocks of a page run in order, in one empty folder: `python` blocks share their names, the `$ memkit` lines of
`console` blocks must succeed, a block marked `file=NAME` is written to that file, one marked `no-run` is left alone.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from memkit import hookspecs

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")])
HOOKS = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("memkit_")}
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
DRIVER = """
import json, subprocess, sys
names = {"__name__": "__page__"}
for where, kind, content in json.load(sys.stdin):
    if kind == "command":
        done = subprocess.run(content, capture_output=True, text=True)
        assert done.returncode == 0, f"{where}: {content} failed: {done.stdout}{done.stderr}"
    elif kind == "python":
        exec(compile(content, where, "exec"), names)
    else:
        open(kind, "w", encoding="utf-8").write(content)
"""


def name_of(page: Path) -> str:
    """The page as messages call it."""
    return str(page.relative_to(ROOT))


def fences(page: Path) -> Iterator[tuple[Token, list[str]]]:
    """The fenced blocks of a page with the words that mark them."""
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "fence":
            yield token, token.info.split()


def steps(page: Path) -> list[tuple[str, str, str | list[str]]]:
    """What the page has run: (place, kind, content), where kind is `python`, `command` or a file name."""
    found: list[tuple[str, str, str | list[str]]] = []
    for token, marks in fences(page):
        where = f"{name_of(page)}:{(token.map or [0])[0] + 1}"
        files = [mark.removeprefix("file=") for mark in marks if mark.startswith("file=")]
        if "no-run" in marks:
            continue
        if files:
            found.append((where, files[0], token.content))
        elif marks[:1] == ["python"]:
            found.append((where, "python", token.content))
        elif marks[:1] == ["console"]:
            lines = [line for line in token.content.splitlines() if line.startswith("$ memkit ")]
            found += [(where, "command", [str(memkit()), *shlex.split(line)[2:]]) for line in lines]
    return found


def memkit() -> Path:
    """The command of the environment that runs the tests."""
    return Path(sys.executable).with_name("memkit")


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=name_of)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    """Every block of code and every memkit command on the page works."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        cwd=tmp_path,
        input=json.dumps(steps(page)),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_marks_are_known(page: Path) -> None:
    """No block is left out by a misspelt mark."""
    languages = {"", "console", "json", "markdown", "python", "text", "toml", "yaml"}
    unknown = [
        mark
        for _, marks in fences(page)
        for number, mark in enumerate(marks)
        if not (mark in languages if number == 0 else mark == "no-run" or mark.startswith("file="))
    ]

    assert [] == unknown


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_names_the_wrong_distribution(page: Path) -> None:
    """`memkit` on the package index is somebody else's; ours is agent-memkit."""
    assert None is re.search(r"pip3? install (-\S+ )*memkit\b", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links(page: Path) -> None:
    """Links between pages lead somewhere."""
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if ":" not in target]

    assert [] == [target for target in targets if not (page.parent / target).exists()]


@pytest.mark.parametrize("page", [page for page in PAGES if page.is_relative_to(ROOT / "docs")], ids=name_of)
def test_index_lists_every_page(page: Path) -> None:
    """Every page can be found from docs/index.md."""
    index = ROOT / "docs" / "index.md"
    listed = {(index.parent / target).resolve() for target in LINK.findall(index.read_text(encoding="utf-8"))}

    assert page in listed | {index}


def test_readme_begins_with_the_two_commands() -> None:
    """A reader sees first how to see it work."""
    first, _ = next(fences(ROOT / "README.md"))

    assert ["$ make demo", "$ make test"] == [line for line in first.content.splitlines() if line.startswith("$ make")]


@pytest.mark.parametrize("name", HOOKS)
def test_hook_is_documented(name: str) -> None:
    """Each hook has a heading with its exact signature."""
    signature = str(inspect.signature(HOOKS[name])).replace("'", "")
    page = (ROOT / "docs" / "reference" / "hooks.md").read_text(encoding="utf-8")

    assert f"\n## `{name}{signature}`\n" in page


@pytest.mark.parametrize("name", HOOKS)
def test_hook_has_a_test(name: str) -> None:
    """Each hook has a test named after it."""
    assert f"\ndef test_{name}() -> None:\n" in (ROOT / "tests" / "test_hookspecs.py").read_text(encoding="utf-8")
