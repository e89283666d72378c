# `make check`, `make test`, `make eval`: in an environment with `pip install -e '.[test,dev,train]'`.
PYTHON ?= python

.PHONY: check test eval benchmark samples

check:            ## style and types
	ruff check .
	ruff format --check .
	$(PYTHON) -m mypy

test:             ## all tests; those with real photos need KDVISION_DATA
	$(PYTHON) -m pytest

eval:             ## accuracy on pictures that were not trained on; writes models/evaluation.md
	$(PYTHON) -m scripts.measuring.evaluate --details

benchmark:        ## speed and memory; writes models/benchmark.md
	$(PYTHON) -m scripts.measuring.benchmark

samples:          ## paint the sample photos again
	$(PYTHON) -m scripts.synthesis.make_samples
