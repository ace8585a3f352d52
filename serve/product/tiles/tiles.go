// Package tiles answers with map tiles of a release as they are stored.
package tiles

import (
	"fmt"
	"strings"

	"quartier/internal/pmtiles"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/tile"
)

// Path is that of tiles, which begins with Root.
const (
	Root = "/v3/tiles/"
	Path = Root + "{archive}/{z}/{x}/{y}.mvt"
)

type query struct{ Release param.Value[string] }

// Tile is GET /v3/tiles/{archive}/{z}/{x}/{y}.mvt.
func Tile() endpoint.Endpoint {
	number := func(name, doc string) openapi.Variable {
		return openapi.Variable{Name: name, Doc: doc, Pattern: "^(?:0|[1-9][0-9]*)$", MaxChars: 10}
	}
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getTile",
		Path:    Path,
		Product: account.Tiles,
		Key:     account.Publishable,
		Media:   "application/vnd.mapbox-vector-tile",
		Summary: "A vector tile of the map",
		Doc: "Every agreement has the archive ground. The archive map needs the products geographies and pois, heat the product scores with " +
			"all scores, and both all regions of the release. A tile without anything is 204.",
		Variables: []openapi.Variable{
			{Name: "archive", Doc: "ground, map (outlines, names, places of interest) or heat (scores of streets).", Pattern: "^[a-z]+$", MaxChars: 20},
			number("z", "Zoom."), number("x", "Column, from the west."), number("y", "Row, from the north."),
		},
		Refuses: []error{tile.ErrNone, endpoint.ErrForbiddenValue, endpoint.ErrNothing},
	}, param.NewSet(nil,
		param.Phrase("release", 80, func(q *query) *param.Value[string] { return &q.Release }).
			Doc("Digest of the release, as in /v3/status: while it is the current one, its tiles can be kept for ever."),
	), answer)
}

func answer(r *endpoint.Request, q *query, _ *struct{}) error {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.HTTP.URL.Path, Root), "/")
	z, x, y, ok := tile.Parse(rest)
	archive, allRegions := r.Release.Archive(name)
	if !ok || archive == nil {
		return tile.ErrNone
	}
	if err := tile.MayHave(r.Client.Agreement, name, allRegions); err != nil {
		return fmt.Errorf("%w: %w", endpoint.ErrForbiddenValue, err)
	}
	stored, err := tile.Of(archive, z, x, y)
	if err != nil {
		return err
	}
	if stored == nil {
		return endpoint.ErrNothing
	}
	r.Canonical = append(append(append(r.Canonical, name...), 0), rest...)
	r.Kept = q.Release.V == r.Release.Manifest().Digest
	if r.Stored = stored; archive.Header().TileCompression == pmtiles.Uncompressed {
		r.Body, r.Stored = append(r.Body, stored...), nil
	}
	return nil
}
