// Package tile has what the API and the explorer share of map tiles: which agreement has which archive, and the paths of tiles.
//
// In: an agreement, and the rest of a path such as "map/12/1205/1540.mvt". Out: errors, and numbers.
package tile

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/pmtiles"
	"quartier/serve/account"
)

// Why an agreement has not an archive, or there is no tile.
var (
	ErrRegions  = errors.New("tiles have all regions of the release, and the agreement only some")
	ErrProducts = errors.New("tiles of the map have geographies and places, which the agreement does not both have")
	ErrScores   = errors.New("tiles of scores have all scores, and the agreement does not")
	ErrNone     = errors.New("no such tile: there is no such archive, or it has other zooms")
)

// Ground is the archive of land, water, streets and places, which has nothing of a product.
const Ground = "ground"

// MayHave returns why an agreement has not an archive of tiles of a release, all of whose regions it has or not; nil where it has it.
// Tiles are served as they are stored: nothing can be left out of them, so that the agreement must include all that they have.
func MayHave(a *account.Agreement, archive string, allRegions bool) error {
	switch {
	case archive == Ground:
		return nil
	case !allRegions:
		return ErrRegions
	case archive == "map" && !(a.AllowsProduct("geographies") && a.AllowsProduct("pois")):
		return ErrProducts
	case archive == "heat" &&
		(!a.AllowsProduct("scores") || slices.ContainsFunc(account.Scores, func(s string) bool { return !a.AllowsScore(s) })):
		return ErrScores
	}
	return nil
}

// maxPlain limits a tile that is decompressed, in bytes.
const maxPlain = 16 << 20

// Plain is a tile that is stored in gzip as it was before.
func Plain(tile []byte) ([]byte, error) { return pmtiles.Decompress(tile, maxPlain) }

// Of is a tile of an archive as it is stored; nil where it is empty. It fails with ErrNone for a zoom that the archive has not.
func Of(archive *pmtiles.Archive, z uint8, x, y uint32) ([]byte, error) {
	if head := archive.Header(); z < head.MinZoom || z > head.MaxZoom || x>>z > 0 || y>>z > 0 {
		return nil, ErrNone
	}
	stored, _ := archive.Tile(z, x, y)
	return stored, nil
}

// Parse parses "12/1205/1540.mvt": numbers without a sign or leading zeros, so that a tile has one path.
func Parse(text string) (z uint8, x, y uint32, ok bool) {
	text, ok = strings.CutSuffix(text, ".mvt")
	zoom, rest, _ := strings.Cut(text, "/")
	column, row, _ := strings.Cut(rest, "/")
	var numbers [3]uint64
	for i, part := range [...]string{zoom, column, row} {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || len(part) > 1 && part[0] == '0' {
			return 0, 0, 0, false
		}
		numbers[i] = n
	}
	return uint8(numbers[0]), uint32(numbers[1]), uint32(numbers[2]), ok && numbers[0] <= pmtiles.MaxZoom
}
