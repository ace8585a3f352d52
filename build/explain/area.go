package explain

import (
	"database/sql"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
)

// area is the streets and places around a location, up to a network distance of limitM.
type area struct {
	limitM float64
	graph  *network.Graph
	edge   map[uint32]uint32 // from the index of an edge in the pack to that in graph
	reach  *network.Reach
	places map[string][]*place // by class, in the order of the release
}

// place is a row of destination with its distance.
type place struct {
	fid                         int64
	class, key, station, source string
	name                        string
	hectares                    float64
	at                          orb.Point
	legM                        float64
	way                         network.Distance // from the street, its access leg included; network.Far: beyond the limit
	bounded                     bool             // way is the bound of network.Beeline
}

// box is the bounds of a circle around a point for a query of an R*Tree; no path of the given length leaves it.
func box(at orb.Point, metres float64) []any {
	b := geo.CircleBound(at, 1.01*metres+50)
	return []any{b.Max[0], b.Min[0], b.Max[1], b.Min[1]}
}

const inBox = "i.xmin <= ? AND i.xmax >= ? AND i.ymin <= ? AND i.ymax >= ?"

// load makes l.area reach at least as far as limitM.
func (l *location) load(limitM float64) {
	if l.area == nil || l.area.limitM < limitM {
		l.area = &area{limitM: limitM, edge: map[uint32]uint32{}, places: map[string][]*place{}}
		l.loadStreets(l.area)
		l.loadPlaces(l.area)
	}
}

// each visits the rows of a query. After the first error, which l.err keeps, it visits none.
func (l *location) each(what, query string, args []any, visit func(*sql.Rows) error) {
	if l.err != nil {
		return
	}
	if err := released.Each(l.ctx, l.r.db, query, args, visit); err != nil {
		l.err = fmt.Errorf("read %s: %w", what, err)
	}
}

// loadStreets reads the network around and searches it once.
func (l *location) loadStreets(a *area) {
	numbers := map[uint32]uint32{}
	node := func(n uint32) uint32 {
		at, seen := numbers[n]
		if !seen {
			at = uint32(len(numbers))
			numbers[n] = at
		}
		return at
	}
	var edges []network.Edge
	query := "SELECT i.pkid FROM idx_street_edge_geometry AS i WHERE " + inBox + " ORDER BY i.pkid"
	l.each("streets", query, box(l.at, a.limitM), func(rows *sql.Rows) error {
		var fid int64
		if err := rows.Scan(&fid); err != nil {
			return err
		}
		if fid < 1 || fid > int64(l.r.table.Edges()) {
			return fmt.Errorf("street_edge %d is not in the pack", fid)
		}
		e := l.r.table.Edge(uint32(fid - 1))
		a.edge[uint32(fid-1)] = uint32(len(edges))
		edges = append(edges, network.Edge{A: node(e.A), B: node(e.B), Length: network.Metres(e.LengthM)})
		return nil
	})
	if l.err != nil {
		return
	}
	at, ok := a.edge[l.edge]
	if !ok {
		l.err = fmt.Errorf("read streets: street_edge %d is not in its R*Tree", l.edge+1)
		return
	}
	a.graph = network.GraphFromEdges(make([]coord.Point, len(numbers)), edges)
	a.reach = a.graph.ReachOf(network.Place{Edge: at, Along: l.along}, network.Metres(a.limitM))
}

// stationM is the greatest distance between the platforms of a station, in metres.
const stationM = 1000

// loadPlaces reads the places around. Platforms of a station count together, so that stops are read from farther away.
func (l *location) loadPlaces(a *area) {
	query := `SELECT d.fid, d.class, d.place_key, d.station, d.source_id, coalesce(d.name, ''), coalesce(d.size, 0), d.edge, d.along_m,
			d.leg_m, d.geometry FROM idx_destination_geometry AS i JOIN destination AS d ON d.fid = i.pkid
		WHERE d.region = ? AND ` + inBox + ` ORDER BY d.fid`
	l.each("places", query, append([]any{l.street.Region}, box(l.at, a.limitM+stationM)...), func(rows *sql.Rows) error {
		p := &place{way: network.Far}
		var edge int64
		var alongM float64
		var blob []byte
		if err := rows.Scan(&p.fid, &p.class, &p.key, &p.station, &p.source, &p.name, &p.hectares, &edge, &alongM, &p.legM, &blob); err != nil {
			return err
		}
		var err error
		if p.at, err = released.ReadPoint(blob); err != nil {
			return fmt.Errorf("destination %d: %w", p.fid, err)
		}
		if at, near := a.edge[uint32(edge-1)]; near {
			l.measure(a, p, at, network.Place{Edge: uint32(edge - 1), Along: network.Metres(alongM), Leg: network.Metres(p.legM)})
		}
		a.places[p.class] = append(a.places[p.class], p)
		return nil
	})
}

// measure sets the distance to a place, whose edge is at in the graph of the area.
func (l *location) measure(a *area, p *place, at uint32, spot network.Place) {
	if from, ok := coord.NewPoint(l.at[0], l.at[1]); ok && l.beeline != nil {
		if bound, clear := l.beeline.Way(from, spot); clear && bound <= network.Metres(a.limitM) {
			p.way, p.bounded = bound, true
		}
	}
	spot.Edge = at
	if way, ok := a.reach.To(spot); ok && way <= p.way {
		p.way, p.bounded = way, false
	}
}

// nearest are the k nearest places of some classes within a network distance of reachM, nearest first: of each station
// the nearest platform, of equally near places the first of the release. It loads no larger area than it needs.
func (l *location) nearest(classes []string, k int, reachM float64, fits func(*place) bool) []*place {
	for limit := min(reachM, l.r.walk.Reach()); ; limit = min(2*limit, reachM) {
		l.load(limit)
		if found := l.area.nearest(classes, k, network.Metres(limit), fits); len(found) >= k || limit >= reachM {
			return found
		}
	}
}

func (a *area) nearest(classes []string, k int, reach network.Distance, fits func(*place) bool) []*place {
	var near []*place
	for _, class := range classes {
		for _, p := range a.places[class] {
			if p.way <= reach && (fits == nil || fits(p)) {
				near = append(near, p)
			}
		}
	}
	slices.SortStableFunc(near, func(a, b *place) int { return int(a.way) - int(b.way) })
	found, seen := near[:0], map[string]bool{}
	for _, p := range near {
		if !seen[p.station] && len(found) < k {
			seen[p.station] = true
			found = append(found, p)
		}
	}
	return found
}
