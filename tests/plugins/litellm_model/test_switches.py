"""Loading litellm reads no .env file, opens no socket and asks nobody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

WATCH = """
import asyncio, os, sys
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        seen.append((event, str(arguments[1:])))
    if event == "open" and str(arguments[0]).endswith(".env"):
        seen.append((event, str(arguments[0])))
sys.addaudithook(watch)
"""
LOAD = """
from memkit import Message, ModelError, Request, build_registry, open_model
from memkit_plugins.litellm_model.switches import load
model = open_model(build_registry(), "openai/gpt-4o", {"seed": 1})
litellm = load()
try:
    asyncio.run(model.complete(Request((Message("user", "Hello"),), "search")))
except ModelError as error:
    assert "OPENAI_API_KEY" in str(error), error
else:
    raise AssertionError("answered without a key")
assert [] == seen, seen
assert "MEMKIT_POISON" not in os.environ
assert [] == litellm.callbacks + litellm.success_callback + litellm.failure_callback + litellm.input_callback
"""
PLAIN = """
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm
assert any(event == "open" for event, _ in seen), seen
assert "MEMKIT_POISON" in os.environ
"""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `code` in a folder with a .env that holds a key and a mark."""
    (folder / ".env").write_text("OPENAI_API_KEY=sk-poison-0123456789abcdef\nMEMKIT_POISON=1\n", encoding="utf-8")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": ":".join(sys.path)}
    # With -c dotenv looks in the working folder, as it does in a notebook; for a script it looks above site-packages.
    command = [sys.executable, "-c", WATCH + code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_nothing_is_read_or_asked(tmp_path: Path) -> None:
    """Up to the first call no address is looked up or connected to, no .env opened, no callback there."""
    done = run(LOAD, tmp_path)

    assert (0, "") == (done.returncode, done.stderr)


def test_the_watch_would_see_it(tmp_path: Path) -> None:
    """By itself litellm does load the .env, so the test above can fail."""
    done = run(PLAIN, tmp_path)

    assert (0, "") == (done.returncode, done.stderr)
