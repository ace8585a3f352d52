# quartier: public data about places in, a verified release out, served as the Location Insights API v3.

SHELL := /bin/bash
ADDR ?= 127.0.0.1:8080
# The place of make place.
P ?= us-de
# The time of make soak and the seed of what it draws.
MINUTES ?= 30
SEED ?= 1
# The time for each target of make fuzz, and the folders of the targets.
T ?= 10s
FUZZ ?= schemas ingest transform build internal serve
# The folder of real data, relative to this one or absolute.
DATA ?= ../shared/data
export DATA
GO ?= go
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# A complete state extract comes with the tests of a library, in the module cache.
OSM_TESTDATA = $(shell $(GO) mod download -json github.com/paulmach/osm@v0.8.0 | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')/testdata

# What tests write is not flushed to disk.
INMEMORY = $(GO) run ./.ci/inmemory

# Flags of go test in make quick; -n lists the packages alone.
QUICK ?=

.PHONY: help build docs demo place test quick race lint check real soak long vulncheck fuzz cross dist bench data-doc client outline deps deps-test deps-bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo; echo 'Variables: ADDR=$(ADDR) (demo, place), P=$(P) (place), DATA=$(DATA) (test, real), MINUTES=$(MINUTES) SEED=$(SEED) (soak), T=$(T) and FUZZ, folders (fuzz)'

build: docs ## compile bin/quartier, bin/quartierd and bin/quartier-fleet
	$(GO) build -o bin/ ./cmd/...

docs: ## fetch the viewer of the page /docs and the map of /explore from npm, which build compiles into quartierd
	@serve/docs/fetch.sh
	@serve/explore/page/fetch.sh

demo: deps build ## build a release of the synthetic world and serve it on ADDR
	bin/quartier demo --out out/demo --addr $(ADDR)

test: deps-test ## run all tests; those on real data are skipped if DATA is absent
	@mkdir -p out
	@set -o pipefail; $(INMEMORY) $(GO) test -count=1 -timeout 80m -v ./... 2>&1 | tee out/test.log | grep --line-buffered -Ev '^ *(=== |--- PASS)|^PASS$$|^time=|^{"time"'
	@awk -f .ci/skipped.awk out/test.log

quick: ## test the packages that depend on what changed since main, without whole releases and real data
	@GO=$(GO) $(GO) run ./.ci/quick $(QUICK)

race: ## run the tests of the server, the packs and the steps of a build with the race detector, with fewer repetitions and without browsers
	$(INMEMORY) $(GO) test -count=1 -timeout 80m -short -race ./serve/... ./internal/pack/... ./build/steps

lint: ## check formatting, go.mod, vet, staticcheck, dead code and the rules between packages
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@echo '$(GO) tool deadcode -test ./...'; dead=$$($(GO) tool deadcode -test ./...) && test -z "$$dead" || { echo "$$dead"; exit 1; }
	$(GO) test -count=1 -timeout 80m ./cmd
	$(GO) test -count=1 -run TestDataPage ./cmd/quartier

check: lint race ## lint and race

place: deps build ## take a place P (us-de, ca-pe, "Columbus, Ohio") from its name to a served release: regions, downloads, build
	bin/quartier place --serve --addr $(ADDR) '$(P)'

real: deps build ## build and verify the real regions under DATA
	bin/quartier build --release regions/real.yaml --data $(DATA) --var OSM_TESTDATA=$(OSM_TESTDATA) --out out/real --force
	bin/quartier verify out/real

soak: deps-test build ## kill, starve, damage, swap, attack and overload for MINUTES from SEED; writes out/soak, fails where a planted fault is missed
	$(GO) build -o bin/soak ./bench/soak
	bin/soak --minutes $(MINUTES) --seed $(SEED)

long: deps-test ## the tests that count instead: every failed operation, 24 builds of the same inputs, a million steps of custom geographies, killed workers
	$(GO) test -count=1 -timeout 24h -v ./build -run 'TestEveryFailedOperation|TestFailedOperationsOfLibraries' -faults 0
	$(GO) test -count=1 -timeout 24h -v ./cmd/quartier -run TestSameInputsSameRelease -samebuilds 24
	$(GO) test -count=1 -timeout 24h -v ./serve/state -run TestConcurrentHistories -histories 170000
	$(GO) test -count=1 -timeout 1h -v ./internal/store/s3 -run TestVersity
	$(GO) build -o bin/ ./cmd/... && cd bench/temporal && $(GO) build -o ../../bin/temporal/ tool && $(GO) test -count=1 -timeout 2h -v .

fuzz: ## fuzz each target for T, such as 10s: those that read sources, releases and requests
	GO=$(GO) .ci/fuzz $(T) $(FUZZ)

cross: ## vet and compile both programs for linux and darwin on amd64 and arm64, as far as there are C compilers
	$(GO) test -count=1 -run TestPortable ./cmd
	@GO=$(GO) .ci/cross

dist: docs ## write an archive of both programs for this machine, with licences and checksum, to out/dist
	@GO=$(GO) .ci/dist out/dist

vulncheck: ## look for known vulnerabilities in what is called, where their database can be reached
	@GO=$(GO) .ci/vulncheck

bench: deps-bench build ## run the benchmarks as ratios; writes out/bench.json
	$(GO) run ./bench --out out/bench.json

data-doc: build ## generate DATA.md from the declarations of the source kinds
	bin/quartier data > DATA.md

outline: deps-test ## make the outlines of states that come with the program from the publishers' files under DATA; needs npm
	internal/outline/generate.sh $(DATA)

client: deps-test ## generate the OpenAPI document, and the Go and TypeScript clients from it
	$(GO) test -count=1 ./serve -run TestDocumentIsGolden -update
	$(GO) generate ./client
	cd client && npm run --silent build

# System packages that Go does not install; those present are left alone.
deps:
	@$(call install,libsqlite3-mod-spatialite)
deps-test: docs
	@$(call install,libsqlite3-mod-spatialite spatialite-bin gdal-bin osmium-tool 7zip rsync sqlite3 curl chromium prometheus systemd redis-server nginx python3 slurm-wlm $(shell command -v npm >/dev/null || echo nodejs npm) $(shell ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || echo postgresql))
	@for d in client internal/arrowfile/hyparquet internal/pmtiles/npm serve/explore/browser; do cmp -s $$d/package-lock.json $$d/node_modules/.installed || (cd $$d && npm ci --silent --no-audit --no-fund && cp package-lock.json node_modules/.installed) || exit 1; done
deps-bench:
	@$(call install,libsqlite3-mod-spatialite gdal-bin osmium-tool postgresql-15-postgis-3 g++ libosmium2-dev zlib1g-dev wrk)

define install
missing=''; for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then echo "Installing by apt:$$missing"; $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
endef

clean: ## remove bin and out
	rm -rf bin out
