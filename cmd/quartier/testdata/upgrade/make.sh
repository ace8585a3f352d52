#!/usr/bin/env bash
# make.sh [LAYOUT ...] makes the archives of this folder, all or those of some layouts, by the programs of earlier layouts from the history of git. Up to 14 they are the second release
# of the world of TestUpgradeFromEveryLayout: the folder of releases of layout 8 and later has a pointer, and that of 14 a custom
# geography. 15 to 18 are for servers alone, packs and manifests of places and of the market. Those that are served have the answers of
# the server that made them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$here" rev-parse --show-toplevel)
at=$(mktemp -d)
trap 'rm -rf "$at"' EXIT
cd "$root"
go test ./cmd/quartier -count=1 -run TestUpgradeFromEveryLayout -world "$at/world"
for program in 3:83730f3a 8:5890a9c9 12:c2997b76 14:42ae23f 15:c3ce637f 16:87d75df4 17:c71cba08 18:3838e6e9; do
	layout=${program%%:*}
	[[ $# -eq 0 || " $* " == *" $layout "* ]] || continue
	mkdir "$at/source" "$at/releases"
	git archive "${program#*:}" | tar x -C "$at/source"
	(cd "$at/source" && go build -o "$at/bin/" ./cmd/...)
	quartier=$at/bin/quartier
	publish=("$quartier" publish --releases "$at/releases")
	if [ "$layout" -lt 15 ]; then
		more=()
		[ "$layout" -lt 12 ] || more+=(--accept 'retired_ids=the city dissolved Les Îlets')
		[ "$layout" -lt 14 ] || more+=(--requests "$at/world/people/requests.json")
		"$quartier" build --release "$at/world/people/release.yaml" --out "$at/first" --work "$at/work"
		"$quartier" build --release "$at/world/people/next/release.yaml" --previous "$at/first" --out "$at/releases/2025-09" --work "$at/work" "${more[@]}"
		[ "$layout" -lt 8 ] || "${publish[@]}" "$at/releases/2025-09"
	else
		"$quartier" build --release "$at/world/served/release.yaml" --out "$at/releases/2025-09" --work "$at/work"
		"$quartier" market --release "$at/releases/2025-09" --listings "$at/world/served/listings.yaml" --work "$at/work" --as-of 2025-03-02 --out "$at/releases/2025-03-02"
		"${publish[@]}" --market 2025-03-02 2025-09
		rm -rf "$at"/releases/*/*.{sqlite,parquet,pmtiles}
	fi
	[ "$layout" -lt 14 ] || go test ./cmd/quartierd -count=1 -run TestEarlierLayouts -programs "$at/bin" -recordings "$at/releases"
	tar c --sort=name --mtime=@0 --owner=0 --group=0 --exclude=.lock -C "$at/releases" . | zstd -19 -q -f -o "$here/$layout.tar.zst"
	rm -rf "$at/source" "$at/bin" "$at/releases" "$at/first" "$at/work"
done
