package explore

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"quartier/internal/pmtiles"
	"quartier/serve/accept"
	"quartier/serve/release"
	"quartier/serve/tile"
)

var (
	tileType   = []string{"application/vnd.mapbox-vector-tile"}
	gzipCoding = []string{"gzip"}
	byCoding   = []string{"Accept-Encoding"}
)

// refusals are what the page gets for the reasons of tile.MayHave.
var refusals = map[error]*problem{
	tile.ErrRegions: errTilesOfRegions, tile.ErrProducts: errTilesOfProducts, tile.ErrScores: errTilesOfScores,
}

// tilesOf describes the tiles that the account may have: the zooms of each archive, and why there are not all.
func (s *view) tilesOf(r *release.Release) (zooms map[string][2]int, reason string) {
	zooms = map[string][2]int{}
	for _, name := range slices.Sorted(maps.Keys(release.TileArchives)) { // the last reason counts
		archive := r.Archives[name]
		if archive == nil {
			reason = errNoArchive.en
			continue
		}
		if why := s.refused[name]; why != nil {
			reason = why.en
			continue
		}
		zooms[name] = [2]int{int(archive.Header().MinZoom), int(archive.Header().MaxZoom)}
	}
	return zooms, reason
}

// answerTile answers with a tile: /explore/tiles/map/12/1205/1540.mvt.
func (e *Explorer) answerTile(v *visit, rest string) error {
	name, rest, _ := strings.Cut(rest, "/")
	if _, known := release.TileArchives[name]; !known {
		return errNoPath
	}
	z, x, y, ok := tile.Parse(rest)
	if !ok {
		return errNoTile
	}
	if v.release == nil {
		return errNoRelease
	}
	archive := v.release.Archives[name]
	if archive == nil {
		return errNoArchive
	}
	seen := e.views.of(v.release, v.account)
	if why := seen.refused[name]; why != nil {
		return why
	}
	found, err := tile.Of(archive, z, x, y)
	if err != nil {
		return errNoTile
	}
	header := v.W.Header()
	header["Cache-Control"], header["Vary"] = askFirst, byCoding
	if found == nil {
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	return seen.writeTile(v, found, archive.Header().TileCompression)
}

// writeTile sends a tile as it is stored, or, to the few that take no gzip, as it was before.
func (s *view) writeTile(v *visit, body []byte, stored pmtiles.Compression) error {
	v.tag[0] = s.tag
	if stored == pmtiles.Gzip && accept.Coding(v.HTTP.Header["Accept-Encoding"], "gzip") == "" {
		plain, err := tile.Plain(body)
		if err != nil {
			return err
		}
		body, stored, v.tag[0] = plain, pmtiles.Uncompressed, s.plainTag
	}
	header := v.W.Header()
	header["Etag"] = v.tag[:]
	if accept.Has(v.HTTP.Header["If-None-Match"], v.tag[0]) {
		v.W.WriteHeader(http.StatusNotModified)
		return nil
	}
	if stored == pmtiles.Gzip {
		header["Content-Encoding"] = gzipCoding
	}
	write(v, http.StatusOK, tileType, body)
	return nil
}
