# Every target works in a fresh clone: it sets up what it needs, once, and the second run is quick.
# Needed beforehand: git, make, and Python 3.11 or later with venv.

PYTHON ?= python3
PORT ?= 8000

VENV := .venv
RUN := $(VENV)/bin/python

# Booting a page leaves a core idle. A file stays with one worker, since its tests share what they booted.
TWO_AT_A_TIME := -n 2 --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help serve build site test test-all test-kernels bench links lint format lock clean setup browser
# The targets share .venv and dist, and a log that is read from top to bottom helps more than a minute saved.
.NOTPARALLEL:

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/make \1\t\2/p' Makefile | expand -t 16

serve: build  ## build the site and serve it on this machine (PORT=8000)
	@$(RUN) build.py serve --port $(PORT)

build: setup  ## the complete static site, in dist/
	@$(RUN) build.py all

site: setup  ## the same to be published: with what the notebook prints; installs Triton, 200 MB, once
	@$(PYTHON) -m tools.environment kernels
	@$(RUN) build.py all

test: build browser  ## build, then every test, the browser tests included
	@$(RUN) -m pytest $(TWO_AT_A_TIME)

test-all: build browser  ## the same with the long fuzzing and the sweeps
	@$(RUN) -m pytest $(TWO_AT_A_TIME) -m "long or not long" --hypothesis-profile=long

test-kernels: setup  ## the kernels and the notebook without a GPU; installs Triton, 200 MB, once
	@$(PYTHON) -m tools.environment kernels
	@$(RUN) -m pytest $(TWO_AT_A_TIME) tests/kernels tests/mutants/test_kernel_mutants.py kernels

bench: build browser  ## every speed and size that the project claims, measured here
	@$(RUN) -m benchmarks

links: build  ## ask every address outside of the site that a page links to whether it is there
	@$(RUN) -m tools.links

lint: setup  ## style, types, the direction of imports, and the JavaScript
	@$(RUN) -m tools.lint

format: setup  ## rewrite the sources in the project's style
	@$(RUN) -m tools.lint --fix
	@$(RUN) -m lesson.pairing

lock:  ## write the lock files anew, with the newest versions that requirements.in allows
	@$(PYTHON) -m tools.environment lock

clean:  ## remove what the build made; the downloads in .cache stay
	rm -rf build dist .venv node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

setup:
	@$(PYTHON) -m tools.environment

browser: setup
	@$(RUN) -m tools.browser
