# `make check`, `make test`: in an environment with `pip install -e '.[test,dev]'`; `make docs` with
# the extra `docs`; `make test-all`,
# `make eval`, `make benchmark`, `make models`: with the extra `train` too.
PYTHON ?= python

.PHONY: check test test-all docs eval benchmark models samples

check:            ## style and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

test:             ## the tests, but for what takes long
	$(PYTHON) -m pytest

test-all:         ## all of them; those with real photos need KDVISION_DATA
	$(PYTHON) -m pytest -m ""

docs:             ## the pages of docs/ as a site, in build/site
	$(PYTHON) -m mkdocs build --quiet

eval:             ## accuracy on pictures that were not trained on; writes docs/accuracy.md
	$(PYTHON) -m scripts.measuring.evaluate --details

benchmark:        ## speed and memory; writes docs/accuracy.md
	$(PYTHON) -m scripts.measuring.benchmark

models:           ## from KDVISION_DATA to models/ in one run; ARGS="--budget 60", "--painted-only"
	$(PYTHON) -m scripts.training.make_models $(ARGS)

samples:          ## paint the sample photos again
	$(PYTHON) -m scripts.synthesis.make_samples
