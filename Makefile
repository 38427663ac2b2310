# Everything runs in .venv, which `make setup` creates; the other targets call it first.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
EXTRAS := fast lsp spiel pettingzoo web  # nice to have: a machine for which no wheel was built goes on without
MORE :=  # further ones: `make setup MORE=ray`

.PHONY: setup wheel vsix play quick test check lint soak clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@for extra in $(EXTRAS) $(MORE); do \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: -e ".[$$extra]" \
	        || echo "the extra '$$extra' cannot be installed here: what needs it is left out"; \
	done
	@touch $@

wheel: setup         ## what `pip install` takes, with all games, in dist/
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

vsix: setup          ## the extension for VS Code, in dist/; needs npm
	$(BIN)/python -m tools.lsp.vsix dist/rulewright.vsix

play: setup          ## a game in the terminal; without a terminal the bots play it to the end
	$(BIN)/rulewright play dominant_species

# Tests write bytecode, whatever the environment says: else each process that they start compiles all that it loads.
test soak: export PYTHONDONTWRITEBYTECODE =

# The tests of one file go to one process, which makes once what they share: a server, a site, a browser.
test: setup          ## the quick tests
	$(BIN)/python -m pytest -n 2 --dist loadfile -q -rs

quick: setup         ## what differs from the last commit: style, types, tests of its rooms, rulings of its games
	@.ci/quick

check: setup         ## every ruleset, as `rulewright check` sees it
	@set -e; for folder in rulesets/*/; do $(BIN)/rulewright check "$$(basename "$$folder")"; done

lint: setup          ## style, types, and who imports whom
	$(BIN)/ruff check dsl interpreter tools tests
	$(BIN)/mypy --strict dsl interpreter tools
	$(BIN)/lint-imports

soak: setup          ## the long tests
	$(BIN)/python -m pytest -n 2 -m soak -q

clean:
	rm -rf .venv .rulewright/failures .pytest_cache .mypy_cache .ruff_cache .import_linter_cache *.egg-info
