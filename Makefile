# quartier: sources about places in, a verified release out, served as the Location Insights API v3.
#
#   make demo    build the invented fixture world and serve it on ADDR
#   make test    every test; tests on real data are skipped, and say so, where DATA is absent
#   make real    build and verify the real regions under DATA
#   make build   bin/quartier and bin/quartierd
#   make bench   the benchmarks, as ratios; writes out/bench.json
#   make check   format, vet, staticcheck, layers, the race detector over what serves

SHELL := /bin/bash
ADDR ?= 127.0.0.1:8080
DATA ?= ../shared/data
GO ?= go
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# A complete state lies in the module cache, beside the tests of a library that reads the same format.
OSM_TESTDATA = $(shell $(GO) mod download -json github.com/paulmach/osm@v0.8.0 | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')/testdata

.PHONY: build demo test real bench check deps deps-test deps-bench data-doc clean

build:
	$(GO) build -o bin/ ./cmd/...

demo: deps build
	bin/quartier demo --out out/demo --addr $(ADDR)

export DATA

test: deps-test
	@mkdir -p out
	@set -o pipefail; $(GO) test -count=1 -timeout 30m -v ./... 2>&1 | tee out/test.log | grep --line-buffered -Ev '^ *(=== |--- PASS)|^PASS$$|^time=|^{"time"'
	@if grep -q -- '--- SKIP' out/test.log; then echo; echo 'Skipped:'; grep -A1 -- '--- SKIP' out/test.log | grep -v '^--$$'; fi

real: deps build
	bin/quartier build --release regions/real.yaml --data $(DATA) --var OSM_TESTDATA=$(OSM_TESTDATA) --out out/real --force
	bin/quartier verify out/real

bench: deps-bench build
	$(GO) run ./bench --out out/bench.json

check:
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -count=1 -run 'TestLayers|TestServerLinks|TestDataPage' ./cmd/...
	$(GO) test -count=1 -race ./serve/... ./internal/pack/...

# DATA.md is made from what the sources say of themselves.
data-doc: build
	bin/quartier data > DATA.md

# What a program needs that Go does not bring. Nothing is installed that is there already.
deps:
	@$(call install,libsqlite3-mod-spatialite)
deps-test:
	@$(call install,libsqlite3-mod-spatialite spatialite-bin gdal-bin osmium-tool)
deps-bench:
	@$(call install,libsqlite3-mod-spatialite gdal-bin osmium-tool postgresql-15-postgis-3)

define install
missing=''; for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then echo "Installing by apt:$$missing"; $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
endef

clean:
	rm -rf bin out
