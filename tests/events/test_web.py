"""Web pages: elements by role and name, changes of page dated by the observation that shows them."""

from __future__ import annotations

from memkit.events.reading import Reading
from memkit.events.web import Page, read_action


def _read(page: Page, action: str, observation: str) -> Reading:
    call = read_action(action)
    assert call is not None
    return page.read(call, action, observation)


def _shown(title: str) -> str:
    return f"Tab 0 (current): {title}\n\n[1] RootWebArea '{title}' focused: True\n\t[62] link 'Skip'"


def test_arguments() -> None:
    """Element, text and value are told apart, and an element without a name is named by its number."""
    typed = read_action("type [7] [two words] where [7] is textbox 'Name'")
    bare = read_action("click [7]")
    assert typed is not None
    assert bare is not None
    assert ({"element": "7", "text": "two words"}, ("[7]",)) == (dict(typed.arguments), bare.targets)
    assert read_action("clicking around") is None


def test_page_changes() -> None:
    """A title is a change once, in the step that first shows it, and says nothing of the outcome."""
    page = Page()
    titles = ["Home", "Home", "Women's / Shop", "Home"]
    readings = [_read(page, "click [62] where [62] is link 'Skip'", _shown(title)) for title in titles]
    expected = [(("page.title", "Home"),), (), (("page.title", "Women's / Shop"),), (("page.title", "Home"),)]
    assert expected == [reading.changes for reading in readings]
    assert {"unknown"} == {reading.outcome for reading in readings}


def test_tab_line_without_a_tree() -> None:
    """Where no root area is shown the tab line names the page; an address is a change of its own."""
    reading = _read(Page(), "go_back", "Tab 0 (current): Map | Tab 1: Other\nURL: http://m.example/x\n")
    assert (("page.title", "Map"), ("page.url", "http://m.example/x")) == reading.changes


def test_complaints() -> None:
    """What the log says could not be done is a failure that quotes it."""
    missing = 'Attempt to perfom "click" on element "[216]" but no matching element found. Please look again.'
    unread = 'The previous prediction you issued was "hm". However, the format was incorrect.'
    first, second = _read(Page(), missing, _shown("A")), _read(Page(), unread, _shown("A"))
    assert ["failure", "failure"] == [first.outcome, second.outcome]
    assert first.quote in missing
    assert "the format was incorrect" == second.quote
    call = read_action(missing)
    assert call is not None
    assert ("click", ("[216]",)) == (call.tool, call.targets)
