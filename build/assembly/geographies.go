package assembly

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// Geography is a geography of the release. Its outline is in Outlines.
type Geography struct {
	Key        string // source key
	Level      schemas.Level
	Region     string  // whose row was selected
	Regions    []int32 // numbers of all regions that have it
	SourceID   string
	Name       schemas.Text
	Country    string           // 'CA' or 'US'
	States     string           // comma list of region codes
	Parents    [numLinks]string // source keys; "" where there is none
	AreaM2     float64
	Bound      orb.Bound
	Centroid   orb.Point
	Population *int64            // nil where it is not known
	Digest     [sha256.Size]byte // of the outline's blob
}

// Identities returns what the ids of geographies depend on.
func Identities(geographies []Geography) []identity.Outline {
	outlines := make([]identity.Outline, len(geographies))
	for i, g := range geographies {
		outlines[i] = identity.Outline{
			Version: identity.Version{Key: g.Key}, Level: g.Level, Bound: g.Bound, AreaM2: g.AreaM2, Geometry: g.Digest,
		}
	}
	return outlines
}

// Geographies returns the selected geographies along a Hilbert curve of their centroids, with their parents in all
// regions. It writes their outlines to a.Outlines.
func (a *Assembly) Geographies(ctx context.Context) ([]Geography, error) {
	list, err := a.readGeographies(ctx)
	if err != nil {
		return nil, fmt.Errorf("read geographies: %w", err)
	}
	slices.SortFunc(list, func(p, q Geography) int {
		return cmp.Or(cmp.Compare(geo.Hilbert(p.Centroid), geo.Hilbert(q.Centroid)), cmp.Compare(p.Key, q.Key))
	})
	if err := a.storeOutlines(ctx, list); err != nil {
		return nil, fmt.Errorf("read outlines: %w", err)
	}
	if err := a.link(ctx, list); err != nil {
		return nil, fmt.Errorf("find the parents of geographies: %w", err)
	}
	return list, nil
}

// ReadGeographies returns the geographies in the order of the finished geographies.sqlite at path, with the parents that
// they have there and without digests, and reads their outlines from it.
func (a *Assembly) ReadGeographies(ctx context.Context, path string) ([]Geography, error) {
	list, err := a.readGeographies(ctx)
	if err != nil {
		return nil, fmt.Errorf("read geographies: %w", err)
	}
	byKey := make(map[string]*Geography, len(list))
	for i := range list {
		byKey[list[i].Key] = &list[i]
	}
	if err := a.openOutlines(path); err != nil {
		return nil, err
	}
	ordered := make([]Geography, 0, len(list))
	err = released.Each(ctx, a.Outlines.db, query("written"), nil, sqlrow.Visit5(func(key, city, metro, state, country string) error {
		g, found := byKey[key]
		if !found {
			return fmt.Errorf("%s has the geography %s, which no region has", path, key)
		}
		g.Parents = [numLinks]string{City: city, Metro: metro, State: state, Country: country}
		ordered = append(ordered, *g)
		return nil
	}))
	if err == nil && len(ordered) != len(list) {
		err = fmt.Errorf("%s has %d geographies of %d", path, len(ordered), len(list))
	}
	return ordered, err
}

// geographyRow is a row of geographies.sql.
type geographyRow struct {
	derived.Geography        // without Geom
	Region            string `col:"region"`
	Regions           string `col:"regions"` // comma list of numbers
}

func (a *Assembly) readGeographies(ctx context.Context) ([]Geography, error) {
	var list []Geography
	for row, err := range sqlrow.Select[geographyRow](ctx, a.conn, query("geographies")) {
		if err != nil {
			return nil, err
		}
		g := Geography{
			Key: row.SourceKey, Level: schemas.Level(row.Level), Region: row.Region, SourceID: row.SourceID,
			Name: schemas.Text{EN: row.NameEN, FR: row.NameFR}, Country: row.CountryCode, States: row.StateCodes,
			AreaM2:     row.AreaM2,
			Bound:      orb.Bound{Min: orb.Point{row.West, row.South}, Max: orb.Point{row.East, row.North}},
			Centroid:   orb.Point{row.CentroidLng, row.CentroidLat},
			Population: row.Population,
		}
		if err := g.check(); err != nil {
			return nil, fmt.Errorf("region %s: geography %s: %w", g.Region, g.Key, err)
		}
		for _, number := range strings.Split(row.Regions, ",") {
			region, err := strconv.ParseInt(number, 10, 32)
			if err != nil {
				return nil, err
			}
			g.Regions = append(g.Regions, int32(region))
		}
		list = append(list, g)
	}
	return list, nil
}

// check returns an error for invalid values.
func (g *Geography) check() error {
	switch {
	case g.Key == "":
		return fmt.Errorf("no source key")
	case !g.Level.Valid():
		return fmt.Errorf("level %d", g.Level)
	case !(g.AreaM2 > 0) || g.AreaM2 > 6e14:
		return fmt.Errorf("area of %v m²", g.AreaM2)
	case !geo.Valid(g.Centroid) || !geo.Valid(g.Bound.Min) || !geo.Valid(g.Bound.Max) || g.Bound.IsEmpty():
		return fmt.Errorf("centroid %v in bounding box %v", g.Centroid, g.Bound)
	case g.Population != nil && *g.Population < 0:
		return fmt.Errorf("population %d", *g.Population)
	}
	return nil
}
