# make test       everything that has to hold, with the race detector, on real peers where they can be had
# make lint       what gofmt and staticcheck find fault with
# make test-long  what needs more time: long fault runs, ten minutes of real clients judged by their logs, and ten million fuzzed trees and names
# make peers-test  the suites of go-zookeeper and kazoo, as they ship them, against the embedded server (some minutes); and the package installed in a directory
# make truth      a bench for truth: worlds whose every thread is known, judged; adds to docs/truth.tsv and writes docs/truth.md
# make bench      benchmarks, each beside a peer in the same run
# make dist       binaries for every system, packages, their parts and checksums, into dist/
# make dist-check all of that twice, from clones in two places, and byte for byte the same (some minutes); and the package installed in a directory
# make shots      draw docs/screenshots and the golden frames anew

GO ?= go
PKGS ?= ./...
FUZZ ?= inspect:FuzzDecodeTree:7000000x inspect:FuzzDecode:1000000x inspect/layout:FuzzParseName:2000000x

.PHONY: all build lint test test-long peers-test truth bench dist dist-check shots peers peers-long

all: build

build:
	$(GO) build -o zkscope .

# Fetched and built by the go command once, and then taken from its caches.
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "not formatted: $$unformatted"; exit 1; }
	$(GO) run $(STATICCHECK) $(PKGS)

test: peers
	$(GO) vet $(PKGS)
	GOOS=windows $(GO) vet .
	$(GO) test -race -timeout 10m $(PKGS)
	$(GO) test -timeout 5m -run Borrowed ./recipes
	@./.ci/peers report

test-long: peers-long
	ZKSCOPE_LONG=1 $(GO) test -race -timeout 60m $(PKGS)
	@for t in $(FUZZ); do \
	  ( IFS=:; set -- $$t; exec $(GO) test "./$$1" -run '^$$' -fuzz "^$$2\$$" -fuzztime "$$3" -timeout 0 ) || exit 1; done

# REAL=1 runs them on real servers instead, to see what they come to there.
peers-test:
	@./.ci/peers suites
	ZKSCOPE_SUITES=1 ZKSCOPE_SUITES_REAL=$(REAL) $(GO) test -count=1 -v -timeout 40m ./internal/suites

# At most WORLDS worlds of ten virtual minutes, and at most MINUTES of our time. Runs of the same code add up.
WORLDS ?= 1000
MINUTES ?= 58
truth:
	ZKSCOPE_TRUTH_WORLDS=$(WORLDS) ZKSCOPE_TRUTH_MINUTES=$(MINUTES) ZKSCOPE_TRUTH_RESULTS=../../docs/truth.tsv \
	ZKSCOPE_TRUTH_BEFORE=../../docs/truth-before.tsv ZKSCOPE_TRUTH_TABLE=../../docs/truth.md \
	$(GO) test -count=1 -v -timeout 70m -run 'TestTruth$$' ./internal/truth

bench: peers
	$(GO) test -run '^$$' -bench . -benchtime 5x -timeout 30m ./inspect/... ./internal/mirror ./tui

dist:
	$(GO) run ./packaging/dist

dist-check:
	$(GO) run ./packaging/dist -check

shots:
	$(GO) test -count=1 ./tui -update

peers:
	@./.ci/peers install

peers-long:
	@./.ci/peers long
