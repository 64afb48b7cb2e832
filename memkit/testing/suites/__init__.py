"""The promises of each contract as tests: subclass a suite in your own tests and say how your part is made.

```python
from memkit.testing.suites import BuilderSuite

class TestMine(BuilderSuite):
    def make(self):
        return Mine()
```
"""

from __future__ import annotations

from memkit.testing.suites.builder import BuilderSuite
from memkit.testing.suites.dataset import DatasetSuite
from memkit.testing.suites.harness import HarnessSuite
from memkit.testing.suites.judge import JudgeSuite
from memkit.testing.suites.model import ModelSuite
from memkit.testing.suites.runner import RunnerSuite
from memkit.testing.suites.searcher import SearcherSuite

__all__ = [
    "BuilderSuite",
    "DatasetSuite",
    "HarnessSuite",
    "JudgeSuite",
    "ModelSuite",
    "RunnerSuite",
    "SearcherSuite",
]
