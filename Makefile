# Everything runs with Go and make alone; a C compiler is wanted only for the
# race detector and is installed where the system allows it.

GO          ?= go
BIN         := bin/tengen
GOFUMPT     := $(GO) run mvdan.cc/gofumpt@v0.12.0
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
SOURCES     := $(shell find . -name '*.go' -not -path './.git/*')

# Packages whose tests run under the race detector. The detector slows a search
# about tenfold, so the packages that search for long run without it as well.
RACE_PACKAGES ?= ./board ./nogo ./engine ./gtp ./internal/bigmem ./internal/cli ./internal/wholefile ./internal/player ./internal/solver/superko ./internal/session ./internal/match ./internal/tui ./internal/train/...
RACE_TIMEOUT  ?= 10m
TEST_TIMEOUT  ?= 15m
LONG_TIMEOUT  ?= 6h

.PHONY: all build test test-long invariants race lint fmt cover bench results man clean compiler

all: build

build:
	$(GO) build -o $(BIN) ./cmd/tengen

test: build lint
	$(GO) test -timeout $(TEST_TIMEOUT) ./...
	@$(MAKE) --no-print-directory invariants
	@$(MAKE) --no-print-directory race

test-long: build lint
	TENGEN_LONG=1 $(GO) test -timeout $(LONG_TIMEOUT) ./...

# The packages with assertions that are compiled away otherwise.
invariants:
	$(GO) test -tags invariants ./internal/bigmem
	$(GO) test -tags invariants -run AgainstWholeGraph ./internal/solver/retro
	$(GO) test -tags invariants -run MemoryIsReturned ./engine

# -short keeps the raced tests to what exercises concurrency.
race: compiler
	@if command -v $${CC:-cc} >/dev/null 2>&1; then \
		echo "$(GO) test -race -short $(RACE_PACKAGES)"; \
		CGO_ENABLED=1 $(GO) test -race -short -timeout $(RACE_TIMEOUT) $(RACE_PACKAGES); \
	else \
		echo "no C compiler: the race detector is left out"; \
	fi

compiler:
	@command -v $${CC:-cc} >/dev/null 2>&1 || { \
		command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null; \
	} || true

lint:
	@unformatted=$$($(GOFUMPT) -l $(SOURCES)); \
		if [ -n "$$unformatted" ]; then echo "run make fmt; not formatted:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...

fmt:
	$(GOFUMPT) -w $(SOURCES)

cover:
	$(GO) test -short -coverpkg=./... -coverprofile=coverage.out ./...
	$(GO) tool cover -func=coverage.out | tail -1
	$(GO) tool cover -html=coverage.out -o coverage.html

bench: build
	$(BIN) bench
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...

# The rows of docs/results.md; RESULTS="-from 21 -to 25" for larger boards.
RESULTS ?= -to 20
results:
	$(GO) run ./internal/results $(RESULTS)

man: build
	$(BIN) man man

clean:
	rm -rf bin man coverage.out coverage.html
