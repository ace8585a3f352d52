#!/usr/bin/env bash
# Makes the archives of this folder: the second release of the world of TestUpgradeFromEveryLayout, by the programs of earlier
# layouts from the history of git. The folder of releases of layout 8 and later has a pointer, and that of 14 a custom geography.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$here" rev-parse --show-toplevel)
at=$(mktemp -d)
trap 'rm -rf "$at"' EXIT
(cd "$root" && go test ./cmd/quartier -count=1 -run TestUpgradeFromEveryLayout -world "$at/world")
for program in 3:83730f3a 8:5890a9c9 12:c2997b76 14:42ae23f; do
	layout=${program%%:*}
	mkdir "$at/source" "$at/releases"
	git -C "$root" archive "${program#*:}" | tar x -C "$at/source"
	(cd "$at/source" && go build -o "$at/quartier" ./cmd/quartier)
	more=()
	[ "$layout" -lt 12 ] || more+=(--accept 'retired_ids=the city dissolved Les Îlets')
	[ "$layout" -lt 14 ] || more+=(--requests "$at/world/requests.json")
	"$at/quartier" build --release "$at/world/release.yaml" --out "$at/first" --work "$at/work"
	"$at/quartier" build --release "$at/world/next/release.yaml" --previous "$at/first" --out "$at/releases/2025-09" --work "$at/work" "${more[@]}"
	[ "$layout" -lt 8 ] || "$at/quartier" publish --releases "$at/releases" "$at/releases/2025-09"
	tar c --sort=name --mtime=@0 --owner=0 --group=0 --exclude=.lock -C "$at/releases" . | zstd -19 -q -f -o "$here/$layout.tar.zst"
	rm -rf "$at/source" "$at/quartier" "$at/releases" "$at/first" "$at/work"
done
