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
	"quartier/internal/sqlrow"
)

// area is the streets and places around a location, up to a network distance of limitM.
type area struct {
	limitM float64
	graph  *network.Graph
	edge   map[int64]uint32 // from the number of an edge to its index in graph; lent ones have negative numbers
	lent   map[int64]orb.LineString
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
	lent                        bool             // a row of lent_destination
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
		l.area = &area{limitM: limitM, edge: map[int64]uint32{}, lent: map[int64]orb.LineString{}, places: map[string][]*place{}}
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
	numbers := map[int64]uint32{}
	node := func(n int64) uint32 {
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
		a.edge[fid] = uint32(len(edges))
		edges = append(edges, network.Edge{A: node(int64(e.A) + 1), B: node(int64(e.B) + 1), Length: network.Metres(e.LengthM)})
		return nil
	})
	l.eachLentEdge(a.limitM, func(fid, from, to int64, length network.Distance, line orb.LineString) {
		a.edge[-fid], a.lent[-fid] = uint32(len(edges)), line
		edges = append(edges, network.Edge{A: node(from), B: node(to), Length: length})
	})
	if l.err != nil {
		return
	}
	at, ok := a.edge[int64(l.edge)+1]
	if !ok {
		l.err = fmt.Errorf("read streets: street_edge %d is not in its R*Tree", l.edge+1)
		return
	}
	a.graph = network.GraphFromEdges(make([]coord.Point, len(numbers)), edges)
	a.reach = a.graph.ReachOf(network.Place{Edge: at, Along: l.along}, network.Metres(a.limitM))
}

// stationM is the greatest distance between the platforms of a station, in metres.
const stationM = 1000

// eachLentEdge visits the streets around that neighbours lend to the region.
func (l *location) eachLentEdge(limitM float64, visit func(fid, a, b int64, length network.Distance, line orb.LineString)) {
	query := `SELECT e.fid, e.a, e.b, e.length_m, e.geometry FROM idx_lent_edge_geometry AS i JOIN lent_edge AS e ON e.fid = i.pkid
		WHERE e.region = ? AND ` + inBox + ` ORDER BY e.fid`
	l.each("lent streets", query, append([]any{l.street.Region}, box(l.at, limitM)...),
		sqlrow.Visit5(func(fid, a, b int64, lengthM float64, blob []byte) error {
			line, err := released.ReadLine(blob)
			if err != nil || len(line) < 2 {
				return fmt.Errorf("lent_edge %d is no line: %w", fid, err)
			}
			visit(fid, a, b, network.Metres(lengthM), line)
			return nil
		}))
}

// loadPlaces reads the places around. Platforms of a station count together, so that stops are read from farther away.
func (l *location) loadPlaces(a *area) {
	for _, table := range []string{"destination", "lent_destination"} {
		query := `SELECT d.fid, d.class, d.place_key, d.station, d.source_id, coalesce(d.name, ''), coalesce(d.size, 0), d.edge, d.along_m,
				d.leg_m, d.geometry FROM idx_` + table + `_geometry AS i JOIN ` + table + ` AS d ON d.fid = i.pkid
			WHERE d.region = ? AND ` + inBox + ` ORDER BY d.fid`
		l.each("places", query, append([]any{l.street.Region}, box(l.at, a.limitM+stationM)...), func(rows *sql.Rows) error {
			p := &place{way: network.Far, lent: table != "destination"}
			var edge int64
			var alongM float64
			var blob []byte
			err := rows.Scan(&p.fid, &p.class, &p.key, &p.station, &p.source, &p.name, &p.hectares, &edge, &alongM, &p.legM, &blob)
			if err != nil {
				return err
			}
			if p.at, err = released.ReadPoint(blob); err != nil {
				return fmt.Errorf("%s %d: %w", table, p.fid, err)
			}
			l.measure(a, p, edge, alongM)
			a.places[p.class] = append(a.places[p.class], p)
			return nil
		})
	}
}

// measure sets the distance to a place, so far along an edge, if that is in the area.
func (l *location) measure(a *area, p *place, edge int64, alongM float64) {
	number, near := a.edge[edge]
	if !near {
		return
	}
	spot := network.Place{Along: network.Metres(alongM), Leg: network.Metres(p.legM)}
	if bound, clear := l.bound(a, edge, spot); clear && bound <= network.Metres(a.limitM) {
		p.way, p.bounded = bound, true
	}
	spot.Edge = number
	if way, ok := a.reach.To(spot); ok && way <= p.way {
		p.way, p.bounded = way, false
	}
}

// bound is the bound of the way to a spot on an edge; false if the way is not bounded.
func (l *location) bound(a *area, edge int64, spot network.Place) (network.Distance, bool) {
	from, ok := coord.NewPoint(l.at[0], l.at[1])
	if !ok || l.beeline == nil {
		return network.Far, false
	}
	if edge > 0 {
		spot.Edge = uint32(edge - 1)
		return l.beeline.Way(from, spot)
	}
	at := alongLine(a.lent[edge], min(spot.Along.Metres()/max(a.graph.Edges[a.edge[edge]].Length.Metres(), 0.1), 1))
	to, ok := coord.NewPoint(at[0], at[1])
	if !ok {
		return network.Far, false
	}
	way, clear := l.beeline.Between(from, to)
	return way + spot.Leg, clear
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
