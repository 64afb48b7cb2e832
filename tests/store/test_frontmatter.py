"""Frontmatter is read as strings, whatever it looks like, and written so that it comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from memkit.errors import BadFrontmatter
from memkit.store import frontmatter
from memkit.store.frontmatter import MAX_BYTES, Frontmatter, describe, end_line, parse, render
from memkit.store.lines import BOM, split_lines

HOSTILE = {
    "unclosed": "---\nname: a\n",
    "tab": "---\n\tname: a\n---\n",
    "list": "---\n- a\n---\n",
    "text": "---\nhello\n---\n",
    "anchor": "---\nname: &a b\n---\n",
    "alias": "---\nname: *a\n---\n",
    "tag": "---\nname: !!python/object/apply:os.system [ls]\n---\n",
    "local tag": "---\nname: !x y\n---\n",
    "plain tag": "---\nname: ! y\n---\n",
    "twice": "---\nname: a\nname: b\n---\n",
    "twice below": "---\nmetadata:\n  a: 1\n  a: 2\n---\n",
    "name is a list": "---\nname: [a]\n---\n",
    "description is a map": "---\ndescription: {a: b}\n---\n",
    "metadata is a list": "---\nmetadata: [a]\n---\n",
    "map as key": "---\n? {a: b}\n: c\n---\n",
    "deep": "---\na: " + "[" * 5000 + "\n---\n",
    "nine levels": "---\na: " + "[" * 8 + "]" * 8 + "\n---\n",
    "wide": "---\ndescription: " + "é" * (MAX_BYTES // 2) + "\n---\n",
    "long": "---\ndescription: " + "a" * MAX_BYTES + "\n---\n",
    "two documents": "---\nname: a\n...\nb: c\n---\n",
    "directive": "---\n%YAML 1.1\nname: a\n---\n",
    "control": "---\nname: a\x07b\n---\n",
    "no such character": '---\nname: "\\UFFFFFFFF"\n---\n',
    "half a pair": '---\nname: "\\ud83d"\n---\n',
    "open quote": '---\nname: "a\n---\n',
}
any_text = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]), st.sampled_from("-:#'\"\n\r\t \u0085\u2028\ufeff\x00\x7f{[&*!|>%@`")
    )
)


@pytest.fixture(autouse=True, scope="module", params=[yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
def _loader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both readers of PyYAML: the one in Python, and the one in C where it is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontmatter, "_LOADER", request.param)
        yield


def test_parse() -> None:
    """Name, description and metadata are found, with the line the frontmatter ends in."""
    metadata = "metadata:\n  since: 2024-01-01\n  tags: [a, {b: c}]\n"
    text = f"---\nname: ana\ndescription: >\n  Ana's\n  plans\n{metadata}---\nbody\n"

    assert Frontmatter("ana", "Ana's plans", {"since": "2024-01-01", "tags": '["a",{"b":"c"}]'}, 9) == parse(text)


@pytest.mark.parametrize("text", ["", "body\n", "\n---\nname: a\n---\n", "----\n", "--- a\n---\n", " ---\n---\n"])
def test_no_frontmatter(text: str) -> None:
    """A file whose first line is no fence has none."""
    assert None is parse(text)
    assert end_line(text) == 0


@pytest.mark.parametrize("text", ["---\n---\n", "---\n\n---", "---  \r\n# note\r\n---\t\r\n", BOM + "---\n---"])
def test_empty_frontmatter(text: str) -> None:
    """Fences may have blanks after them, CRLF, and a byte order mark before; nothing between them says nothing."""
    found = parse(text)

    assert found is not None
    assert (found.name, found.description, found.metadata) == ("", "", {})
    assert len(split_lines(text)) == found.end_line == end_line(text)


@pytest.mark.parametrize(
    "value", ["yes", "no", "null", "~", "012", "22:22", "2024-01-01", "1e3", "0x10", ".inf", "<<", "="]
)
def test_scalars_are_strings(value: str) -> None:
    """Nothing turns into a boolean, number, date or null, and what is written reads as a string elsewhere too."""
    found = parse(f"---\nname: {value}\n---\n")

    assert found is not None
    assert value == found.name
    assert value == yaml.safe_load(render(value, "").split("---\n")[1])["name"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile(text: str) -> None:
    """Frontmatter outside the rules is an error in one line that prints, and describes as nothing."""
    with pytest.raises(BadFrontmatter) as caught:
        parse(text)

    assert str(caught.value).isprintable()
    assert describe(text) == ""


def test_alias_bomb_costs_nothing() -> None:
    """Aliases are refused while reading, before anything could grow."""
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))
    with pytest.raises(BadFrontmatter):
        parse(f"---\na0: &a0 x\n{bomb}\n---\n")


@given(any_text, any_text, st.dictionaries(any_text.filter(lambda key: len(key) < 100), any_text, max_size=3))
@example("x\n---\nname: evil", "a: b # c", {"---": "---", "": ""})
@example("\u0085\u2028", "\ufeff\ufffe\x00", {"\n": "\r\n"})
def test_round_trip(name: str, description: str, metadata: dict[str, str]) -> None:
    """Any strings come back: name and description with white space collapsed, metadata exactly."""
    text = render(name, description, metadata)
    found = parse(text + "# Body\n")

    assert Frontmatter(" ".join(name.split()), " ".join(description.split()), metadata, len(split_lines(text))) == found
    assert found.description == describe(text)
    assert yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n")) == {
        key: value
        for key, value in (("name", found.name), ("description", found.description), ("metadata", metadata))
        if value
    } or not (found.name or found.description or metadata)


@given(any_text)
def test_describe_never_raises(text: str) -> None:
    """Whatever is between the fences, a file has some description."""
    assert isinstance(describe(f"---\n{text}\n---\n"), str)
    assert isinstance(describe(text), str)


@given(
    st.lists(st.sampled_from(["---", "--- ", "----", "\n", "\r\n", "description: x", "name: y", BOM, "a"])).map("".join)
)
def test_describe_reads_what_parse_reads(text: str) -> None:
    """The description is that of the frontmatter, wherever fences or what looks like one stand."""
    try:
        found = parse(text)
    except BadFrontmatter:
        found = None

    assert (found.description if found else "") == describe(text)


@pytest.mark.parametrize(("name", "key"), [("\ud800", "a"), ("a", "\udfff"), ("a", "k" * 2000), ("a" * MAX_BYTES, "a")])
def test_render_refuses(name: str, key: str) -> None:
    """What no reader could get back is refused, not written."""
    with pytest.raises(BadFrontmatter):
        render(name, "", {key: "value"})


def test_render_is_plain_where_it_can_be() -> None:
    """Common descriptions stay readable; doubtful ones are quoted as JSON."""
    assert render("ana", "Ana's plans, 2024 (draft)") == "---\nname: ana\ndescription: Ana's plans, 2024 (draft)\n---\n"
    assert f"---\nname: {json.dumps('a: b')}\n---\n" == render("a: b", "")


def test_fence_is_sought_within_the_cap() -> None:
    """A file that opens like frontmatter and never closes it is not searched to its end."""
    text = "---\n" + "a\n" * MAX_BYTES + "---\n"
    with pytest.raises(BadFrontmatter):
        parse(text)

    assert end_line(text) == 0
