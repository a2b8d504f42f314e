# make run    installs what is needed, builds, and decodes the recordings in Samples/
# make test   installs the same, and runs every test
# See README.md for the others.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# Debian and Ubuntu packages for building and running, and what only the tests need on top.
PACKAGES := libasound2-dev libfftw3-dev libpq-dev libsndfile1-dev libsqlite3-dev pkg-config
TEST_PACKAGES := ffmpeg postgresql

# One configuration for everything, so that no target builds again what another one has built.
CONFIGURATION := -c release -Xswiftc -enable-testing
BUILD := .build/release
BINARY := $(BUILD)/chirp

MAN := $(DESTDIR)$(PREFIX)/share/man/man1
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/chirp
ZSH_COMPLETION := $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_chirp
FISH_COMPLETION := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/chirp.fish

.PHONY: run build test test-build deps test-deps swift lint format samples install uninstall clean

run: build
	@echo
	@echo '$$ chirp decode Samples/*'
	@$(BINARY) decode Samples/*

build: deps swift
	$(SWIFT) build $(CONFIGURATION) --product chirp

test: test-deps swift lint test-build
	$(SWIFT) test $(CONFIGURATION) --skip-build

# The compiler takes warnings in our targets for errors; the package manager's own are looked for here.
test-build:
	@mkdir -p .build
	$(SWIFT) build $(CONFIGURATION) --build-tests 2>&1 | tee .build/test-build.log
	@! grep "warning: '$(shell echo $(notdir $(CURDIR)) | tr A-Z a-z)'" .build/test-build.log

# $(call install-packages,PACKAGES): installs those that are missing, by root or sudo, or says which to ask for.
define install-packages
	@command -v dpkg-query >/dev/null || { \
	  echo 'chirp is built with the libraries of Debian and Ubuntu. On another system, install what these packages'; \
	  echo 'stand for, and run swift build -c release: $(1)'; exit 1; }; \
	missing=; for package in $(1); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then as_root=; \
	elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as_root=sudo; \
	else echo "These packages are missing. Ask an administrator for: apt-get install$$missing"; exit 1; fi; \
	echo "Installing$$missing"; \
	$$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null || \
	  { echo "Could not install$$missing: see above."; exit 1; }
endef

deps:
	$(call install-packages,$(PACKAGES))

test-deps:
	$(call install-packages,$(PACKAGES) $(TEST_PACKAGES))

swift:
	@command -v $(firstword $(SWIFT)) >/dev/null || { \
	  echo 'Swift 6.2 or later is needed: see https://www.swift.org/install/linux/'; exit 1; }

lint: swift
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format: swift
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

# The recordings in Samples/, made anew: the same bytes from the same libraries.
samples: build
	$(BINARY) make-samples Samples --pitches Tests/ChirpTests/Vectors/measured-pitches.json

# Man pages and completions are made from the commands' own help.
install: build
	$(SWIFT) build $(CONFIGURATION) --product generate-manual
	rm -rf $(BUILD)/man && mkdir -p $(BUILD)/man
	$(BUILD)/generate-manual $(BINARY) --multi-page --output-directory $(BUILD)/man
	install -D -s -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/chirp
	install -d $(MAN)
	install -m 644 $(BUILD)/man/*.1 $(MAN)
	install -d $(dir $(BASH_COMPLETION)) $(dir $(ZSH_COMPLETION)) $(dir $(FISH_COMPLETION))
	$(BINARY) --generate-completion-script bash >$(BASH_COMPLETION)
	$(BINARY) --generate-completion-script zsh >$(ZSH_COMPLETION)
	$(BINARY) --generate-completion-script fish >$(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/chirp $(MAN)/chirp.1 $(MAN)/chirp.*.1
	rm -f $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

clean:
	$(SWIFT) package clean
