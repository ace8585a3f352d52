package build

import (
	"cmp"
	"context"
	"crypto/sha256"
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

// places reads the picked geographies, resolves their links over the whole release and puts them in the order of a
// Hilbert curve over their centroids.
func (a *assembly) places(ctx context.Context) ([]place, error) {
	list, err := a.readPlaces(ctx)
	if err != nil {
		return nil, fmt.Errorf("read geographies: %w", err)
	}
	if err := a.linkAcross(ctx, list); err != nil {
		return nil, fmt.Errorf("link geographies across regions: %w", err)
	}
	slices.SortFunc(list, func(p, q place) int {
		return cmp.Or(cmp.Compare(geo.Hilbert(p.Centroid), geo.Hilbert(q.Centroid)), cmp.Compare(p.Key, q.Key))
	})
	order, err := a.Append(ctx, "geography_order")
	if err != nil {
		return nil, err
	}
	for i, p := range list {
		if err := order.Row(p.Key, int64(i+1)); err != nil {
			return nil, err
		}
	}
	if err := order.Close(); err != nil {
		return nil, err
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

// outline reads the picked outline of a geography.
func (a *assembly) outline(ctx context.Context, key string) (orb.MultiPolygon, error) {
	var data []byte
	err := a.conn.QueryRowContext(ctx, `SELECT g.geom FROM geography_pick AS p
		JOIN geography_row AS g USING (source_key, region) WHERE p.source_key = ?`, key).Scan(&data)
	if err != nil {
		return nil, fmt.Errorf("read outline of %s: %w", key, err)
	}
	return decodeOutline(key, data)
}

// eachOutline visits the outlines in the order of fid, which is that of places.
func (a *assembly) eachOutline(ctx context.Context, visit func(fid int64, m orb.MultiPolygon) error) error {
	rows, err := a.conn.QueryContext(ctx, query("outlines"))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var fid int64
		var key string
		var data sql.RawBytes
		if err := rows.Scan(&fid, &key, &data); err != nil {
			return err
		}
		m, err := decodeOutline(key, data)
		if err != nil {
			return err
		}
		if err := visit(fid, m); err != nil {
			return err
		}
	}
	return rows.Err()
}

// decodeOutline reads WKB of closed rings of points on earth.
func decodeOutline(key string, data []byte) (orb.MultiPolygon, error) {
	m, err := geo.MultiPolygon(data)
	if err != nil {
		return nil, fmt.Errorf("outline of %s: %w", key, err)
	}
	if err := checkOutline(m); err != nil {
		return nil, fmt.Errorf("outline of %s: %w", key, err)
	}
	return m, nil
}

// checkOutline refuses what no outline of a release may be.
func checkOutline(m orb.MultiPolygon) error {
	if len(m) == 0 {
		return fmt.Errorf("is empty")
	}
	for _, polygon := range m {
		if len(polygon) == 0 {
			return fmt.Errorf("has a polygon without rings")
		}
		for _, ring := range polygon {
			if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
				return fmt.Errorf("has an open ring of %d points", len(ring))
			}
			for _, p := range ring {
				if !geo.Valid(p) {
					return fmt.Errorf("has a point at %v, %v", p[0], p[1])
				}
			}
		}
	}
	return nil
}

// digestOutlines fills in the digest of every place's outline, by which unchanged ones are known.
func (a *assembly) digestOutlines(ctx context.Context, list []place) error {
	return a.eachOutline(ctx, func(fid int64, m orb.MultiPolygon) error {
		list[fid-1].Geometry = sha256.Sum256(multiPolygonBlob(m))
		return nil
	})
}
