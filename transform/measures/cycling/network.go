package cycling

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/network/edges"
)

// network is the cycling networks that cities publish.
type network struct {
	drawn   []line
	points  []spot
	extents []*geo.Prepared // declared ones of the sources, else their hulls
}

// line is a piece with its course.
type line struct {
	class  string // of schemas.BikewayClasses
	course orb.LineString
}

// spot is a piece of which a point and the length are known.
type spot struct {
	class  string
	at     orb.Point
	metres float64
}

// readNetwork reads the staged networks, by priority of the sources.
func readNetwork(ctx context.Context, db *duck.DB) (*network, error) {
	declared, err := edges.Declared(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("cycling networks: %w", err)
	}
	n := &network{}
	var hull geo.Hull
	last := ""
	end := func() {
		if e := declared[last]; e != nil {
			n.extents = append(n.extents, geo.Prepare(e.Outline))
		} else if ring := hull.Ring(); ring != nil {
			n.extents = append(n.extents, geo.Prepare(orb.MultiPolygon{{ring}}))
		}
		hull = geo.Hull{}
	}
	for row, err := range sqlrow.Select[staged.Bikeway](ctx, db, `
		SELECT bikeway.* FROM bikeway JOIN source USING (source_id) ORDER BY priority, source_key`) {
		if err != nil {
			return nil, fmt.Errorf("read cycling networks: %w", err)
		}
		shape, err := wkb.Unmarshal(row.Geom)
		if err != nil {
			return nil, fmt.Errorf("read piece %s of cycling network %s: %w", row.SourceKey, row.SourceID, err)
		}
		if row.SourceID != last {
			end()
			last = row.SourceID
		}
		switch g := shape.(type) {
		case orb.LineString:
			n.drawn = append(n.drawn, line{row.Class, g})
			for _, p := range g {
				hull.Add(p)
			}
		case orb.Point:
			hull.Add(g)
			n.points = append(n.points, spot{row.Class, g, *row.LengthM})
		}
	}
	end()
	return n, nil
}

// lines are the drawn pieces with something for bicycles.
func (n *network) lines(c *calibration.BikeLanes) (facilities []facility) {
	for _, l := range n.drawn {
		if weight := c.Network[l.class]; weight > 0 {
			facilities = append(facilities, facility{l.course, weight})
		}
	}
	return facilities
}

// covers reports whether a point is within the extent of a network, so that no piece near it means that there is none.
func (n *network) covers(p coord.Point) bool {
	return slices.ContainsFunc(n.extents, func(e *geo.Prepared) bool { return e.Contains(p.Orb()) })
}
