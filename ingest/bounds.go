package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
)

// WriteBounds writes the staged.Bounds of a region that is staged at from.
func WriteBounds(ctx context.Context, from, path string) error {
	bounds, err := readBounds(ctx, from)
	if err != nil {
		return fmt.Errorf("bounds of %s: %w", from, err)
	}
	data, err := json.Marshal(bounds)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// Jobs of an area may be anywhere in the blocks and zones.
const (
	outlinesQuery = `SELECT true, geom FROM coverage UNION ALL SELECT false, geom FROM (SELECT geom FROM block UNION ALL SELECT geom FROM zone)
		WHERE EXISTS (SELECT 1 FROM job WHERE lng IS NULL)`
	pointsQuery = "SELECT min(lng), min(lat), max(lng), max(lat) FROM job HAVING count(lng) > 0"
)

func readBounds(ctx context.Context, path string) (*staged.Bounds, error) {
	db, err := duck.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found := &staged.Bounds{Coverage: []staged.Box{}, Jobs: []staged.Box{}}
	var areas orb.Bound
	any := false
	err = sqlrow.Each(ctx, db, outlinesQuery, sqlrow.Visit2(func(covers bool, geom []byte) error {
		outline, err := geo.MultiPolygon(geom)
		if err != nil {
			return err
		}
		switch b := outline.Bound(); {
		case covers:
			found.Coverage = append(found.Coverage, boxOf(b))
		case any:
			areas = areas.Union(b)
		default:
			areas, any = b, true
		}
		return nil
	}))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found.Coverage, func(a, b staged.Box) int { return slices.Compare(a[:], b[:]) })
	found.Coverage = slices.Compact(found.Coverage)
	if any {
		found.Jobs = append(found.Jobs, boxOf(areas))
	}
	return found, sqlrow.Each(ctx, db, pointsQuery, sqlrow.Visit4(func(west, south, east, north float64) error {
		found.Jobs = append(found.Jobs, staged.Box{west, south, east, north})
		return nil
	}))
}

func boxOf(b orb.Bound) staged.Box { return staged.Box{b.Min[0], b.Min[1], b.Max[0], b.Max[1]} }
