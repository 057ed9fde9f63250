# Everything here works from nothing but Python >= 3.11 and make, and is quick when repeated.

PYTHON ?= python3
UV ?= uv
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes
LOCK := $(UV) pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-header

.DEFAULT_GOAL := help
.PHONY: help run llm test quick soak coverage lint format docs lock clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

run: .venv/.runtime $(wildcard .venv/.llm) ## run the site: database, samples, web and worker; RUN="--port 8001" passes options on
	@exec $(BIN)/python manage.py up $(RUN)

llm: .venv/.llm ## add the client of the provider openai, for judges that are models

RULES := tests/debates/test_rules.py tests/judging/rules tests/judging/test_parsing.py tests/scoring/rules
# They start servers, workers and commands, and mostly wait for them: they run beside the others.
PROCESSES := tests/benchmarks tests/deploy tests/docs tests/crash tests/upgrade \
	$(addprefix tests/config/test_,db_command.py embedded_accidents.py embedded_accounts.py embedded_users.py limits.py \
	manage.py releases.py restore.py supervisor.py up.py worker_waits.py) \
	$(wildcard tests/debates/test_live_*.py tests/browser/test_live_*.py) tests/debates/test_outage.py \
	tests/debates/test_replica.py \
	tests/browser/test_seat_page.py $(addprefix tests/project/test_,deploy.py docs.py imports.py settings.py) \
	tests/schema/test_migrations.py tests/security/test_secrets.py
# They ask for every address, or change every column of every table.
EVERY := tests/security tests/judging/sealed tests/test_admin_acts.py tests/test_admin_tables.py \
	tests/scoring/test_admin_holds.py \
	$(addprefix tests/api/test_,every_request.py lists.py scopes.py)
PYTEST := $(BIN)/pytest --numprocesses 2
BY_FILE := --dist loadfile --no-loadscope-reorder --durations 20 --durations-min 5

test: lint ## check everything and run every test; those of the rules must reach each of their branches
	$(PYTEST) $(RULES) --cov --cov-report=term-missing:skip-covered
	$(BIN)/python -m tests.run_parallel -- $(PYTEST) $(patsubst %,--ignore=%,$(RULES) $(PROCESSES)) $(BY_FILE) \
		-- env MOOT_TEST_DATABASE=test_moot_processes $(PYTEST) $(PROCESSES) $(BY_FILE)

quick: lint ## what answers in minutes: the first case of each test that is not slow, starts no process and drives no browser
	$(PYTEST) -m 'not slow' --first-cases --hypothesis-profile quick \
		$(patsubst %,--ignore=%,$(PROCESSES) $(EVERY) tests/browser) $(BY_FILE)

soak: .venv/.development ## look longer: every law with all its examples, every caller at every address, many orders of kills
	$(PYTEST) -m hypothesis --hypothesis-profile soak
	MOOT_SOAK=1 MOOT_ANY_ORDER_RUNS=20 $(PYTEST) --dist loadfile --hypothesis-profile soak tests/scoring/test_stateful.py \
		tests/scoring/test_stateful_others.py tests/security/test_matrix.py tests/judging/test_conflicts.py \
		$(addprefix tests/crash/test_,any_order.py batch.py kills.py live.py)

coverage: .venv/.development ## run every test again and say what of the whole program they reach; takes twice as long
	$(PYTEST) --dist loadfile --cov=config --cov=debates --cov=scoring --cov=judging --cov-report= --cov-fail-under=0
	$(BIN)/coverage report --include='*/services/*' --omit='tests/*' --skip-covered --fail-under=0
	$(BIN)/coverage report --omit='*/migrations/*,tests/*' --format=total --fail-under=0

lint: .venv/.development ## formatting, lint, types, and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.development ## put every file into its form
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

docs: .venv/.development ## draw the pages of docs/ as a site with search, in docs/_site/
	$(BIN)/sphinx-build -q -W -b html docs docs/_site

lock: ## pin requirements*.in anew, with hashes; needs uv (UV=...); OPTIONS=--upgrade takes newer versions
	$(LOCK) $(OPTIONS) requirements.in --output-file requirements.txt
	$(LOCK) $(OPTIONS) requirements-llm.in --output-file requirements-llm.txt
	$(LOCK) $(OPTIONS) requirements-dev.in --output-file requirements-dev.txt

clean: ## forget the virtual environment and what tools have kept; the database stays
	rm -rf .venv .coverage .coverage.* htmlcov .mypy_cache .ruff_cache .pytest_cache .import_linter_cache staticfiles docs/_site

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Moot needs Python 3.11 or newer; \
	this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.13 ...")'
	$(PYTHON) -m venv --clear .venv
	@touch $@

# A note below .venv is a copy of what was installed: what pins anything else, newer or older, is installed.
INSTALL = @[ "$$(cat $(1))" = "$$(cat $@ 2>/dev/null)" ] || \
	{ echo "Installing $(2) ..." && rm -f $@ && $(PIP) $(addprefix -r ,$(1)) && cat $(1) > $@; }
.PHONY: .venv/.runtime .venv/.llm .venv/.development

.venv/.runtime: .venv/.made
	$(call INSTALL,requirements.txt,what Moot needs)

.venv/.llm: .venv/.runtime
	$(call INSTALL,requirements.txt requirements-llm.txt,the client of language models)

.venv/.development: .venv/.llm
	$(call INSTALL,requirements.txt requirements-llm.txt requirements-dev.txt,what its tests need)
