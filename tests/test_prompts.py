"""Prompts compose from files, and every file is used and listed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from memkit import Prompt, PromptError, compose, prompts
from memkit.prompts import tool_texts

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(str(file.relative_to(ROOT / "prompts").with_suffix("")) for file in ROOT.glob("prompts/*/*.md"))
Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a prompt file into an empty prompt folder that takes the place of ours."""
    monkeypatch.setattr(prompts, "_root", lambda: tmp_path)
    caches = (prompts._read, prompts.tool_texts)

    def write(name: str, text: str) -> None:
        file = tmp_path / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    for cached in caches:
        cached.cache_clear()
    yield write
    for cached in caches:
        cached.cache_clear()


def test_compose(write: Write) -> None:
    """Blocks are included, blocks of blocks too, and values take their places."""
    write("roles/a", "Hello {{name}}.\n\n{{> blocks/b}}\n\nBye {{name}}.\n")
    write("blocks/b", "---\nnote: x\n---\nBlock {{what}}\n{{> blocks/c}}\n")
    write("blocks/c", "deep\n")

    prompt = compose("roles/a", name="Ann", what="{{name}}")

    text = "Hello Ann.\n\nBlock {{name}}\ndeep\n\nBye Ann."
    assert Prompt("roles/a", text) == prompt
    assert sha256(text.encode()).hexdigest() == prompt.digest


FAULTS = {
    "missing file": ({}, "there is no prompt 'roles/a' in "),
    "missing block": ({"roles/a": "{{> blocks/b}}"}, "there is no prompt 'blocks/b' in "),
    "circle": (
        {"roles/a": "{{> blocks/b}}", "blocks/b": "x\n{{> roles/a}}"},
        "prompt 'roles/a' includes itself: roles/a > blocks/b > roles/a",
    ),
    "value not given": (
        {"roles/a": "{{x}}{{y}}"},
        "prompt 'roles/a' takes ['x', 'y']: missing ['y'], not asked for []",
    ),
    "value not asked for": ({"roles/a": "x"}, "prompt 'roles/a' takes []: missing [], not asked for ['x']"),
    "block inside a line": (
        {"roles/a": "see {{> blocks/b}}"},
        "prompt 'roles/a': '{{> blocks/b}}' is neither a value nor a block on a line of its own",
    ),
    "misspelt value": (
        {"roles/a": "{{x}} {{ y }}"},
        "prompt 'roles/a': '{{ y }}' is neither a value nor a block on a line of its own",
    ),
    "front matter": ({"roles/a": "---\n: [\n---\n"}, "front matter that is not YAML: "),
}


@pytest.mark.parametrize(("texts", "message"), FAULTS.values(), ids=FAULTS)
def test_fault(write: Write, texts: dict[str, str], message: str) -> None:
    """A prompt that does not fit together says where."""
    for name, text in texts.items():
        write(name, text)

    with pytest.raises(PromptError) as error:
        compose("roles/a", x="1")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("name", ["../pyproject", "/etc/passwd", "", "roles/../roles/search", "ROLES/search", "README"])
def test_name_stays_inside(name: str) -> None:
    """A name is a path below the folder, whatever it is made of."""
    with pytest.raises(PromptError, match="there is no prompt"):
        compose(name)


def test_tool_texts(write: Write) -> None:
    """A tool prompt gives the description and those of the parameters."""
    write("tools/t", "---\nparameters:\n  path: Where to look.\n  n: 3\n---\n\nLooks.\n")

    assert ("Looks.", {"path": "Where to look.", "n": "3"}) == tool_texts("t")


@pytest.mark.parametrize("front", ["parameters: [a]", "[a]"])
def test_tool_texts_fault(write: Write, front: str) -> None:
    """Front matter of another shape is an error."""
    write("tools/t", f"---\n{front}\n---\nLooks.\n")

    with pytest.raises(PromptError, match="prompt 'tools/t': parameters must map each parameter to its description"):
        tool_texts("t")


@pytest.mark.parametrize("name", FILES)
def test_ours_compose(name: str) -> None:
    """Every prompt we ship composes when it is given the values that it asks for."""
    wanted = set(prompts.VALUE.findall(prompts._expand(name, ())))

    prompt = compose(name, **dict.fromkeys(wanted, "value"))

    assert prompt.text != ""
    assert prompt.text.strip() == prompt.text


def test_ours_are_used() -> None:
    """Every block is included by a prompt, and every other file is named in the code."""
    included = set().union(*(prompts.INCLUDE.findall((ROOT / "prompts" / f"{name}.md").read_text()) for name in FILES))
    code = "\n".join(
        file.read_text() for folder in ("memkit", "plugins") for file in sorted((ROOT / folder).rglob("*.py"))
    )

    unused = [name for name in FILES if name not in included and not re.search(rf"\b{re.escape(short(name))}\b", code)]

    assert [] == unused


def short(name: str) -> str:
    """What code calls a prompt: tools by their own names, others by their whole names."""
    return name.removeprefix("tools/")


def test_ours_are_listed() -> None:
    """prompts/README.md says where each prompt is used."""
    readme = (ROOT / "prompts" / "README.md").read_text()

    assert [] == [name for name in FILES if name not in readme and f"{name.partition('/')[0]}/*" not in readme]
