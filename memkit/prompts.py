"""Finding, composing and hashing the prompt files.

A prompt is a markdown file under `prompts/`, named by its path without `.md` (`roles/search`).
It may include another with `{{> blocks/citations}}` on a line of its own and take values with
`{{name}}`; there is no other logic. YAML front matter holds parameter descriptions of tools.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from attrs import frozen

from memkit.errors import PromptError

INCLUDE = re.compile(r"^\{\{> ([a-z0-9_/+-]+)\}\}$", re.MULTILINE)
VALUE = re.compile(r"\{\{([a-z_]+)\}\}")
STRAY = re.compile(r"\{\{.*")
NAME = re.compile(r"[a-z0-9_+-]+(/[a-z0-9_+-]+)*")


@frozen
class Prompt:
    """A composed prompt; its `digest` goes into keys and results."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hex."""
        return sha256(self.text.encode()).hexdigest()


def compose(name: str, /, **values: str) -> Prompt:
    """The prompt of that name with its blocks included and its values filled in.

    Raises PromptError when a file is missing, blocks form a circle, braces are neither a block nor a
    value, or the values given are not exactly those the text asks for. A value is inserted as it is
    and never expanded again.
    """
    text = _expand(name, ())
    if stray := STRAY.search(VALUE.sub("", text)):
        raise PromptError(f"prompt {name!r}: {stray[0]!r} is neither a value nor a block on a line of its own")
    wanted = set(VALUE.findall(text))
    if wanted != values.keys():
        lacks, extra = sorted(wanted - values.keys()), sorted(values.keys() - wanted)
        raise PromptError(f"prompt {name!r} takes {sorted(wanted)}: missing {lacks}, not asked for {extra}")
    return Prompt(name, VALUE.sub(lambda match: values[match[1]], text))


@cache
def tool_texts(name: str) -> tuple[str, dict[str, str]]:
    """Description and parameter descriptions of the tool prompt `tools/<name>`."""
    front, body = _split(_read(f"tools/{name}"))
    parameters = front.get("parameters", {}) if isinstance(front, dict) else None
    if not isinstance(parameters, dict):
        raise PromptError(f"prompt 'tools/{name}': parameters must map each parameter to its description")
    return body.strip(), {str(key): str(value).strip() for key, value in parameters.items()}


def _expand(name: str, within: tuple[str, ...]) -> str:
    if name in within:
        raise PromptError(f"prompt {name!r} includes itself: {' > '.join((*within, name))}")
    _, body = _split(_read(name))
    return INCLUDE.sub(lambda match: _expand(match[1], (*within, name)), body.strip())


def _split(text: str) -> tuple[Any, str]:
    if not text.startswith("---\n"):
        return {}, text
    import yaml

    head, _, body = text[4:].partition("\n---\n")
    try:
        return yaml.safe_load(head) or {}, body
    except yaml.YAMLError as error:
        raise PromptError(f"front matter that is not YAML: {error}") from error


@cache
def _read(name: str) -> str:
    root = _root()
    file = root.joinpath(*f"{name}.md".split("/"))
    if NAME.fullmatch(name) and file.is_file():
        return file.read_text(encoding="utf-8")
    raise PromptError(f"there is no prompt {name!r} in {root}")


def _root() -> Traversable:
    """The folder in the wheel, or the one of the checkout: a wheel never looks beside itself."""
    packed = files("memkit") / "_prompts"
    return packed if packed.is_dir() else Path(__file__).resolve().parent.parent / "prompts"
