# make run    installs what is needed, builds, and decodes the recordings in Samples/
# make test   installs the same, and runs every test
# See README.md for the others.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# Debian and Ubuntu packages for building and running, and what only the tests need on top.
PACKAGES := libasound2-dev libcurl4-openssl-dev libfftw3-dev libpq-dev libsndfile1-dev libsqlite3-dev libssl-dev pkg-config
TEST_PACKAGES := chromium curl ffmpeg fonts-dejavu-core gnuplot-nox libasound2-plugins nginx openssl postgresql pulseaudio \
  pulseaudio-utils python3 python3-venv systemd
# What only the receiver for browsers needs; of packages with | between them the first that the system has.
WASM_PACKAGES := binaryen libclang-rt-14-dev-wasm32|libclang-rt-19-dev-wasm32|libclang-rt-18-dev-wasm32 wasi-libc

# What the library for C and the wheel for Python are made with, and what their tests need on top.
LIBRARY_PACKAGES := libfftw3-dev pkg-config
BINDING_PACKAGES := $(LIBRARY_PACKAGES) gcc libc6-dev python3 python3-venv valgrind

# One configuration for everything, so that no target builds again what another one has built.
CONFIGURATION := -c release -Xswiftc -enable-testing
BUILD := .build/release

# chirp itself has Swift's libraries in it where this Swift comes with them: it runs where no Swift is, starts in two thirds
# of the time and takes 10 MB less; make SWIFT_ARCHIVES= leaves them out. Packed relative relocations are a tenth of the size,
# and read by glibc from 2.36 on.
unexport CHIRP_STATIC
SWIFT_ARCHIVES := $(wildcard $(shell $(SWIFT) -static-stdlib -print-target-info 2>/dev/null | \
  sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/linux/libFoundation.a)
GLIBC_MINOR := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.*\.//')
PACKED_RELOCATIONS := $(shell [ 0$(GLIBC_MINOR) -ge 36 ] && echo -Xlinker -z -Xlinker pack-relative-relocs)
# What decoding needs lies side by side, and 5 MB less of the program are in memory; make order writes the list again, which need
# not be complete.
ORDER := -Xlinker '--symbol-ordering-file=$(CURDIR)/Packaging/functions.order' -Xlinker --no-warn-symbol-ordering
# The C++ library in it as well, of which Swift's need little: it alone is in a folder in which it is looked for first.
CXX_ARCHIVE := $(shell ls /usr/lib/gcc/$$(uname -m)-linux-gnu/*/libstdc++.a 2>/dev/null | sort -V | tail -n 1)
CXX_FOLDER := .build/c++
CXX_LINKING := $(if $(CXX_ARCHIVE),-Xlinker '-L$(CURDIR)/$(CXX_FOLDER)')
LINKING := $(if $(SWIFT_ARCHIVES),$(PACKED_RELOCATIONS) $(ORDER) $(CXX_LINKING))
BINARY := $(BUILD)/chirp
VENV := .build/venv

# What is installed, laid out under $(STAGE) as it will be under PREFIX.
STAGE := .build/install
MAN := share/man/man1
BASH_COMPLETION := share/bash-completion/completions
ZSH_COMPLETION := share/zsh/site-functions
FISH_COMPLETION := share/fish/vendor_completions.d
DESKTOP := share/applications/chirp-shortcodes.desktop
ICON := share/icons/hicolor/scalable/apps/chirp-shortcodes.svg

.PHONY: fuzz-core fuzz-sound fuzz-service fuzz test-fuzz test-fuzz-all test-asan test-tsan third-party test-third-party test-bench
.PHONY: accuracy fit order bench bench-formats bench-live bench-page bench-peers bench-service bench-starvation bench-wasm soak run build sweep-formats test test-service test-description \
  test-build test-wasm gate-trials icons wasm npm deps test-deps test-bindings library install-library wheel swift lint format samples stage \
  install uninstall clean packed deb tarball test-deb test-package

run: build
	@echo
	@echo '$$ chirp decode Samples/*'
	@$(BINARY) decode Samples/*

build: swift deps
	$(if $(CXX_ARCHIVE),@mkdir -p $(CXX_FOLDER) && ln -sf $(CXX_ARCHIVE) $(CXX_FOLDER)/)
	$(if $(SWIFT_ARCHIVES),CHIRP_STATIC=1 )$(SWIFT) build $(CONFIGURATION) --product chirp $(LINKING)

order: build
	$(call install-packages,binutils valgrind)
	Tools/order-functions.sh $(BINARY)

# The tests' modules in the order of the path from code to program, and after them any that is not named here.
SUITES := ChirpTests ChirpLabTests ChirpSoundTests ChirpLinksTests ChirpServiceTests ChirpCommandTests ChirpLiveTests
SUITES += $(filter-out $(SUITES),$(notdir $(wildcard Tests/*Tests)))

# Module by module: tests that wait for servers and devices do not wait for those that compute.
# The chirp that they run is the one that is installed. The failures of a module are repeated at its end.
test: swift test-deps lint test-build test-third-party
	@$(MAKE) --no-print-directory build
	@log=$$(mktemp); trap 'rm -f "$$log"' EXIT; for suite in $(SUITES); do \
	  echo "$$suite"; $(SWIFT) test $(CONFIGURATION) --skip-build --filter "^$$suite\." 2>&1 | tee "$$log" \
	    || { echo; echo "Failed in $$suite:"; grep -A 4 -E '✘|Fatal error|error:' "$$log"; exit 1; }; done
	@$(MAKE) --no-print-directory test-fuzz
	@$(MAKE) --no-print-directory test-bench
	@$(MAKE) --no-print-directory test-bindings
	@$(MAKE) --no-print-directory docs
	@$(MAKE) --no-print-directory test-parallel
	@$(MAKE) --no-print-directory test-wasm
	@$(MAKE) --no-print-directory test-service
	@$(MAKE) --no-print-directory test-deb

# The service from outside: in a browser, behind nginx, and by everything that its description describes.
test-service: wasm gate-trials $(VENV)/installed
	$(VENV)/bin/python -m pytest -q -p no:cacheprovider Tests/EndToEnd

# Two services over one PostgreSQL that is restarted and cut off, a listener whose sound server is killed, and 100 hours through a
# pipe. As root, for network namespaces.
MINUTES ?= 30
soak: build
	$(call install-packages,$(TEST_PACKAGES) iproute2 util-linux)
	python3 Tests/Soak/soak.py $(MINUTES)

# How long look-ups take while 32 hostile sounds are decoded, beside an idle service.
bench-starvation: build
	$(call install-packages,python3)
	cd Tests/EndToEnd && python3 measure_starvation.py

# The last of these with more than 10,000 requests.
test-description: build $(VENV)/installed
	CHIRP_EXAMPLES=300 CHIRP_LEAST_REQUESTS=10000 $(VENV)/bin/python -m pytest -q -s -p no:cacheprovider \
	  Tests/EndToEnd/test_description.py

# The receiver, sender and code parser for browsers, Node and Deno: chirp.js, chirp.d.ts and chirp.wasm in .build/wasm.
WASM := .build/wasm

NUMERICS := .build/checkouts/swift-numerics

# Folders are newer when a file in them has gone.
WASM_SOURCES := Tools/make-wasm.sh Sources/ChirpSound/Live/ToneMeter.swift Sources/ChirpService/Resources/chirp.js \
  Sources/ChirpService/Resources/chirp.d.ts $(shell find Sources/Chirp Sources/ChirpWasm -type d -o -name '*.swift')

$(WASM)/chirp.wasm: $(WASM_SOURCES) | swift $(NUMERICS)
	$(call install-packages,$(addsuffix ',$(addprefix ',$(WASM_PACKAGES))))
	Tools/make-wasm.sh $(NUMERICS) $(WASM)

wasm: $(WASM)/chirp.wasm
	@ls -l $(WASM)/chirp.*
	@mkdir -p $(BUILD)
	@cp $(WASM)/chirp.wasm $(BUILD)/

# The same as a package for Node and bundlers.
npm: wasm
	@Tools/make-notices.py $(NOTICES)/module --of module
	@Tools/make-npm.sh $(WASM) $(NOTICES)/module dist

$(NUMERICS):
	$(SWIFT) package resolve

# The same module in Node, beside the native receiver and synthesiser, and in Deno, by its types.
DENO := .build/deno

test-wasm: wasm build gate-trials $(DENO)/installed
	$(call install-packages,ffmpeg nodejs)
	node --test Tests/Wasm/
	DENO_DIR=$(DENO)/cache NO_COLOR=1 $(DENO)/bin/deno test --no-config --no-remote --no-npm --allow-read Tests/Deno

$(DENO)/installed: Tests/Deno/requirements.txt
	$(call install-packages,python3 python3-venv)
	python3 -m venv $(DENO)
	$(DENO)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# Measures formats with other numbers than those that were chosen: docs/FORMATS.md.
sweep-formats: swift
	$(SWIFT) build $(CONFIGURATION) --product format-sweep
	$(BUILD)/format-sweep 100 41

# Fits the receiver's acceptance model to the laboratory, on recordings and seeds that the accuracy tables never use: about ten minutes.
fit: swift
	$(call install-packages,espeak-ng ffmpeg python3)
	$(SWIFT) build $(CONFIGURATION) --product fit-acceptance
	Tools/fit-acceptance.sh $(BUILD)/fit-acceptance

# What writes the regression gate's trials, with what the native receiver hears in them.
gate-trials: swift
	$(SWIFT) build $(CONFIGURATION) --product gate-trials

# What listening in the page costs, and how late a code shows.
bench-page: build wasm test-deps $(VENV)/installed
	$(VENV)/bin/pip install --quiet --disable-pip-version-check numpy
	cd Tests/EndToEnd && $(abspath $(VENV))/bin/python measure_listening.py

bench-wasm: wasm
	$(call install-packages,nodejs)
	node Tools/bench-wasm.mjs

bench-service: build
	$(call install-packages,wrk python3)
	$(SWIFT) build $(CONFIGURATION) --product hello-service
	cd Tests/EndToEnd && python3 benchmark.py --check

$(VENV)/installed: Tests/EndToEnd/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# The library for C: libchirp.so with Swift's libraries in it, chirp.h, pkg-config's file and the manual page, laid out under
# $(LIBRARY) as they will be under PREFIX. The version stands in one place of the sources.
LIBRARY := .build/library
VERSION := $(shell sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Chirp/ChirpVersion.swift)
SONAME := libchirp.so.$(firstword $(subst ., ,$(VERSION)))

library: swift
	$(call install-packages,$(LIBRARY_PACKAGES))
	$(SWIFT) build $(CONFIGURATION) --product ChirpC
	@rm -rf $(LIBRARY)
	@mkdir -p $(LIBRARY)/include $(LIBRARY)/lib/pkgconfig $(LIBRARY)/share/man/man3
	$(SWIFT)c -emit-library -static-stdlib -use-ld=lld $(BUILD)/ChirpC.build/*.o $(BUILD)/libChirpC.a -lfftw3f_threads -lfftw3f \
	  -Xlinker --version-script=Sources/ChirpC/symbols.map -Xlinker -soname=$(SONAME) \
	  -Xlinker --gc-sections -Xlinker --no-undefined -Xlinker -s -o $(LIBRARY)/lib/libchirp.so.$(VERSION)
	@ln -s libchirp.so.$(VERSION) $(LIBRARY)/lib/$(SONAME)
	@ln -s $(SONAME) $(LIBRARY)/lib/libchirp.so
	@install -m 644 Sources/CChirp/chirp.h $(LIBRARY)/include
	@sed 's/@VERSION@/$(VERSION)/' Bindings/C/chirp.pc.in >$(LIBRARY)/lib/pkgconfig/chirp.pc
	@sed 's/@VERSION@/$(VERSION)/' Bindings/C/chirp.3 >$(LIBRARY)/share/man/man3/chirp.3
	@chmod -R u=rwX,go=rX $(LIBRARY)

install-library: library
	$(call at-destination,mkdir -p '$(DESTDIR)$(PREFIX)')
	$(call at-destination,cp -R $(LIBRARY)/. '$(DESTDIR)$(PREFIX)/')
	$(if $(DESTDIR),,$(call at-destination,sh -c 'command -v ldconfig >/dev/null && [ "$$(id -u)" = 0 ] && ldconfig || true'))
	@echo 'Installed $(DESTDIR)$(PREFIX)/lib/$(SONAME), with chirp.h, chirp.pc and chirp(3).'

# The package for Python, with the library in it: dist/chirp-*.whl.
BINDINGS_VENV := .build/bindings
WHEEL := .build/wheel

$(BINDINGS_VENV)/installed: Tests/Bindings/requirements.txt
	$(call install-packages,$(BINDING_PACKAGES))
	python3 -m venv $(BINDINGS_VENV)
	$(BINDINGS_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# auditwheel puts FFTW into the wheel and says on which systems it runs (manylinux).
wheel: library $(BINDINGS_VENV)/installed
	@rm -rf $(WHEEL) dist/chirp-*.whl
	@mkdir -p $(WHEEL) dist
	@cp -R Bindings/Python $(WHEEL)/source
	@cp -L $(LIBRARY)/lib/libchirp.so $(WHEEL)/source/src/chirp/
	@cp LICENSE $(WHEEL)/source/
	@Tools/make-notices.py $(WHEEL)/source --of wheel
	CHIRP_VERSION=$(VERSION) $(BINDINGS_VENV)/bin/pip wheel --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --wheel-dir $(WHEEL) $(WHEEL)/source
	PATH="$(CURDIR)/$(BINDINGS_VENV)/bin:$$PATH" auditwheel repair --wheel-dir dist $(WHEEL)/chirp-*.whl
	@ls dist/chirp-*.whl

# The library from C and from Python, and the examples.
test-bindings: wheel
	$(SWIFT) build $(CONFIGURATION) --product roundtrip-example
	$(SWIFT) build $(CONFIGURATION) --product rawlisten-example
	$(SWIFT) build $(CONFIGURATION) --product parity-example
	$(BINDINGS_VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/chirp-*.whl
	$(BINDINGS_VENV)/bin/mypy --strict --config-file Bindings/Python/pyproject.toml -p chirp
	$(BINDINGS_VENV)/bin/mypy --strict Examples/Python
	$(BINDINGS_VENV)/bin/python -m pytest -q -p no:cacheprovider Tests/Bindings

.PHONY: docs test-parallel test-spark bench-spark bench-python

# Examples/parallel on two hosts, both of them this machine, one of which is killed.
test-parallel: build wheel
	$(call install-packages,openssh-client openssh-server parallel)
	$(BINDINGS_VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/chirp-*.whl
	$(BINDINGS_VENV)/bin/python -m pytest -q -p no:cacheprovider Tests/Cluster/test_parallel.py

# Examples/spark on a cluster of two workers, one of which is killed; Spark takes half a gigabyte of disk.
SPARK_VENV := .build/spark

$(SPARK_VENV)/installed: Tests/Cluster/requirements.txt
	$(call install-packages,$(BINDING_PACKAGES) default-jre-headless procps)
	python3 -m venv $(SPARK_VENV)
	$(SPARK_VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

test-spark: wheel $(SPARK_VENV)/installed
	$(SPARK_VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/chirp-*.whl
	$(SPARK_VENV)/bin/python -m pytest -q -p no:cacheprovider Tests/Cluster/test_spark.py

# Throughput with one and with two workers: make bench-spark HOUR=a.wav
bench-spark: wheel $(SPARK_VENV)/installed
	$(SPARK_VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/chirp-*.whl
	$(SPARK_VENV)/bin/python Tests/Cluster/bench_spark.py $(HOUR)

# The Python package beside chirp decode on an hour of samples.
bench-python: build wheel
	$(BINDINGS_VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/chirp-*.whl
	$(BINDINGS_VENV)/bin/python Tools/bench-python.py $(BINARY)

# The documentation of the library for Swift, as pages for any web server, in .build/docs. The compiler's own docc makes them of
# the module that is built anyway: the package manager's plugin would do the same with a second build, and every package that
# uses the library would fetch it.
DOCS := .build/docs
DOCC := $(dir $(realpath $(shell command -v $(firstword $(SWIFT)))))docc

docs: swift deps
	$(SWIFT) build $(CONFIGURATION) --target Chirp
	@rm -rf $(DOCS) .build/symbols .build/Chirp.docc && mkdir -p .build/symbols
	@cp -RL Sources/Chirp/Chirp.docc .build/
	@python3 Tests/Bindings/surface.py .build/symbols >/dev/null
	$(DOCC) convert .build/Chirp.docc --additional-symbol-graph-dir .build/symbols --output-dir $(DOCS) \
	  --fallback-display-name Chirp --fallback-bundle-identifier chirp --fallback-default-module-kind Library \
	  --transform-for-static-hosting --warnings-as-errors --analyze
	@echo 'Documentation: $(DOCS)/documentation/chirp/index.html, over HTTP: python3 -m http.server --directory $(DOCS)'

# What live sound costs, on a sound server of its own: latency, time to silence, processor, memory; about eight minutes.
bench-live: test-deps build
	$(SWIFT) build $(CONFIGURATION) --product live-benchmark
	$(BUILD)/live-benchmark

# The compiler takes warnings in our targets for errors; the package manager's own are looked for here.
test-build:
	@mkdir -p .build
	$(SWIFT) build $(CONFIGURATION) --build-tests 2>&1 | tee .build/test-build.log
	@! grep "warning: '$(shell echo $(notdir $(CURDIR)) | tr A-Z a-z)'" .build/test-build.log

# $(call install-packages,PACKAGES): installs those that are missing, by root or sudo, or says which to ask for.
define install-packages
	@command -v dpkg-query >/dev/null || { \
	  echo 'chirp is built with the libraries of Debian and Ubuntu. On another system, install what these packages'; \
	  echo "stand for, and run swift build -c release: $(1)"; exit 1; }; \
	missing=; for package in $(1); do \
	  found=$$(dpkg-query -W -f '$${Status}\n' $${package//|/ } 2>/dev/null || true); \
	  [[ "$$found" == *'ok installed'* ]] || missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then as_root=; \
	elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as_root=sudo; \
	else echo "These packages are missing. Ask an administrator for: apt-get install$$(printf ' %s' $$missing | sed 's/|[^ ]*//g')"; \
	  exit 1; fi; \
	echo "Installing$$missing"; \
	$$as_root apt-get update -qq && \
	names=$$(for package in $$missing; do for name in $${package//|/ }; do \
	  if apt-cache show "$$name" >/dev/null 2>&1; then echo "$$name"; continue 2; fi; done; echo "$${package%%|*}"; done) && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$names >/dev/null || \
	  { echo "Could not install$$missing: see above."; exit 1; }
endef

deps:
	$(call install-packages,$(PACKAGES))

test-deps:
	$(call install-packages,$(PACKAGES) $(TEST_PACKAGES))

swift:
	@command -v $(firstword $(SWIFT)) >/dev/null || { \
	  echo 'Swift 6.2 or later is needed: see https://www.swift.org/install/linux/'; exit 1; }

# libFuzzer on what strangers send, with coverage of this package's modules and the address sanitizer: docs/FUZZING.md.
#   make fuzz TARGET=receiver SECONDS=1800
# It starts from Fuzz/Corpus, keeps what it learns in .build/fuzz-corpus, and puts finds into .build/fuzz-finds.
FUZZ_CORE_TARGETS := codes correction receiver formats
FUZZ_SOUND_TARGETS := files pipes raw
FUZZ_SERVICE_TARGETS := requests pages links texts entries answers routes bodies connections
FUZZ_TARGETS := $(FUZZ_CORE_TARGETS) $(FUZZ_SOUND_TARGETS) $(FUZZ_SERVICE_TARGETS)
# Parses pages as browsers do.
FUZZ_PACKAGES := libgumbo-dev
TARGET ?= codes
SECONDS ?= 60
# Traces of a crash are found with a debugger; the fuzzer's own take minutes. Leaks are not looked for where a registry is open:
# Data marks its pointers, and what is only reached through it would count as lost.
FUZZ_ENVIRONMENT = SWIFT_BACKTRACE=enable=no \
  ASAN_OPTIONS=symbolize=0$(if $(filter $(1),$(FUZZ_SERVICE_TARGETS)),:detect_leaks=0)
# Longer than a busy machine takes for the longest sound.
FUZZ_OPTIONS := -timeout=1200 -rss_limit_mb=3000 -print_final_stats=1
FUZZ_BUILD := CHIRP_FUZZ=1 $(SWIFT) build $(CONFIGURATION)

# $(call fuzz-program,TARGET)
fuzz-program = fuzz-$(if $(filter $(1),$(FUZZ_CORE_TARGETS)),core,$(if $(filter $(1),$(FUZZ_SOUND_TARGETS)),sound,service))

# The instrumented programs: that of the core is built in a minute, the others in a quarter of an hour.
fuzz-core: swift
	$(call install-packages,$(LIBRARY_PACKAGES))
	@mkdir -p .build
	@! [ -e Package.resolved ] || cp Package.resolved .build/all-resolved
	CHIRP_CORE_ONLY=1 CHIRP_SANITIZE=fuzzer,address $(FUZZ_BUILD) --scratch-path .build/fuzz-core --product fuzz-core
	@! [ -e .build/all-resolved ] || mv .build/all-resolved Package.resolved

fuzz-sound fuzz-service: swift deps
	$(call install-packages,$(FUZZ_PACKAGES))
	CHIRP_SANITIZE=fuzzer,address $(FUZZ_BUILD) --scratch-path .build/fuzz-all --product $@

# $(call fuzz-command,PROGRAM,TARGET,OPTIONS)
fuzz-command = $(call FUZZ_ENVIRONMENT,$(2)) nice $(1) $(2) $(FUZZ_OPTIONS) \
  $(if $(filter receiver formats,$(2)),-max_len=256) $(addprefix -dict=,$(wildcard Fuzz/Dictionaries/$(2).dict)) $(3) \
  $(wildcard Fuzz/Corpus/$(2) Fuzz/Regressions/$(2))

fuzz: $(call fuzz-program,$(TARGET))
	@mkdir -p .build/fuzz-corpus/$(TARGET) .build/fuzz-finds
	$(call fuzz-command,$(if $(filter fuzz-core,$<),.build/fuzz-core,.build/fuzz-all)/release/$<,$(TARGET),\
	  -timeout=60 -max_total_time=$(SECONDS) -artifact_prefix=.build/fuzz-finds/$(TARGET)- .build/fuzz-corpus/$(TARGET))

# As CI does: each target's corpus and every find that was mended, and then 20 seconds of searching, three targets at a time. Only
# the core is instrumented; the other programs are linked from what the tests have built anyway.
test-fuzz: fuzz-core deps
	$(call install-packages,$(FUZZ_PACKAGES))
	$(FUZZ_BUILD) --product fuzz-sound
	$(FUZZ_BUILD) --product fuzz-service
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P 3 -I {} $(MAKE) --no-print-directory replay TARGET={} \
	  PROGRAM_OF_CORE=.build/fuzz-core/release PROGRAM=$(BUILD)

# The same with every module instrumented.
test-fuzz-all: fuzz-core fuzz-sound fuzz-service
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P 3 -I {} $(MAKE) --no-print-directory replay TARGET={} \
	  PROGRAM_OF_CORE=.build/fuzz-core/release PROGRAM=.build/fuzz-all/release

.PHONY: replay
replay: CHOSEN = $(if $(filter fuzz-core,$(call fuzz-program,$(TARGET))),$(PROGRAM_OF_CORE),$(PROGRAM))/$(call fuzz-program,$(TARGET))
replay:
	@work=$$(mktemp -d) && \
	if { $(call fuzz-command,$(CHOSEN),$(TARGET),-runs=0 -artifact_prefix=.build/) && \
	  $(call fuzz-command,$(CHOSEN),$(TARGET),-seed=1 -max_total_time=20 -artifact_prefix=.build/ $$work); \
	  } >.build/fuzz-$(TARGET).log 2>&1 </dev/null; \
	then rm -r $$work; sed -n 's/^stat::number_of_executed_units: */fuzz $(TARGET) /p' .build/fuzz-$(TARGET).log | tail -n 1; \
	else rm -r $$work; cat .build/fuzz-$(TARGET).log; exit 1; fi

# The suites under the address and the thread sanitizer, in builds of their own in which this package's modules are instrumented.
# SUITES= chooses. What is not looked for, and why: Tests/Sanitizers.
SANITIZED = CHIRP_SANITIZE=$(1) SWIFT_BACKTRACE=enable=no $(SWIFT) test $(CONFIGURATION) --scratch-path .build/sanitize-$(1)

test-asan: test-deps swift
	@for suite in $(SUITES); do echo "$$suite"; \
	  ASAN_OPTIONS=detect_leaks=0 $(call SANITIZED,address) --filter "^$$suite\." || exit 1; done

test-tsan: test-deps swift
	@for suite in $(SUITES); do echo "$$suite"; \
	  TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/races.txt $(call SANITIZED,thread) --filter "^$$suite\." || exit 1; done

# docs/THIRD-PARTY.md: what is linked and shipped, and under which licences.
third-party: $(NUMERICS)
	Tools/make-third-party.py

test-third-party: $(NUMERICS)
	Tools/make-third-party.py --check

# Speed of each stage, in a package of its own: internal parts of the receiver are measured, so testing is enabled.
bench: deps swift
	cd Benchmarks && $(SWIFT) package -Xswiftc -enable-testing benchmark

# Whether the benchmarks of the receiver, which see its internal parts, can be built.
test-bench: deps swift
	cd Benchmarks && CHIRP_CORE_ONLY=1 $(SWIFT) build $(CONFIGURATION) --product ReceiverBenchmarks

# Speed and accuracy beside ggwave, which is installed into a folder of its own.
PEERS := .build/peers/bin/python3

$(PEERS):
	$(call install-packages,python3-venv python3-dev g++)
	python3 -m venv .build/peers
	.build/peers/bin/pip install --quiet --disable-pip-version-check ggwave numpy

# Music and speech that Tools/fetch-noise.sh fetches.
RECORDINGS ?= ~/.cache/chirp/noise

bench-peers: build $(PEERS)
	$(call install-packages,espeak-ng ffmpeg)
	Tools/fetch-noise.sh $(RECORDINGS)
	$(SWIFT) build $(CONFIGURATION) --product scan-benchmark
	$(PEERS) Tools/bench-peers.py --chirp $(BINARY) --scan $(BUILD)/scan-benchmark --recordings $(RECORDINGS)

# The other formats beside ggwave's protocols of the same kind.
bench-formats: build $(PEERS)
	$(PEERS) Tools/bench-formats.py --chirp $(BINARY)

# Measures everything in docs/ACCURACY.md; takes a quarter of an hour and the recordings of Tools/fetch-noise.sh.

accuracy: build $(PEERS)
	$(call install-packages,ffmpeg fonts-dejavu-core gnuplot-nox)
	$(SWIFT) build $(CONFIGURATION) --product scan-benchmark
	$(PEERS) Tools/make-accuracy.py --chirp $(BINARY) --scan $(BUILD)/scan-benchmark --recordings '$(RECORDINGS)'

# The icons of the page as an app, from its one drawing.
icons:
	$(call install-packages,librsvg2-bin)
	Tools/make-icons.sh

SWIFT_SOURCES := Package.swift Examples Fuzz/Sources Sources Tests $(addprefix Benchmarks/,Package.swift Benchmarks Live Scan)

lint: swift
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)

format: swift
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

# The recordings in Samples/, made anew: the same bytes from the same libraries.
samples: build
	$(BINARY) make-samples Samples --pitches Tests/ChirpTests/Vectors/measured-pitches.json

# The same commit makes the same bytes.
COMMIT_DATE = $(shell date -u -d "@$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}" +%F)

# Man pages and completions are made from the commands' own help. What stands in for the parser's command help is listed beside it.
stage: build
	$(call install-packages,python3)
	$(SWIFT) build $(CONFIGURATION) --product generate-manual
	@rm -rf $(STAGE)
	@mkdir -p $(STAGE)/bin $(STAGE)/$(MAN) $(STAGE)/$(BASH_COMPLETION) $(STAGE)/$(ZSH_COMPLETION) $(STAGE)/$(FISH_COMPLETION)
	@install -s -m 755 $(BINARY) $(STAGE)/bin/chirp
	@$(BUILD)/generate-manual $(BINARY) --multi-page --date $(COMMIT_DATE) --output-directory $(STAGE)/$(MAN)
	@rm $(STAGE)/$(MAN)/chirp.make-samples.1
	@sed -i -e /make-samples/d -e '/^\.Xr chirp\.help /{N;/\n\.Xr chirp\.help /D}' $(STAGE)/$(MAN)/chirp.1
	@sed -i -E -f Packaging/manual.sed $(STAGE)/$(MAN)/*
	@Tools/complete-manual.py $(BINARY) $(STAGE)/$(MAN)
	@$(BINARY) --generate-completion-script bash | sed '1{/^#!/d}' >$(STAGE)/$(BASH_COMPLETION)/chirp
	@$(BINARY) --generate-completion-script zsh >$(STAGE)/$(ZSH_COMPLETION)/_chirp
	@$(BINARY) --generate-completion-script fish >$(STAGE)/$(FISH_COMPLETION)/chirp.fish
	@if [ -e $(WASM)/chirp.wasm ]; then install -D -m 644 $(WASM)/chirp.wasm $(STAGE)/share/chirp/chirp.wasm; fi
	@install -D -m 644 Packaging/chirp-shortcodes.desktop $(STAGE)/$(DESKTOP)
	@install -D -m 644 Sources/ChirpService/Resources/icon.svg $(STAGE)/$(ICON)
	@chmod -R u=rwX,go=rX $(STAGE)

# Packages of what is installed, with the receiver for browsers: docs/PACKAGING.md.
#   make deb       dist/chirp-shortcodes_VERSION_ARCHITECTURE.deb
#   make tarball   dist/chirp-VERSION-linux-MACHINE.tar.xz, for other distributions
DEB_PACKAGES := binutils debhelper desktop-file-utils lintian xz-utils
NOTICES := .build/notices
DIST ?= dist

# The receiver for browsers is staged when it is there.
packed: $(or $(RECEIVER),wasm)
	$(call install-packages,$(DEB_PACKAGES))
	@$(MAKE) --no-print-directory stage
	Tools/make-notices.py $(NOTICES)

deb: packed
	Tools/make-deb.sh $(STAGE) $(NOTICES) $(DIST)

tarball: packed
	Tools/make-tarball.sh $(STAGE) $(NOTICES) $(DIST)

# What they hold, and what lintian says; packed with less effort, and with the receiver for browsers that is there.
test-deb: $(VENV)/installed
	@$(MAKE) --no-print-directory deb tarball DIST=.build/packages XZ_LEVEL=0 \
	  $(addprefix RECEIVER=,$(wildcard $(WASM)/chirp.wasm))
	desktop-file-validate Packaging/chirp-shortcodes.desktop
	$(VENV)/bin/python -m pytest -q -p no:cacheprovider Tests/Package/test_contents.py

# Installed, used and removed in Debian and Ubuntu without Swift: as root, in roots that debootstrap makes once in .build/roots.
test-package: test-deb
	$(call install-packages,curl debootstrap systemd)
	$(VENV)/bin/python -m pytest -q -p no:cacheprovider Tests/Package/test_roots.py

# $(call at-destination,COMMAND): runs it, by sudo where the destination is not the user's own.
define at-destination
	@folder='$(DESTDIR)$(PREFIX)'; case "$$folder" in /*) ;; *) echo "PREFIX=$(PREFIX): give a whole path, such as PREFIX=$$HOME/.local"; exit 1;; esac; \
	while [ ! -e "$$folder" ]; do folder=$$(dirname "$$folder"); done; \
	if [ -w "$$folder" ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; \
	else echo "$(DESTDIR)$(PREFIX) belongs to another user. Choose a folder: make $@ PREFIX=$$HOME/.local"; exit 1; fi; \
	$$as_root $(1)
endef

install: stage
	$(call at-destination,mkdir -p '$(DESTDIR)$(PREFIX)')
	$(call at-destination,cp -R $(STAGE)/. '$(DESTDIR)$(PREFIX)/')
	@echo 'Installed $(DESTDIR)$(PREFIX)/bin/chirp, with man pages and shell completions.'

uninstall:
	$(call at-destination,rm -f $(addprefix '$(DESTDIR)$(PREFIX)'/,bin/chirp $(MAN)/chirp.1 $(MAN)/chirp.*.1 \
	  $(BASH_COMPLETION)/chirp $(ZSH_COMPLETION)/_chirp $(FISH_COMPLETION)/chirp.fish $(DESKTOP) $(ICON) share/chirp/chirp.wasm))

clean:
	$(SWIFT) package clean
