# `make demo` and `make test` make `.venv` and install what they need. The others run in an
# environment of your own: `make check` with the extras `test` and `dev`, `make docs` with `docs`,
# `make test-all` with `train` and `browser` too, `make eval` and `make models` with `train`,
# `make benchmark` with `train` and `test`.
PYTHON ?= python
VENV = .venv/bin/python
# What checks the types of the scripts of `kdscore serve`.
TYPESCRIPT = typescript@5.9.3

.PHONY: demo test check test-all constraints docs photos frozen eval benchmark models samples

demo: .venv/demo  ## install, and score a sample
	.venv/bin/kdscore samples/meadow_5x5.jpg

test: .venv/test  ## the tests, but for what takes long
	$(VENV) -m pytest -m "not slow" -n auto --dist loadfile

.venv/demo .venv/test: pyproject.toml
	test -x $(VENV) || python3 -m venv .venv
	$(VENV) -m pip install --quiet --disable-pip-version-check --no-compile -e '.$(if $(filter test,$(@F)),[test])'
	touch $@

check:            ## style and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m codespell_lib
	@if npx --yes --package $(TYPESCRIPT) tsc --version >/dev/null 2>&1; \
	  then npx --yes --package $(TYPESCRIPT) tsc --project jsconfig.json; \
	  else echo "npx gets no TypeScript here: types of the page's scripts are not checked"; fi

test-all:         ## all tests; those with real photos need KDVISION_DATA
	$(PYTHON) -m pytest -n auto --dist loadfile

constraints:      ## the versions of today, for those who develop: constraints.txt
	$(PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url \
	  --custom-compile-command "make constraints" --extra test --extra dev --extra docs \
	  --extra browser --extra serve --extra xlsx --extra dask pyproject.toml -o constraints.txt

frozen:           ## kdscore as one folder, for people without Python, in build/frozen
	$(PYTHON) -m venv build/frozen-venv
	build/frozen-venv/bin/pip install --quiet --disable-pip-version-check '.[serve,xlsx]' pyinstaller
	build/frozen-venv/bin/python -m PyInstaller --noconfirm --distpath build/frozen \
	  --workpath build/frozen-work scripts/frozen/kdscore.spec

docs:             ## the pages of docs/ as a site, in build/site
	$(PYTHON) -m mkdocs build --quiet

photos:           ## fetch the public pictures that make eval measures on
	$(PYTHON) -m scripts.measuring.fetch_pictures

eval:             ## accuracy on pictures that were not trained on; writes docs/accuracy.md
	$(PYTHON) -m scripts.measuring.evaluate --details

benchmark:        ## speed and memory; writes docs/accuracy.md; ARGS="--page" prints the page alone
	$(PYTHON) -m scripts.measuring.benchmark $(ARGS)

models:           ## from KDVISION_DATA to models/ in one run; ARGS="--size 0.2", "--painted-only"
	$(PYTHON) -m scripts.training.make_models $(ARGS)

samples:          ## paint the sample photos again
	$(PYTHON) -m scripts.synthesis.make_samples
