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
	$(PYTHON) scripts/evaluate.py --details

benchmark:        ## speed and memory; writes models/benchmark.md
	$(PYTHON) scripts/benchmark.py

samples:          ## paint the sample photos again
	$(PYTHON) scripts/make_samples.py
