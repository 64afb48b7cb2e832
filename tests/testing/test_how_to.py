"""docs/how-to/test-your-plugin.md works as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "test-your-plugin.md").read_text()


def test_the_example_runs(tmp_path: Path) -> None:
    """The page's test runs as it stands, and a sound builder passes it."""
    (example,) = re.findall(r"```python no-run\n(from memkit.testing.suites.*?)```", PAGE, re.DOTALL)
    (tmp_path / "test_mine.py").write_text(example)
    (tmp_path / "my_plugin.py").write_text("from memkit_plugins.verbatim.builder import Verbatim as MyBuilder\n")
    paths = [ROOT, ROOT / "plugins", tmp_path]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout
    assert " passed" in done.stdout
