# The two commands of daily use: `make run` opens the program, `make test` passes the tests. Both set up all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCALE := resources/translations
.DEFAULT_GOAL := run
.PHONY: run test soak bench lint types contracts kb translations setup clean

setup: $(READY)

$(READY): pyproject.toml .ci/system-packages
	@.ci/system-packages window
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m compileall -q ascend_kb
	@touch $@

run: $(READY)
	@$(BIN)/python -m compileall -q ascend_kb
	@$(BIN)/ascend-kb $(ARGS)

test: $(READY)
	$(BIN)/python -m compileall -q ascend_kb
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

soak: $(READY)
	QT_QPA_PLATFORM=offscreen ASCEND_KB_SOAK=1 $(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

bench: $(VENV)/.bench
	$(BIN)/python -m compileall -q ascend_kb
	$(BIN)/python -W ignore -m tests.benchmarks $(ARGS)

$(VENV)/.bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $@

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

kb: $(READY)
	$(BIN)/ascend-kb build data data/kb.sqlite
	$(BIN)/ascend-kb check data/kb.sqlite

translations: $(READY)
	$(BIN)/pybabel -q extract -F babel.cfg -k tr -k _ --no-location --sort-output -o $(VENV)/ascend_kb.pot .
	$(BIN)/pybabel -q update -N -D ascend_kb -i $(VENV)/ascend_kb.pot -d $(LOCALE) --no-wrap
	$(BIN)/pybabel -q compile -D ascend_kb -d $(LOCALE)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
