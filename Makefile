# One verb for each chore; `make check` is what CI runs.
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
export PYTHONWARNINGS =
SOURCES := pyproject.toml CMakeLists.txt $(shell find engine_cpp proto -type f)
CPP := $(shell find engine_cpp tests/cpp tests/fuzz -name '*.?pp')

.DEFAULT_GOAL := help
.PHONY: help demo test check bench bench-deadlines soak fuzz fuzz-cpp calibration fairness format lint types contracts proto cpp-test sanitize py-test instructions
.PHONY: instructions-baseline signatures baseline clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-21s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/core.stamp  ## build, start the server, and let it play a whole game over gRPC
	@$(BIN)/kingsbridge play builders --auto --players 2 --seed 7

test: .venv/test.stamp cpp-test py-test  ## every test, C++ and Python

check: .venv/dev.stamp format-check lint types contracts proto cpp-test sanitize py-test instructions  ## what CI runs: format, lint, types, contracts, proto, tests, instructions

# ------------------------------------------------------------------------------------------------------------ set-up
# A larger set of tools serves a smaller chore: whatever was set up last stays.
.venv/core.stamp: $(SOURCES)
	@if [ -e .venv/dev.stamp ]; then PYTHON=$(PYTHON) .ci/setup dev; elif [ -e .venv/test.stamp ]; then PYTHON=$(PYTHON) .ci/setup test; else PYTHON=$(PYTHON) .ci/setup; fi
	@touch $@
.venv/test.stamp: $(SOURCES)
	@if [ -e .venv/dev.stamp ]; then PYTHON=$(PYTHON) .ci/setup dev; else PYTHON=$(PYTHON) .ci/setup test; fi
	@touch $@ .venv/core.stamp
.venv/dev.stamp: $(SOURCES)
	@PYTHON=$(PYTHON) .ci/setup dev
	@touch $@ .venv/test.stamp .venv/core.stamp
.venv/bench.stamp: $(SOURCES)
	@PYTHON=$(PYTHON) .ci/setup test,bench
	@touch $@

# ------------------------------------------------------------------------------------------------------------- tests
comma := ,
CMAKE := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cmake
define cpp_build
	@$(CMAKE) -S . -B build/$(1) -G Ninja -DKINGSBRIDGE_TESTS=ON -DKINGSBRIDGE_WERROR=ON $(2) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }
	@$(CMAKE) --build build/$(1) >>build/$(1).log 2>&1 || { tail -n 60 build/$(1).log; exit 1; }
endef

cpp-test: .venv/test.stamp
	$(call cpp_build,cpp,-DCMAKE_BUILD_TYPE=Release)
	@$(BIN)/ctest --test-dir build/cpp --output-on-failure

sanitize: .venv/test.stamp
	$(call cpp_build,sanitize,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DKINGSBRIDGE_SANITIZE=address$(comma)undefined)
	@KINGSBRIDGE_GAMES=20 UBSAN_OPTIONS=print_stacktrace=1 $(BIN)/ctest --test-dir build/sanitize --output-on-failure

# Tests that start servers and programs, and wait for them, have the machine to themselves.
ALONE := tests/cli tests/foreign tests/fuzz tests/server tests/soak
py-test: .venv/test.stamp
	@$(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 8 --dist worksteal $(addprefix --ignore=,$(ALONE))
	@$(BIN)/python -m pytest -q $(ALONE)

soak: .venv/test.stamp  ## the long runs: laws and oracle over many thousands of games, a server under load, 200 kills on each database, fuzzing (some hours)
	$(call cpp_build,cpp,-DCMAKE_BUILD_TYPE=Release)
	@KINGSBRIDGE_GAMES=10000 $(BIN)/ctest --test-dir build/cpp --output-on-failure
	@KINGSBRIDGE_GAMES=500 $(BIN)/python -m pytest -q --timeout 0 tests/oracle
	@KINGSBRIDGE_EXAMPLES=1000 $(BIN)/python -m pytest -q --timeout 0 tests/conformance
	@$(BIN)/python -m tests.bench.soak_memory
	@$(BIN)/python -m tests.soak.load
	@$(BIN)/python -m tests.soak.deadlines
	@$(BIN)/python -m tests.soak.crash --kills 200 --store sqlite
	@$(BIN)/python -m tests.soak.crash --kills 200 --store postgresql
	@$(BIN)/python -m tests.soak.tournament --kills 50 --blocks 250
	@$(BIN)/python -m tests.bench.bench_tournament memory
	@$(MAKE) --no-print-directory fuzz

FUZZ_REQUESTS ?= 1000000
FUZZ_SECONDS ?= 600
CLANG ?= clang++-14
fuzz: .venv/test.stamp  ## bad input: requests by the million, ten thousand over gRPC, and libFuzzer on the engine (an hour)
	@$(BIN)/python -m tests.fuzz --count $(FUZZ_REQUESTS)
	@$(BIN)/python -m tests.fuzz --count 10000 --grpc
	@$(MAKE) --no-print-directory fuzz-cpp

FUZZ := build/fuzz/tests/fuzz/fuzz_
fuzz-cpp: .venv/test.stamp
	@command -v $(CLANG) >/dev/null || { echo "no $(CLANG): apt-get install clang-14 libclang-rt-14-dev, or set CLANG" >&2; exit 1; }
	$(call cpp_build,fuzz,-DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -DKINGSBRIDGE_TESTS=OFF -DKINGSBRIDGE_WERROR=OFF -DKINGSBRIDGE_FUZZ=ON -DKINGSBRIDGE_SANITIZE=fuzzer-no-link$(comma)address$(comma)undefined)
	@mkdir -p build/fuzz/found/play build/fuzz/found/views && $(FUZZ)corpus build/fuzz/corpus
	@for target in play views; do \
	  UBSAN_OPTIONS=print_stacktrace=1 $(FUZZ)$$target -max_total_time=$(FUZZ_SECONDS) -max_len=2048 -timeout=20 -artifact_prefix=build/fuzz/ \
	    -print_final_stats=1 build/fuzz/found/$$target build/fuzz/corpus/$$target >build/fuzz-$$target.log 2>&1 \
	    || { grep -a -A 40 -e '^broken' -e 'ERROR' -e 'runtime error' build/fuzz-$$target.log; exit 1; }; \
	  echo "fuzz_$$target: $$(grep -a 'DONE' build/fuzz-$$target.log)"; \
	done

calibration: .venv/test.stamp  ## how right the shares of the win are that a search tells (twenty minutes of one core)
	@$(BIN)/python -m tests.bench.calibration

fairness: .venv/test.stamp  ## what a search that cheats wins of the fair one (ten minutes of one core)
	@$(BIN)/python -m tests.bench.fairness

# -------------------------------------------------------------------------------------------------- format and lint
format:  ## lay out all sources
	@$(BIN)/ruff check --quiet --fix-only . && $(BIN)/ruff format --quiet .
	@$(BIN)/clang-format -i $(CPP)
	@cd proto && ../$(BIN)/buf format -w

.PHONY: format-check
format-check: .venv/dev.stamp
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run -Werror $(CPP)

lint: .venv/dev.stamp  ## ruff and clang-tidy
	@$(BIN)/ruff check .
	$(call cpp_build,cpp,-DCMAKE_BUILD_TYPE=Release)
	@find engine_cpp/core engine_cpp/games -name '*.cpp' | xargs -P "$$(nproc)" -n 1 $(BIN)/clang-tidy --quiet -p build/cpp 2>build/clang-tidy.log || { cat build/clang-tidy.log; exit 1; }

# Type checkers and import-linter see the packages where they are installed to, not where they lie: a tree of links.
build/types: .venv/dev.stamp
	@rm -rf $@ && mkdir -p $@/kingsbridge/pyengine
	@ln -s $(CURDIR)/ai $(CURDIR)/server $@/kingsbridge/
	@ln -s $(CURDIR)/pyengine/* $@/kingsbridge/pyengine/
	@ln -s $$($(BIN)/python -c 'import kingsbridge.pyengine._core as c; print(c.__file__)') $@/kingsbridge/pyengine/
	@ln -s $$($(BIN)/python -c 'import kingsbridge.v1; print(list(kingsbridge.v1.__path__)[0])') $@/kingsbridge/v1

types: .venv/dev.stamp build/types  ## mypy strict, and the stub of the core against the core
	@MYPYPATH=build/types $(BIN)/mypy -p kingsbridge.pyengine -p kingsbridge.ai -p kingsbridge.server
	@MYPYPATH=build/types $(BIN)/mypy --explicit-package-bases tests
	@MYPYPATH=build/types $(BIN)/stubtest --allowlist .ci/stubtest.allowlist kingsbridge.pyengine._core

contracts: .venv/dev.stamp build/types  ## which layer may import which
	@PYTHONPATH=build/types $(BIN)/lint-imports --no-logo

proto: .venv/dev.stamp  ## lint the protos and refuse changes that break clients of the last release
	@cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf format --diff --exit-code && ../$(BIN)/buf breaking --against ../tests/data/proto/kingsbridge_v1.json

baseline: .venv/dev.stamp  ## record the protos as those of a release; later breaking changes are refused
	@mkdir -p tests/data/proto && cd proto && ../$(BIN)/buf build --exclude-source-info -o ../tests/data/proto/kingsbridge_v1.json

# ------------------------------------------------------------------------------------------------------------- bench
bench: .venv/bench.stamp  ## speed of engine, search and server, as medians; ratios within one run
	$(call cpp_build,cpp,-DCMAKE_BUILD_TYPE=Release)
	@$(BIN)/python tests/bench/bench.py
	@$(BIN)/python -m tests.bench.bench_server
	@$(BIN)/python -m tests.bench.bench_deadlines --scale 0.3
	@$(BIN)/python -m tests.bench.bench_tournament overhead
	@$(BIN)/python -m tests.bench.bench_tournament pairing --blocks 100

bench-deadlines: .venv/bench.stamp  ## how late decisions come, idle and loaded, and after a stop (some minutes)
	@$(BIN)/python -m tests.bench.bench_deadlines

# Valgrind counts, so neither a busy machine nor its clock has a say.
instructions: .venv/dev.stamp  ## refuse an engine that needs more instructions for the same work
	$(call cpp_build,cpp,-DCMAKE_BUILD_TYPE=Release)
	@$(BIN)/python -m tests.bench.instructions

instructions-baseline: .venv/dev.stamp  ## record the instructions that later ones are compared with
	$(call cpp_build,cpp,-DCMAKE_BUILD_TYPE=Release)
	@$(BIN)/python -m tests.bench.instructions --record

signatures: .venv/dev.stamp  ## keep how the games are played now, after a change of that
	@$(BIN)/python -m tests.data.make_signatures

clean:  ## remove all that was built
	@rm -rf build .venv
