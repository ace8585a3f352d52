package build

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
)

// place is a geography of the release but for its outline.
type place struct {
	outline
	Region     int
	Regions    []int // all that tell it
	SourceID   string
	Name       schemas.Text
	Country    string
	States     string
	Holder     [numLinks]string // source keys; '': none
	Centroid   orb.Point
	Population sql.NullInt64
}

// places reads the picked geographies, puts them in the order of a Hilbert curve over their centroids, keeps their
// outlines at hand and resolves their links over the whole release.
func (a *assembly) places(ctx context.Context) ([]place, error) {
	list, err := a.readPlaces(ctx)
	if err != nil {
		return nil, fmt.Errorf("read geographies: %w", err)
	}
	slices.SortFunc(list, func(p, q place) int {
		return cmp.Or(cmp.Compare(geo.Hilbert(p.Centroid), geo.Hilbert(q.Centroid)), cmp.Compare(p.Key, q.Key))
	})
	if err := a.storeOutlines(ctx, list); err != nil {
		return nil, fmt.Errorf("read outlines: %w", err)
	}
	if err := a.linkAcross(ctx, list); err != nil {
		return nil, fmt.Errorf("link geographies across regions: %w", err)
	}
	return list, nil
}

func (a *assembly) readPlaces(ctx context.Context) ([]place, error) {
	rows, err := a.conn.QueryContext(ctx, query("places"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []place
	for rows.Next() {
		var p place
		var regions string
		if err := rows.Scan(&p.Key, &p.Region, &p.SourceID, &p.Level, &p.Name.EN, &p.Name.FR, &p.Country, &p.States,
			&p.Holder[cityLink], &p.Holder[metroLink], &p.Holder[stateLink], &p.Holder[countryLink], &regions,
			&p.AreaM2, &p.Bound.Min[0], &p.Bound.Min[1], &p.Bound.Max[0], &p.Bound.Max[1],
			&p.Centroid[0], &p.Centroid[1], &p.Population); err != nil {
			return nil, err
		}
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("region %s: geography %s: %w", a.regions[p.Region].Name, p.Key, err)
		}
		for _, number := range strings.Split(regions, ",") {
			region, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			p.Regions = append(p.Regions, region)
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

// check refuses what no derived row may be.
func (p *place) check() error {
	switch {
	case p.Key == "":
		return fmt.Errorf("no source key")
	case !p.Level.Valid():
		return fmt.Errorf("level %d", p.Level)
	case !(p.AreaM2 > 0) || p.AreaM2 > 6e14:
		return fmt.Errorf("area of %v m²", p.AreaM2)
	case !geo.Valid(p.Centroid) || !geo.Valid(p.Bound.Min) || !geo.Valid(p.Bound.Max) || p.Bound.IsEmpty():
		return fmt.Errorf("centroid %v in box %v", p.Centroid, p.Bound)
	case p.Population.Valid && p.Population.Int64 < 0:
		return fmt.Errorf("population %d", p.Population.Int64)
	}
	return nil
}
