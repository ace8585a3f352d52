package explore

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/pmtiles"
	"quartier/serve/accept"
	"quartier/serve/account"
	"quartier/serve/release"
)

var (
	tileType   = []string{"application/vnd.mapbox-vector-tile"}
	gzipCoding = []string{"gzip"}
	byCoding   = []string{"Accept-Encoding"}
)

// mayHave returns why an account may not have an archive of tiles; nil where it may. Tiles are served as they are stored:
// nothing can be left out of them, so that the agreement must include all that they have. The ground has nothing of a product.
func mayHave(a *account.Agreement, archive string, seen extent) *problem {
	switch {
	case archive == "ground":
		return nil
	case seen.partial:
		return errTilesOfRegions
	case archive == "map" && !(a.AllowsProduct("geographies") && a.AllowsProduct("pois")):
		return errTilesOfProducts
	case archive == "heat" &&
		(!a.AllowsProduct("scores") || slices.ContainsFunc(account.Scores, func(s string) bool { return !a.AllowsScore(s) })):
		return errTilesOfScores
	}
	return nil
}

// tilesOf describes the tiles that the account may have: the zooms of each archive, and why there are not all.
func (s *view) tilesOf(r *release.Release) (zooms map[string][2]int, reason string) {
	zooms = map[string][2]int{}
	for name := range release.TileArchives {
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
	z, x, y, ok := parseTile(rest)
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
	head := archive.Header()
	if z < head.MinZoom || z > head.MaxZoom || x>>z > 0 || y>>z > 0 {
		return errNoTile
	}
	header := v.W.Header()
	header["Cache-Control"], header["Vary"] = askFirst, byCoding
	tile, found := archive.Tile(z, x, y)
	if !found {
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	return seen.writeTile(v, tile, head.TileCompression)
}

// writeTile sends a tile as it is stored, or, to the few that take no gzip, as it was before.
func (s *view) writeTile(v *visit, tile []byte, stored pmtiles.Compression) error {
	v.tag[0] = s.tag
	if stored == pmtiles.Gzip && accept.Coding(v.HTTP.Header["Accept-Encoding"], "gzip") == "" {
		plain, err := gunzip(tile)
		if err != nil {
			return err
		}
		tile, stored, v.tag[0] = plain, pmtiles.Uncompressed, s.plainTag
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
	write(v, http.StatusOK, tileType, tile)
	return nil
}

// maxTile limits a tile that is decompressed, in bytes.
const maxTile = 16 << 20

func gunzip(tile []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(tile))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxTile))
}

// parseTile parses "12/1205/1540.mvt": numbers without a sign or leading zeros, so that a tile has one path.
func parseTile(text string) (z uint8, x, y uint32, ok bool) {
	text, ok = strings.CutSuffix(text, ".mvt")
	zoom, rest, _ := strings.Cut(text, "/")
	column, row, _ := strings.Cut(rest, "/")
	for i, part := range [...]string{zoom, column, row} {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || len(part) > 1 && part[0] == '0' || part[0] == '+' {
			return 0, 0, 0, false
		}
		switch i {
		case 0:
			z, ok = uint8(n), ok && n <= pmtiles.MaxZoom
		case 1:
			x = uint32(n)
		case 2:
			y = uint32(n)
		}
	}
	return z, x, y, ok
}
