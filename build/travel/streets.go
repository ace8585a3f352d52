package travel

import (
	"context"
	"fmt"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/pack/access"
	packed "quartier/internal/pack/travel"
	"quartier/internal/sqlrow"
	doors "quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/schemas/derived"
)

// networks makes the networks of regions, and links the stops of a table to the streets of a release. Those on foot stay in its file.
func networks(ctx context.Context, regions []Region, on *access.Table, table *packed.Table) (*packed.Networks, *streets.Stops, error) {
	var bicycle, car streets.Builder
	for _, r := range regions {
		if err := addRegion(ctx, r, &bicycle, &car); err != nil {
			return nil, nil, fmt.Errorf("streets of region %s: %w", r.Name, err)
		}
	}
	n := &packed.Networks{}
	n.Streets = [doors.Transit]*streets.Network{streets.New(on.Snapper(), on.Nodes(), nil, nil), bicycle.Finish(nil), car.Finish(nil)}
	n.Streets[doors.Car].BuildHierarchy()
	stops, err := n.Link(ctx, table)
	return n, stops, err
}

// unlinked says of each feed how many of its stops are near no street.
func unlinked(table *packed.Table, stops *streets.Stops) (notes []string) {
	tt := table.Timetable
	counts, first := make([][2]int, len(tt.Feeds)), make([]string, len(tt.Feeds)) // unlinked, all; the first one
	for stop := range uint32(tt.Stops()) {
		feed := tt.StopFeed[stop]
		counts[feed][1]++
		if _, linked := stops.Place(stop); !linked {
			if counts[feed][0]++; counts[feed][0] == 1 {
				lng, lat := tt.StopAt[stop].Degrees()
				first[feed] = fmt.Sprintf("%s at %.5f, %.5f", tt.StopNames.At(stop), lat, lng)
			}
		}
	}
	for feed, n := range counts {
		if n[0] > 0 {
			notes = append(notes, fmt.Sprintf("timetable of source %s: no street is within %d m of %d of its %d stops, so that nobody gets on or "+
				"off there; the first is %s", table.Feeds[feed].Source, doors.LinkM, n[0], n[1], first[feed]))
		}
	}
	return notes
}

// addRegion adds the streets of a region.
func addRegion(ctx context.Context, r Region, bicycle, car *streets.Builder) error {
	db, err := duck.Open(r.Derived)
	if err != nil {
		return err
	}
	defer db.Close()
	bicycle.NextRegion()
	for e, err := range sqlrow.Select[derived.BicycleEdge](ctx, db, "SELECT * FROM bicycle_edge ORDER BY edge") {
		if err != nil {
			return err
		}
		edge := streets.Edge{A: uint32(e.A), B: uint32(e.B), Length: network.Metres(e.LengthM)}
		way := map[string]network.Direction{"forward": network.Forward, "backward": network.Backward}[e.Way]
		edge.Forth, edge.Back = streets.BicycleCosts(edge.Length, int(e.Stress), way)
		if err := addEdge(bicycle, edge, e.Geom); err != nil {
			return fmt.Errorf("bicycle_edge %d: %w", e.Edge, err)
		}
	}
	car.NextRegion()
	for e, err := range sqlrow.Select[derived.DriveEdge](ctx, db, "SELECT * FROM drive_edge ORDER BY edge") {
		if err != nil {
			return err
		}
		edge := streets.Edge{A: uint32(e.A), B: uint32(e.B), Length: network.Metres(e.LengthM), Forth: deciseconds(e.ForthDs),
			Back: deciseconds(e.BackDs), NoLink: !e.Stop}
		if err := addEdge(car, edge, e.Geom); err != nil {
			return fmt.Errorf("drive_edge %d: %w", e.Edge, err)
		}
	}
	return nil
}

// deciseconds is the cost of an edge; Closed where it is not known, as cars may not go there.
func deciseconds(known *int32) uint32 {
	if known == nil {
		return streets.Closed
	}
	return uint32(*known)
}

func addEdge(b *streets.Builder, e streets.Edge, geom []byte) error {
	line, err := geo.LineString(geom)
	if err != nil {
		return err
	}
	for _, v := range line {
		p, ok := coord.NewPoint(v[0], v[1])
		if !ok {
			return fmt.Errorf("invalid coordinates %v", v)
		}
		e.Line = append(e.Line, p)
	}
	e.Length = max(e.Length, 1)
	return b.Add(e)
}
