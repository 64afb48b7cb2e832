"""A memory is one directory: made whole, opened with its manifest checked, moved by copying."""

from __future__ import annotations

import shutil
import stat
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from memkit import ConfigError, Locator, Manifest, Memory, Step, UserError

STEP = Step(Locator("step", 0, 1), 1, "look", "A room.")


def create(path: Path, **changes: Any) -> Memory:
    """A memory of the builder verbatim."""
    return Memory.create(path, **{"builder": "verbatim", "plugin": "agent-memkit 1", "layout": "flat", **changes})


def test_create_and_open(tmp_path: Path) -> None:
    """Opening gives what creating wrote."""
    made = create(tmp_path / "a" / "m", options={"size": 3, "tags": ["x"], "since": date(2023, 5, 8)}, stream="conv-26")

    opened = Memory.open(tmp_path / "a" / "m")

    assert made.manifest == opened.manifest
    assert Manifest(1, "verbatim", "agent-memkit 1", "flat", opened.manifest.options, "conv-26") == opened.manifest
    assert {"size": 3, "tags": ["x"], "since": date(2023, 5, 8)} == opened.manifest.options


def test_copy_moves_it(tmp_path: Path) -> None:
    """A copied directory is the same memory."""
    made = create(tmp_path / "a")
    made.store.write("/memories/x.md", "text")
    made.archive.append(STEP)

    shutil.copytree(tmp_path / "a", tmp_path / "b")

    copy = Memory.open(tmp_path / "b")
    assert ("text", STEP) == (copy.store.read("/memories/x.md"), copy.archive.resolve(STEP.locator))
    assert made.store.generation == copy.store.generation


def test_modes(tmp_path: Path) -> None:
    """Only the owner may enter a memory."""
    create(tmp_path / "m")

    folders = [tmp_path / "m", tmp_path / "m" / "memories"]
    assert [0o700, 0o700] == [stat.S_IMODE(folder.stat().st_mode) for folder in folders]


def test_empty_directory_is_used(tmp_path: Path) -> None:
    """An empty directory may be there already."""
    assert [] == create(tmp_path).store.paths()


def test_unfinished_create_is_taken_up(tmp_path: Path) -> None:
    """What a creation that was killed left behind is no obstacle to the next."""
    (tmp_path / "memories").mkdir()
    (tmp_path / ".tmp-0123").write_text("half a manif")

    assert "verbatim" == create(tmp_path).manifest.builder


@pytest.mark.parametrize("name", ["memory.toml", "notes.txt", "memories/a.md"])
def test_used_directory_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing of anybody's is written over."""
    (tmp_path / "memories").mkdir()
    (tmp_path / name).write_text("mine")

    with pytest.raises(UserError, match="exists and is not an empty directory; choose another or remove it"):
        create(tmp_path)
    assert "mine" == (tmp_path / name).read_text()


def test_file_in_place_of_the_directory(tmp_path: Path) -> None:
    """A file in the way is refused like a used directory."""
    (tmp_path / "m").write_text("")

    with pytest.raises(UserError, match="exists and is not an empty directory"):
        create(tmp_path / "m")


@pytest.mark.parametrize("options", [{"size": None}, {"tags": [None]}, {"name": "\ud800"}, {"x": object()}])
def test_options_that_toml_cannot_hold(tmp_path: Path, options: dict[str, Any]) -> None:
    """An option that would not come back is refused, and the directory can be used again."""
    with pytest.raises(ConfigError, match=r"options of verbatim: cannot be kept in memory.toml: "):
        create(tmp_path / "m", options=options)

    assert "verbatim" == create(tmp_path / "m").manifest.builder


MANIFEST = 'schema = 1\nbuilder = "verbatim"\nplugin = "p"\nlayout = "flat"\n'
DAMAGE = {
    "not TOML": (b"schema =", "memory.toml cannot be read: "),
    "not UTF-8": (b"\xff", "memory.toml cannot be read: "),
    "later schema": (b"schema = 99", "memory.toml has schema 99, this memkit knows 1; upgrade agent-memkit"),
    "schema of another type": (b"schema = 'x'", "memory.toml: schema: expected a whole number, got 'x'"),
    "missing key": (b"schema = 1\n", "memory.toml: lacks 'builder', which has no default"),
    "misspelt key": (f"{MANIFEST}uints = 3".encode(), "memory.toml: unknown key 'uints'; did you mean 'units'?"),
    "no such layout": (
        MANIFEST.replace("flat", "flta").encode(),
        "memory.toml: layout: must be one of 'tree', 'flat', 'foldered', 'chunks'",
    ),
}


@pytest.mark.parametrize(("data", "message"), DAMAGE.values(), ids=DAMAGE)
def test_damaged_manifest(tmp_path: Path, data: bytes, message: str) -> None:
    """A manifest that cannot be used is an error that names the file and the place in it."""
    create(tmp_path / "m")
    (tmp_path / "m" / "memory.toml").write_bytes(data)

    with pytest.raises(UserError) as error:
        Memory.open(tmp_path / "m")
    assert str(error.value).startswith(f"{tmp_path / 'm'}/{message}")


def test_schema_1_still_opens(tmp_path: Path) -> None:
    """The manifest as version 0.1.0 wrote it; this text is never edited."""
    (tmp_path / "memories").mkdir()
    (tmp_path / "memory.toml").write_text(
        'schema = 1\nbuilder = "chunk-bm25"\nplugin = "agent-memkit 0.1.0"\nlayout = "chunks"\nstream = "conv-26"\n'
        "units = 19\nready = true\n\n[options]\ntokens = 256\n"
    )

    manifest = Memory.open(tmp_path).manifest

    options = {"tokens": 256}
    expected = Manifest(1, "chunk-bm25", "agent-memkit 0.1.0", "chunks", options, "conv-26", units=19, ready=True)
    assert expected == manifest


@pytest.mark.parametrize("name", ["nowhere", "folder", "file"])
def test_not_a_memory(tmp_path: Path, name: str) -> None:
    """A path that holds no memory says how to make one."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")

    with pytest.raises(UserError, match=r"is not a memory: it has no memory\.toml; `memkit build` makes one"):
        Memory.open(tmp_path / name)


def test_directory_in_place_of_the_manifest(tmp_path: Path) -> None:
    """What the disk refuses is said in words."""
    (tmp_path / "memory.toml").mkdir()

    with pytest.raises(UserError, match=r"memory\.toml cannot be used: Is a directory"):
        Memory.open(tmp_path)


def test_amend(tmp_path: Path) -> None:
    """A change of the manifest keeps what another process changed meanwhile."""
    first = create(tmp_path / "m")
    second = Memory.open(tmp_path / "m")

    first.amend(units=3)
    second.amend(ready=True)

    assert (3, True) == (second.manifest.units, second.manifest.ready)
    assert second.manifest == Memory.open(tmp_path / "m").manifest
    first.refresh()
    assert first.manifest == second.manifest


def test_manifest_is_toml_for_people(tmp_path: Path) -> None:
    """A person can read what made a memory."""
    create(tmp_path / "m", options={"size": 3})

    data = tomllib.loads((tmp_path / "m" / "memory.toml").read_text())

    assert ("verbatim", {"size": 3}) == (data["builder"], data["options"])


def test_frozen(tmp_path: Path) -> None:
    """A frozen memory serves readers what was there."""
    memory = create(tmp_path / "m")
    memory.store.write("/memories/x.md", "text")

    assert "text" == memory.frozen().store.read("/memories/x.md")


def test_index_dir(tmp_path: Path) -> None:
    """The index has its own folder, made by whoever writes one."""
    memory = create(tmp_path / "m")

    assert (tmp_path / "m" / "index", False) == (memory.index_dir, memory.index_dir.exists())
