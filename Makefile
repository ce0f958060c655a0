# make solve: set up, solve a million queens, and compile the kernels of all commands; make kernels: only compile them.
# make test: set up and run what every change must pass.
# make gate: everything that a release must pass, in new environments, from the last commit.
# make setup: set up what the checks need.
# make requirements: pin what setup.cfg admits, with hashes; UPGRADE=-U takes the newest.
# make docs: build the documentation site into site/; a broken link fails.
# make bench: measure everything that does not take long, on an idle machine, and update the tables.
# make posters: render posters/gallery.toml into posters/rendered.
# make kernels.wasm: compile the kernels for the page, after any edit; needs lld (apt-get install lld) and Python 3.11.
# make wheel: build the sdist and the wheels of the last commit into dist/; needs lld, and takes three minutes.
# make try-platforms: try these wheels on ARM, Windows and WebAssembly, as far as Debian can imitate them; as root.
# make release FASTQUEENS_URL=https://...: the same, for a package index, and try them.
# make clean: remove .venv and what was built.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Otherwise, setuptools installs an import hook, which no type checker and no editor reads.
EDITABLE := --editable . --config-settings editable_mode=compat
WASM := fastqueens/explorer/assets/kernels.wasm
# What solve imports, and the rest.
FIRST := numpy numba llvmlite click psutil
LATER := matplotlib PIL rich
compile = $(BIN)/python -m compileall -qq -j 0 -x /tests/
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command 'make requirements'

unexport PYTHONDONTWRITEBYTECODE

.PHONY: solve kernels kernels.wasm setup test gate bench posters docs wheel try-platforms release requirements clean

solve: $(VENV)/ready
	$(BIN)/fastqueens solve 1000000
	@$(BIN)/python -m fastqueens._jit.build

kernels: $(VENV)/ready
	@$(BIN)/python -m fastqueens._jit.build

kernels.wasm: $(VENV)/ready
	$(BIN)/python -m fastqueens._jit.build wasm32 $(WASM)

setup: $(VENV)/ready-for-tests

test: $(VENV)/ready-for-tests
	@{ $(BIN)/ruff check . && $(BIN)/ruff format --quiet --check . && $(BIN)/mypy && $(BIN)/mypy tests/typing/user.py && \
	$(BIN)/lint-imports --no-cache; } > $(VENV)/linted 2>&1 & linting=$$!; \
	$(BIN)/python -m fastqueens._jit.build; \
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile; status=$$?; \
	wait $$linting || { status=$$?; cat $(VENV)/linted; }; \
	exit $$status

gate:
	.ci/run

bench: $(VENV)/ready-for-tests
	$(BIN)/python -m bench all

wheel:
	.ci/build-wheels dist

try-platforms:
	.ci/try-platforms

release:
	FASTQUEENS_URL='$(FASTQUEENS_URL)' .ci/release

posters: $(VENV)/ready
	$(BIN)/python posters/render.py

docs: $(VENV)/ready-for-docs
	@echo 'Building the site and its pictures: about three minutes.'
	@$(BIN)/python -m fastqueens._jit.build    # otherwise, notebooks report that they compile
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo 'The site is in site/: open site/index.html.'

# An environment with the package, and what the prerequisites named .txt pin: all that it needs.
# pip would compile every module of every library, one after the other; most are never imported.
define set_up
	@echo 'Setting up $(VENV): about half a minute.'
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes $(addprefix --requirement=,$(filter %.txt,$^))
	$(compile) $(addprefix $(VENV)/lib/python*/site-packages/,$(FIRST)) || true
	@$(BESIDE) $(INSTALL) --no-deps $(EDITABLE); status=$$?; \
	$(compile) $(addprefix $(VENV)/lib/python*/site-packages/,$(LATER)) || true; \
	wait; exit $$status
endef

# Kernels are compiled while the rest is set up. What prevents it is said when the command itself runs.
$(VENV)/ready: BESIDE = $(BIN)/python -m fastqueens solve 1000000 > $(VENV)/solved 2>&1 &
$(VENV)/ready: requirements.txt setup.cfg pyproject.toml
	$(set_up)
	touch $@

$(VENV)/ready-for-tests: requirements/dev.txt setup.cfg pyproject.toml
	$(set_up)
	touch $(VENV)/ready $@

$(VENV)/ready-for-docs: requirements.txt requirements/docs.txt setup.cfg pyproject.toml
	$(set_up)
	touch $@

requirements:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) $(UPGRADE) --output-file requirements.txt setup.cfg
	$(LOCK) $(UPGRADE) --extra test --constraint requirements.txt --output-file requirements/dev.txt setup.cfg
	$(LOCK) $(UPGRADE) --extra docs --constraint requirements/dev.txt --output-file requirements/docs.txt setup.cfg

clean:
	rm -rf $(VENV) build dist site *.egg-info fastqueens/_jit/libraries
