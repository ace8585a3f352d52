#!/usr/bin/env bash
# Fetches MapLibre GL from npm, as package-lock.json pins it, to files/maplibre, from where it is compiled into quartierd.
# Where npm or its registry is not there it says so and succeeds: the program works without.
set -euo pipefail
cd "$(dirname "$0")"

cmp -s package-lock.json files/maplibre/.installed && [ -e files/maplibre/maplibre-gl.mjs.br ] && exit
command -v npm >/dev/null || { echo 'npm is not installed: the explorer of this build has no map' >&2; exit; }
npm ci --ignore-scripts --silent --no-audit --no-fund || { echo 'npm failed: the explorer of this build has no map' >&2; exit; }

from=node_modules/maplibre-gl
rm -rf files/maplibre
mkdir files/maplibre
cp $from/dist/maplibre-gl.{mjs,css} $from/dist/maplibre-gl-worker.mjs files/maplibre
cp $from/LICENSE.txt files/maplibre/licence.txt
node -e 'const {readFileSync, writeFileSync} = require("fs"), {brotliCompressSync} = require("zlib");
  for (const name of process.argv.slice(1)) writeFileSync(name + ".br", brotliCompressSync(readFileSync(name)));' files/maplibre/maplibre-gl*
cp package-lock.json files/maplibre/.installed
