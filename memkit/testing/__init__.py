"""For people who write plugins: what to run on them, and what to run them on.

`suites` holds a class of tests for each kind of part, `samples` small streams and stores, `strategies` what
hypothesis draws from, and `scripted` a model that says what it is told. The suites need pytest, hypothesis and
jsonschema: `pip install agent-memkit[testing]`.
"""
