"""What is wrong is said before anything heavy is loaded, in a sentence with its mend."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memkit import Check, PriceTable, UserError, build_registry, load_prices, open_model
from memkit.compare.keys import part_identity
from memkit.compare.spec import Use
from memkit_plugins.local_model import memkit_check_machine
from memkit_plugins.local_model.weights import MAGIC, SAMPLE, VARIABLE, find_weights, fingerprint

USE = Use("memkit/local")


def refusal() -> str:
    """What opening the model says."""
    with pytest.raises(UserError) as caught:
        open_model(build_registry(only=["local-model"]), "memkit/local")
    return str(caught.value)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_no_file_named(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    """Without the variable the error names it."""
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)

    assert "memkit/local has no weights: set MEMKIT_LOCAL_GGUF to the path of a GGUF file" == refusal()


def test_no_such_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not there is named with the reason."""
    monkeypatch.setenv(VARIABLE, "/no/such.gguf")

    assert "MEMKIT_LOCAL_GGUF names /no/such.gguf, which cannot be read: No such file or directory" == refusal()


def test_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is no file."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    assert f"MEMKIT_LOCAL_GGUF names {tmp_path}, which cannot be read: Is a directory" == refusal()


@pytest.mark.parametrize("content", [b"", b"GGU", b"PK\x03\x04", b"gguf"])
def test_no_gguf(file: Path, content: bytes) -> None:
    """A file that begins otherwise is refused."""
    file.write_bytes(content)

    assert f"MEMKIT_LOCAL_GGUF names {file}, which is no GGUF file; convert the model or name another file" == refusal()


def test_package_missing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library the error says what to install."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)  # what Python itself puts there for "not to be found"

    assert "memkit/local needs the package xllamacpp: pip install 'agent-memkit[local]'" == refusal()


def test_a_relative_path_is_made_whole(file: Path, installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stays the same when the working folder changes."""
    monkeypatch.chdir(file.parent)
    monkeypatch.setenv(VARIABLE, file.name)

    assert file == find_weights()


def test_doctor(file: Path, installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine is checked only where a file is named, and then says what is found."""
    found = [Check("model `memkit/local`", ok=True, found=str(file))]
    assert found == memkit_check_machine()
    file.write_bytes(b"other")
    assert [False] == [check.ok for check in memkit_check_machine()]
    monkeypatch.delenv(VARIABLE)
    assert [] == memkit_check_machine()


def test_another_file_is_another_key(file: Path) -> None:
    """What was answered from one file is never taken for an answer from another; where it lies does not matter."""
    registry = build_registry(only=["local-model"])
    before = part_identity(registry, "model", USE)
    moved = file.rename(file.with_name("moved.gguf"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(moved))
        assert before == part_identity(registry, "model", USE)
        moved.write_bytes(MAGIC + b"another")
        assert before["fingerprint"] != part_identity(registry, "model", USE)["fingerprint"]


def test_fingerprint_sees_both_ends(tmp_path: Path) -> None:
    """Size, beginning and end tell files apart."""
    long = bytearray(3 * SAMPLE)
    seen = set()
    for place in (None, 0, -1):
        changed = bytearray(long)
        if place is not None:
            changed[place] = 1
        (tmp_path / "file").write_bytes(changed)
        seen.add(fingerprint(tmp_path / "file"))
    (tmp_path / "file").write_bytes(long[1:])
    seen.add(fingerprint(tmp_path / "file"))

    assert 4 == len(seen)


def test_it_costs_nothing() -> None:
    """Every class of tokens is priced zero, also where the user's file gives no price."""
    prices: PriceTable = load_prices()
    price = prices.price("memkit/local")

    assert price is not None
    assert (0, 0, 0, 0) == (
        price.rates.input,
        price.rates.cache_read,
        price.rates.cache_write,
        price.rates.output,
    )
