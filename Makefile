# Everything starts here: `make demo`, `make test`. Needs python3 (3.11 or later), make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := pyproject.toml constraints.txt scripts/install.py
WORKERS ?= 2

.PHONY: demo test test-slow check format constraints clean

demo: $(VENV)/.demo
	$(BIN)/memkit compare --data demo --builder verbatim,chunk-bm25 --harness center,center+bm25,chunks

test: check
	$(BIN)/pytest -n $(WORKERS)

test-slow: $(VENV)/.dev
	$(BIN)/pytest -n $(WORKERS) -m slow

check: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Versions only: no addresses, so that every index serves them.
constraints: $(VENV)/.dev
	$(BIN)/python -m uv pip compile --universal --all-extras --upgrade --no-annotate --no-header --no-emit-index-url \
		--quiet --output-file constraints.txt pyproject.toml

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist

$(VENV)/.demo: $(SETUP)
	$(PYTHON) scripts/install.py $(VENV)
	touch $@

$(VENV)/.dev: $(SETUP)
	$(PYTHON) scripts/install.py $(VENV) dev
	touch $@ $(VENV)/.demo
