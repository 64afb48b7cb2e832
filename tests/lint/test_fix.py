"""Mending a store."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given

from memkit.lint.check import lint
from memkit.lint.fix import FIXED, fix
from memkit.lint.frontmatter import fix_frontmatter
from memkit.store.files import Store
from memkit.store.texts import read_texts
from memkit.testing.stores import stores


def test_a_store(store: Store) -> None:
    """What is fixable is mended in the file, told, and gone; the rest stays, byte for byte."""
    store.create("/memories/people/ana.md", "---\nname: bo\n---\n\n# Clay\n\nsee /memories/log-a.md\n")
    store.create("/memories/old/log-a.md", "---\nname: [\n---\n")
    fixed = fix(store)

    assert ["frontmatter-description", "frontmatter-name", "reference-moved"] == sorted(one.rule for one in fixed)
    expected = "---\nname: ana\ndescription: Clay\n---\n\n# Clay\n\nsee /memories/old/log-a.md\n"
    assert (expected, "---\nname: [\n---\n") == (
        store.read("/memories/people/ana.md"),
        store.read("/memories/old/log-a.md"),
    )


def test_only_the_rules_asked_for(store: Store) -> None:
    """Rules left out mend nothing, and a store that needs no mending is not written to."""
    store.create("/memories/ana.md", "---\nname: bo\n---\n\nsee /memories/bo.md\n")
    before = store.generation

    assert [] == fix(store, rules={"frontmatter-missing", "duplicate-exact"})
    assert before == store.generation


@given(stores())
def test_a_second_time(files: dict[str, str]) -> None:
    """The first call mends all that is fixable and touches nothing else; the second changes nothing."""
    with TemporaryDirectory() as folder:
        store = Store.make(Path(folder) / "memories")
        kept = {}
        for path, text in files.items():
            if not any(other.startswith(path.removesuffix(".md") + "/") for other in files) and "\0" not in text:
                store.write(path, text)
                kept[path] = text
        promised = [one for one in lint(kept) if one.fixable]

        assert promised == fix(store)
        once, _ = read_texts(store)
        generation = store.generation
        assert ([], once, generation) == (fix(store), read_texts(store)[0], store.generation)
    touched = {one.path for one in promised}
    assert [] == [one for one in lint(once) if one.fixable]
    assert {path: text for path, text in kept.items() if path not in touched} == {
        path: text for path, text in once.items() if path not in touched
    }
    assert {one.rule for one in promised} <= FIXED


@given(stores(max_files=1))
def test_the_text_below_stays(files: dict[str, str]) -> None:
    """Mending frontmatter keeps everything that was below it."""
    for path, text in files.items():
        body = text.removeprefix("\ufeff").rpartition("---")[2]
        assert fix_frontmatter(path, text).endswith(body)
