# make test is what a change must pass. It needs Go and make; the race detector also
# needs a C compiler and the test of the page Node and chromium. What is missing is
# installed where the system allows it, and left out with a word about it where not.

GO           ?= go
BIN          := bin/tengen
SELDOM       := GOGC=400
GOFUMPT      := $(GO) tool gofumpt
STATICCHECK  := $(SELDOM) GOFLAGS="$$GOFLAGS -pgo=off" $(GO) tool staticcheck
GORELEASER   := github.com/goreleaser/goreleaser/v2@v2.16.0
TEST_TIMEOUT ?= 40m
LONG_TIMEOUT ?= 6h

.PHONY: all help build plain page page-test page-checked page-tested browser test compiled installed tested test-long waiting invariants manifests race lint vet-others fmt vuln cover bench profile results docs book site packed packed-test npm man snapshot reproducible clean compiler checker proxy verified coq

all: build

help: ## list what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' Makefile

# Only the program itself is compiled with the profile that guides the compiler. With it
# everything below cmd/tengen is compiled a second time, which tests and linters need not
# wait for. Vet has its own place, in lint, and need not come again with the tests.
# Compilers that collect garbage more SELDOM take a sixth less time.
VET  := $(SELDOM) $(GO) vet -pgo=off
TEST := $(GO) test -pgo=off -vet=off -toolexec "env $(SELDOM)"

build: ## the program, as bin/tengen
	$(GO) build -o $(BIN) ./cmd/tengen

# The program as the tests of the page start it.
PLAIN := bin/plain/tengen
plain:
	$(SELDOM) $(GO) build -pgo=off -o $(PLAIN) ./cmd/tengen

# The C compiler comes first: Go compiles some packages another way where there is one. What
# else is missing is installed while everything is compiled, each one after the other: two
# programs cannot install at a time. Linters and the site compile different packages, for
# different machines, so they share the cores. What is then MADE is not made again.
# Tests that wait run beside others: those of the page and of the cluster begin with the rest.
test: compiler ## everything a change must pass
	@$(MAKE) --no-print-directory -j2 -Oline compiled installed
	@$(MAKE) --no-print-directory -j3 -Oline tested page-test waiting race verified invariants MADE="plain site"

compiled: plain
	@$(MAKE) --no-print-directory -j2 -Oline lint site MADE=plain

installed:
	@for target in browser proxy coq; do $(MAKE) --no-print-directory $$target || exit 1; done

tested:
	$(TEST) -timeout $(TEST_TIMEOUT) $(filter-out $(ONCE:%=tengen/%) $(WAITING:%=tengen/%),$(TESTED))

# A master, its workers and a server wait for each other more than they compute.
WAITING := internal/cluster internal/web
waiting:
	$(TEST) -timeout $(TEST_TIMEOUT) $(WAITING:%=./%)

test-long: build lint vet-others manifests checker ## the facts that take hours, and the archives of a release
	TENGEN_LONG=1 $(TEST) -timeout $(LONG_TIMEOUT) ./...
	@TENGEN_LONG=1 $(MAKE) --no-print-directory verified
	@$(MAKE) --no-print-directory page-test SITED=
	@$(MAKE) --no-print-directory race RACED="$(filter-out $(ONCE:%=tengen/%),$(TESTED))" MEETING=
	@$(MAKE) --no-print-directory reproducible

invariants: ## the packages with assertions that are compiled away otherwise
	$(TEST) -tags invariants ./internal/bigmem
	$(TEST) -tags invariants -run AgainstWholeGraph ./internal/solver/retro
	$(TEST) -tags invariants -run MemoryIsReturned ./engine/solve

# What checks the manifests is a module of its own: the types of Kubernetes are no part of
# the program. Go does not see when files outside of a module change, hence the count.
manifests: ## deploy/kubernetes, by the types of Kubernetes
	@cd deploy/check && if $(GO) mod download; then set -x; \
		$(TEST) -count=1 ./...; \
	else \
		echo "the types of Kubernetes cannot be had: the test of the manifests is left out"; \
	fi

# The detector slows a search about tenfold and wants everything compiled once more. So it
# sees a few whole packages, which run only here, and of the searches the tests in which
# goroutines meet, by their names. -short shortens them. The long run shows it all tests.
# Programs that tests start need not sleep a second before they end.
TESTED = $(shell $(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...)
ONCE := gtp engine/job internal/store
SHARING := engine/analyse internal/lockless internal/player internal/solver \
	internal/solver/gosearch internal/solver/linear internal/solver/retro internal/solver/sums
MEETING := AtOnce|BuiltOnce|Cancel|Concurrent|Contention|GoesOn|GoOn|Goroutines|Interrupt|Marks|Ponder|Pool|Progress|Race|Resume|Settings|Share|Signal|Slices|Stop|Stream|Thread|Turns|Waits|Watch|While
RACED = $(SHARING:%=tengen/%)

RACE := GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 $(TEST) -race -short -timeout $(TEST_TIMEOUT)
race: compiler ## what has goroutines under the race detector, shortened
	@if command -v $${CC:-cc} >/dev/null; then set -x; \
		$(RACE) $(ONCE:%=./%) && $(RACE) -run '$(MEETING)' $(RACED); \
	else \
		echo "no C compiler: the race detector is left out"; \
		$(TEST) -timeout $(TEST_TIMEOUT) $(ONCE:%=./%); \
	fi

compiler:
	@command -v $${CC:-cc} >/dev/null || { \
		command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null; \
	} || true

# A web server that docs/server.md puts before tengen serve.
proxy:
	@command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || { \
		command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light >/dev/null; \
	} || true

# The second checker of certificates, docs/checker, is in C++ and unpacks zstd.
checker:
	@command -v c++ >/dev/null && [ -e /usr/include/zstd.h ] || { \
		command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends g++ libzstd-dev >/dev/null; \
	} || true

# The folder verified holds the rules of NoGo in Coq and a checker of certificates proven
# sound by them. Its proofs compile in half a minute on a quiet machine.
verified: coq ## the proofs in Coq, bin/tengen-verified, and certificates checked by it
	@if command -v coqc >/dev/null && command -v ocamlfind >/dev/null && [ -e /usr/include/zstd.h ]; then set -x; \
		$(MAKE) --no-print-directory -C verified && mkdir -p bin && cp verified/build/tengen-verified bin/ && \
		TENGEN_VERIFIED=$(CURDIR)/bin/tengen-verified $(TEST) -count=1 -timeout $(LONG_TIMEOUT) -run Verified ./proof ./internal/cli; \
	else \
		echo "no Coq: the verified checker is left out"; \
	fi

coq:
	@command -v coqc >/dev/null && command -v ocamlfind >/dev/null && [ -e /usr/include/zstd.h ] || { \
		command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends coq ocaml ocaml-findlib gcc libc6-dev libzstd-dev >/dev/null; \
	} || true

SITE := bin/site

# The page is built here and committed; page-test also checks that what is committed is
# what its sources give.
PAGE := internal/web/page

$(PAGE)/node_modules: $(PAGE)/package-lock.json
	cd $(PAGE) && npm ci --loglevel error
	@touch $@

page: plain $(PAGE)/node_modules ## the page of tengen serve, in internal/web/page/dist
	cd $(PAGE) && TENGEN=$(CURDIR)/$(PLAIN) npm run --silent api && npm run --silent build

page-test: browser ## the page: its logic, and every feature in chromium; SHOTS=DIR keeps screenshots
	@if ! command -v npm >/dev/null; then \
		echo "no Node: the test of the page is left out"; \
	else \
		$(MAKE) --no-print-directory page-checked && \
		if [ -z "$(FIND_CHROMIUM)" ]; then \
			echo "no chromium: the test of the page in a browser is left out"; \
		else \
			$(MAKE) --no-print-directory page-tested CHROMIUM="$(FIND_CHROMIUM)"; \
		fi; \
	fi

# What needs no browser: the types of the API, the build, and the page's own logic.
page-checked: $(filter-out $(MADE),plain) $(PAGE)/node_modules
	cd $(PAGE) && TENGEN=$(CURDIR)/$(PLAIN) npm run --silent api -- --check
	cd $(PAGE) && npx --no-install tsc --noEmit && npx --no-install vite build --logLevel warn --outDir node_modules/.again --emptyOutDir
	@cd $(PAGE) && diff -r dist node_modules/.again || { echo "dist is not what the sources give: run make page"; exit 1; }
	cd $(PAGE) && npm run --silent unit
	GOOS=js GOARCH=wasm $(TEST) -trimpath -short -exec "node $(CURDIR)/$(PAGE)/test/wasm.mjs" -run Layers ./internal/net

# The tests that the page passes without a server: all of them in the long run.
SITED = "every move of 3×5 has its result and a sign (desktop)" "copies and pictures (phone)" \
	"why: Go shows what a move costs, and the link keeps it (phone)" \
	"why: a certificate of Go is checked, then walked to the end of a line (desktop)" \
	"why: a certificate is checked, then walked; a damaged one is not (phone)" \
	"play: a game to its end, hint, take back, review (phone)" \
	"learn: a row falls into regions with values (desktop)" "results: papers beside ours (phone)" "site:"
page-tested: npm packed-test
	cd $(PAGE) && TENGEN=$(CURDIR)/$(PLAIN) CHROMIUM="$(CHROMIUM)" node test/run.mjs
	cd $(PAGE) && SITE=$(CURDIR)/$(SITE) TENGEN=$(CURDIR)/$(PLAIN) CHROMIUM="$(CHROMIUM)" node test/run.mjs $(SITED)
	cd $(PAGE) && NPM=$(CURDIR)/bin CHROMIUM="$(CHROMIUM)" node test/npm.mjs

# Debian has chromium without windows as a package of its own, which starts faster.
FIND_CHROMIUM = $$(command -v $${CHROMIUM:-chromium-headless-shell} || command -v chromium)

browser:
	@[ -n "$(FIND_CHROMIUM)" ] || ! command -v npm >/dev/null || { \
		command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -qq && \
		{ apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null 2>&1 || \
		apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; }; \
	} || true

# differs lists the packages that have other files on a system than on Linux.
differs = $$({ for system in linux $(1); do GOOS=$$system $(GO) list -f '{{.ImportPath}} {{.GoFiles}}' ./...; done; } | sort | uniq -u | cut -d ' ' -f 1 | sort -u)

lint: ## format, vet, staticcheck
	@unformatted=$$($(GOFUMPT) -l .); \
		if [ -n "$$unformatted" ]; then echo "run make fmt; not formatted:"; echo "$$unformatted"; exit 1; fi
	$(VET) ./...
	$(STATICCHECK) ./...

vet-others: ## vet for other systems what differs there
	GOOS=darwin $(VET) $(call differs,darwin)
	GOOS=windows $(VET) $(call differs,windows)

fmt: ## format the source
	$(GOFUMPT) -w .

vuln: ## known vulnerabilities in what is linked; asks a server
	$(GO) tool govulncheck ./...

cover: ## coverage of the tests, as coverage.html
	$(GO) test -short -coverpkg=./... -coverprofile=coverage.out ./...
	$(GO) tool cover -func=coverage.out | tail -1
	$(GO) tool cover -html=coverage.out -o coverage.html

bench: build ## positions searched, with a signature, and speed
	$(BIN) bench
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...

# The compiler is guided by what is hot in the searches. -trimpath keeps this machine's
# folders out of the file.
PROFILED := solver/sums:Solve:5s solver/linear:SecondPoint/1x2.:1s player:Search/9x9:1s solver/retro:Build:1s solver/superko:Openings/1x8:200ms solver/boolean:Solve/3x6:1s
profile: SHELL := /bin/bash
profile: ## cmd/tengen/default.pgo anew; after a search was changed or moved
	@dir=$$(mktemp -d) && for p in $(PROFILED); do IFS=: read -r package benchmark time <<< "$$p"; \
		$(GO) test -trimpath ./internal/$$package -run '^$$' -bench "^Benchmark$$benchmark" -benchtime $$time -cpuprofile $$dir/$$(basename $$package).prof -o $$dir/test || exit 1; \
	done && $(GO) tool pprof -proto $$dir/*.prof > $$dir/all && mv $$dir/all cmd/tengen/default.pgo; rm -rf $$dir

RESULTS ?= -to 20
results: ## the rows of docs/data/nogo.csv; RESULTS="-from 21 -to 25" for larger boards
	@$(GO) run ./internal/results -commit $$(git rev-parse --short=8 HEAD) $(RESULTS)

docs: ## the tables of README.md and docs/, from docs/data
	$(GO) run ./internal/results -tables .

# Hours: every book takes certificates or a table. They are written one by one. That of Go 5x5
# takes 5x5-C3.cert and two more, which are not searched for: CERTIFICATES is their folder.
book: build ## the books of first moves in internal/book/files
	@for file in internal/book/files/*.book; do \
		name=$$(basename $$file .book); from=; \
		if [ $$name = go-5x5 ]; then [ "$(CERTIFICATES)" ] || continue; from="--certificates $(CERTIFICATES)"; fi; set -x; \
		$(BIN) book build $${name%%-*} $${name#*-} $$from -o $$file || exit 1; set +x; \
	done

site: $(filter-out $(MADE),plain) ## the page as static files, in bin/site
	rm -rf $(SITE)
	$(PLAIN) site $(SITE)

# A release has the program for the browser inside: goreleaser asks for this first.
packed: $(filter-out $(MADE),site)
	mkdir -p internal/site/packed && cp $(SITE)/program.bin $(SITE)/wasm_exec.js internal/site/packed

# Built so, it writes the same site anywhere, without Go.
packed-test: packed
	$(GO) build -pgo=off -tags packed -o bin/packed/tengen ./cmd/tengen
	rm -rf bin/packed/site
	cd / && PATH= $(CURDIR)/bin/packed/tengen site $(CURDIR)/bin/packed/site
	diff -r $(SITE) bin/packed/site

NPM := bin/npm
npm: $(filter-out $(MADE),site) $(PAGE)/node_modules ## the library for the web, as an npm package in bin
	rm -rf $(NPM) bin/tengen-*.tgz && mkdir -p $(NPM)
	cd $(PAGE) && npx --no-install tsc -p npm --outDir $(CURDIR)/$(NPM)
	cd $(SITE) && cp program.bin wasm_exec.js nogo.weights client.js worker.js $(CURDIR)/$(NPM)
	cd $(PAGE)/npm && cp package.json index.d.ts example.html *.js $(CURDIR)/$(NPM)
	cp LICENSE $(NPM) && sed -E 's/\[([^]]*)\]\([a-z]+\.md[^)]*\)/\1/g' docs/npm.md > $(NPM)/README.md
	cd $(NPM) && npm pkg set version=$$(../plain/tengen version --json | node -p 'JSON.parse(fs.readFileSync(0)).version.match(/^v(.*)/)?.[1] ?? "0.0.0"')
	cd bin && npm pack --silent ./npm

man: build ## manual pages, in man/
	$(BIN) man man

snapshot: ## the archives of a release, in dist/, published nowhere
	$(GO) run $(GORELEASER) release --snapshot --clean
	@$(MAKE) --no-print-directory site
	tar -C bin -czf dist/tengen-site.tar.gz --sort=name --owner=0 --group=0 --mtime=@$$(git log -1 --format=%ct) site
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory npm && cp bin/tengen-*.tgz dist/; else echo "no Node: the npm package is left out"; fi

# From a clone in another place and with an empty cache, so that nothing of this machine
# can be in both.
reproducible: snapshot ## the archives once more, and whether they are the same
	@dir=$$(mktemp -d) && git clone -q . $$dir/clone && GOBIN=$$dir $(GO) install $(GORELEASER) && \
		(cd $$dir/clone && GOCACHE=$$dir/cache $$dir/goreleaser release --snapshot --clean) && \
		diff dist/SHA256SUMS $$dir/clone/dist/SHA256SUMS && echo "the archives are the same"; \
		code=$$?; chmod -R u+w $$dir; rm -rf $$dir; exit $$code

clean: ## remove what was made
	rm -rf bin dist man coverage.out coverage.html
