#!/usr/bin/env bash
# Fetches Swagger UI from npm, as package-lock.json pins it, to page/swagger, from where it is compiled into quartierd.
# Where npm or its registry is not there it says so and succeeds: the program works without.
set -euo pipefail
cd "$(dirname "$0")"

cmp -s package-lock.json page/swagger/.installed && exit
command -v npm >/dev/null || { echo 'npm is not installed: /docs of this build lists the operations only' >&2; exit; }
# Scripts of packages are not run: one that comes with Swagger UI reports installations to its publisher.
npm ci --ignore-scripts --silent --no-audit --no-fund || { echo 'npm failed: /docs of this build lists the operations only' >&2; exit; }

from=node_modules/swagger-ui-dist
rm -rf page/swagger
mkdir page/swagger
cp $from/swagger-ui-bundle.js $from/swagger-ui.css page/swagger
cat $from/NOTICE $from/LICENSE $from/swagger-ui-bundle.js.LICENSE.txt >page/swagger/licences.txt
cp package-lock.json page/swagger/.installed
