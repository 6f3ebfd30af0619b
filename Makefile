# The two commands are `make run` and `make test`. Both stand on `make setup`.
PYTHON ?= python3
# Linux without a GPU: TORCH_INDEX=https://download.pytorch.org/whl/cpu takes the CPU build instead of the CUDA one.
TORCH_INDEX ?=
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_NO_INPUT = 1

# Tests start many processes, two at a time on two cores: what is compiled is kept for the next one, and none takes
# both cores for its arithmetic.
test quick lint unit browser: export PYTHONDONTWRITEBYTECODE =
test quick lint unit browser: export OMP_NUM_THREADS = 1
# Stores of tests lie in memory where it has room for them: a commit waits for the disk, and no test cuts the power.
ROOMY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'END { if ($$4 > 6000000) print "/dev/shm" }')
test quick unit browser: export PYTEST_DEBUG_TEMPROOT = $(or $(ROOMY),$(TMPDIR),/tmp)
PYTEST = $(BIN)/python -m pytest --dist worksteal

.PHONY: run setup test quick lint unit contract browser bench screenshots clean help

help: ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

run: $(VENV)/.app-ready ## start the app on this machine and open it
	@exec $(BIN)/second-reader run

setup: $(VENV)/.ready ## the virtual environment with everything in it, what the tests need too

$(VENV)/.app-ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Second Reader needs Python 3.11 or newer. Install it, or name it: make run PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "This Python has no venv module. On Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing what the app needs, once: two to five minutes, depending on the line. Ctrl+C stops it; make run begins again."
	@$(PYTHON) -m venv $(VENV)
	@echo "1 of 3: torch, which reads the conversations for the metrics (200 MB with the CPU build, else some GB): about half of the time"
	@$(BIN)/python -m pip install $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch==2.13.0
	@echo "2 of 3: the other libraries, for pages, statistics and the store (about 300 MB): the other half"
	@$(BIN)/python -m pip install -r requirements.txt
	@echo "3 of 3: Second Reader itself: some seconds"
	@$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.ready: $(VENV)/.app-ready requirements-test.txt requirements-test-no-deps.txt tests/javascript/package-lock.json
	@echo "Installing what the tests need, once."
	@$(BIN)/python -m pip install --quiet -r requirements.txt -r requirements-test.txt
	@$(BIN)/python -m pip install --quiet --no-deps -r requirements-test-no-deps.txt
	@$(BIN)/python -m tests.javascript.node ci
	@touch $@

test: setup ## everything
	@$(MAKE) --no-print-directory --jobs=2 lint unit
	@$(MAKE) --no-print-directory browser
	@echo "All of it passed."

quick: setup ## the fast part of the tests, in two minutes: while you work, not before you hand in
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PYTEST) -n 2 -m "not slow" tests/unit tests/javascript tests/vectors
	@echo "Left out: the tests that are marked slow, of pages, of faults and of the browser, mypy and the import contracts: make test."

lint: contract ## ruff, plain English, mypy, tsc, prettier, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.plain_english
	$(BIN)/mypy
	$(BIN)/python -m tests.javascript.node types
	$(BIN)/python -m tests.javascript.node format
	$(BIN)/lint-imports --no-cache

unit: contract ## unit, page, vector and fault tests, those of the scripts too
	$(PYTEST) -n 2 tests/unit tests/javascript tests/pages tests/vectors tests/faults

contract: setup ## write what pages and the server tell each other as types for the scripts; `make lint` does it first
	$(BIN)/python -m tests.javascript.contract

# Three at a time on two cores: a test that waits for its page leaves a core idle.
browser: setup ## the tests that drive a real Chromium
	@$(BIN)/python -m tests.browser.chromium
	$(PYTEST) -n 3 tests/browser

screenshots: setup ## take the pictures in docs/ anew from the running app
	SCREENSHOTS_TO=docs/images $(PYTEST) -n 2 tests/browser/test_look.py -k as_the_docs_show_it

bench: setup ## the figures in docs/operations.md, measured side by side
	$(BIN)/python -m bench

clean: ## remove the virtual environment; your data lies elsewhere and stays
	rm -rf $(VENV) *.egg-info
