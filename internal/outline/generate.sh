#!/bin/sh
# Makes states.topojson.gz from the folder of real data: generate.sh DATA. It needs npm and, for buffers, gdal-bin with
# SpatiaLite. Land is what the two publishers give; the sea of a state is within 13 km of its land, which simplification
# narrows to 10 km at least, off every other state and the foreign parts of foreign.geojson. Lakes in between go to a state.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
us=$1/us-national/cb_2019_us_state_5m.zip
ca=$1/ca-national/province_territory_simplified_sp.shp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapshaper() { npx --yes mapshaper@0.7.70 "$@"; }
codes='{10:"NL",11:"PE",12:"NS",13:"NB",24:"QC",35:"ON",46:"MB",47:"SK",48:"AB",59:"BC",60:"YT",61:"NT",62:"NU"}'

unzip -q "$us" -d "$work"
mapshaper \
	-i "$work/cb_2019_us_state_5m.shp" name=us -proj wgs84 -each 'code="US_"+STUSPS' -filter-fields code \
	-i "$ca" name=ca -proj wgs84 target=ca -each "code='CA_'+($codes)[PRUID]" -filter-fields code -clean target=ca -erase us target=ca \
	-o "$work/us.json" target=us -o "$work/ca.json" target=ca \
	-merge-layers target=us,ca name=land -explode -o "$work/part.json"
ogr2ogr -f GPKG "$work/part.gpkg" "$work/part.json" -nln part
ogr2ogr -f GeoJSON "$work/near.json" "$work/part.gpkg" -dialect sqlite -sql "
	SELECT code, ST_Union(ScaleCoords(ST_Buffer(ST_Simplify(ScaleCoords(geom, c, 1.0), 0.003), 13000 / 111195.0, 3), 1 / c, 1.0)) AS geom
	FROM (SELECT code, geom, cos(radians(ST_Y(ST_Centroid(geom)))) AS c FROM part)
	GROUP BY code"
mapshaper \
	-i "$work/near.json" name=near -simplify dp interval=3000 \
	-i "$work/us.json" name=us -i "$work/ca.json" name=ca -i "$here/foreign.geojson" name=foreign \
	-erase foreign target=near -erase us target=near -erase ca target=near \
	-merge-layers target=us,ca,near name=states -clean overlap-rule=max-area gap-fill-area=100000km2 -dissolve code \
	-simplify dp interval=500 -clean -sort code -o "$work/states.topojson" format=topojson quantization=400000 target=states
gzip -9nc "$work/states.topojson" >"$here/states.topojson.gz"
