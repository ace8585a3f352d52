package street

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/issue"
)

//go:embed streets.sql
var streetsSQL string

const step = "street"

// Read makes the network of the staged streets. Walk is nil where the region has none that can be walked. It holds the
// lines of all streets, about 400 bytes a street and 40 bytes a vertex.
func Read(ctx context.Context, staged *duck.DB, c *calibration.Calibration) (*Network, []issue.Issue, error) {
	n := &Network{}
	if err := n.readStreets(ctx, staged); err != nil {
		return nil, nil, err
	}
	if err := n.readBarriers(ctx, staged); err != nil {
		return nil, nil, err
	}
	var issues []issue.Issue
	if report := n.connect(c.Walking); report.DroppedComponents > 0 {
		issues = append(issues, issue.Issue{
			Step: step, Reason: issue.Uncoded(fmt.Sprintf("piece of network of fewer than %d nodes, joined to nothing", c.Walking.MinNodes)),
			Rows: int64(report.DroppedComponents), Example: n.Streets[n.WalkLine[report.FirstDropped]].where(),
		})
	}
	return n, issues, nil
}

func (s *Street) where() string { return strings.TrimSpace(s.Key + " " + s.Name) }

func (n *Network) readStreets(ctx context.Context, staged *duck.DB) error {
	rows, err := staged.QueryContext(ctx, streetsSQL)
	if err != nil {
		return fmt.Errorf("read streets: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s Street
		var priority int64
		var sidewalk, parking sql.NullBool
		var nodes, geom sql.RawBytes
		if err := rows.Scan(&s.Source, &priority, &s.Key, &s.Class, &s.Name, &s.NameFR, &s.Foot, &s.Bicycle, &s.Car, &s.Lanes,
			&s.SpeedKMH, &sidewalk, &s.Cycleway, &parking, &s.Bridge, &s.Tunnel, &nodes, &geom); err != nil {
			return fmt.Errorf("read streets: %w", err)
		}
		s.Sidewalk, s.Parking = known(sidewalk), known(parking)
		if s.Line, err = geo.LineString(geom); err != nil {
			return fmt.Errorf("read street %s of %s: %w", s.Key, s.Source, err)
		}
		if s.Nodes, err = nodeIDs(nodes, priority); err != nil || s.Nodes != nil && len(s.Nodes) != len(s.Line) {
			return fmt.Errorf("read street %s of %s: %d bytes of node ids for %d vertices", s.Key, s.Source, len(nodes), len(s.Line))
		}
		n.Streets = append(n.Streets, s)
	}
	return rows.Err()
}

func known(b sql.NullBool) *bool {
	if !b.Valid {
		return nil
	}
	return &b.Bool
}

// nodeIDs reads the ids of a line's nodes. Negative ones are an editor's own numbers, which mean something else in
// every file: they are told apart by the priority of their source.
func nodeIDs(data []byte, priority int64) ([]int64, error) {
	if data == nil {
		return nil, nil
	}
	if len(data)%8 != 0 {
		return nil, fmt.Errorf("%d bytes are no node ids", len(data))
	}
	ids := make([]int64, len(data)/8)
	for i := range ids {
		ids[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		if ids[i] < 0 {
			ids[i] -= priority << 48
		}
	}
	return ids, nil
}

// uncrossable are the classes of street that one cannot cross on foot, bridges and tunnels aside.
var uncrossable = map[string]bool{"motorway": true, "motorway_link": true}

// readBarriers collects what one cannot cross: motorways and expressways that are closed to walkers, water, and tracks
// of railways, all without their bridges and tunnels.
func (n *Network) readBarriers(ctx context.Context, staged *duck.DB) error {
	for i := range n.Streets {
		s := &n.Streets[i]
		closed := uncrossable[s.Class] || s.Class == "trunk" && !s.Foot
		if closed && !s.Bridge && !s.Tunnel {
			n.Barriers = append(n.Barriers, Barrier{"motorway", s.Line})
		}
	}
	take := func(kind string, allowed func(class string) bool) func(f *feature.Feature) error {
		return func(f *feature.Feature) error {
			if line, ok := f.Geometry.(orb.LineString); ok && !f.Bridge && allowed(f.Class) {
				n.Barriers = append(n.Barriers, Barrier{kind, line})
			}
			return nil
		}
	}
	if err := feature.Each(ctx, staged, "water", take("water", func(string) bool { return true })); err != nil {
		return err
	}
	return feature.Each(ctx, staged, "rail", take("railway", func(class string) bool {
		return class == "main" || class == "branch" || class == "light_rail" || class == "subway"
	}))
}

// connect makes the graph of what can be walked.
func (n *Network) connect(w calibration.Walking) network.Report {
	builder := network.NewBuilder(network.Options{MaxEdgeM: w.MaxEdgeM, MinNodes: w.MinNodes})
	var points []coord.Point
	for i := range n.Streets {
		s := &n.Streets[i]
		if !s.Foot {
			continue
		}
		var ok bool
		if points, ok = Points(points, s.Line); !ok {
			continue // the staging has refused it already
		}
		builder.Add(network.Line{Points: points, Nodes: s.Nodes})
		n.WalkLine = append(n.WalkLine, uint32(i))
	}
	graph, report := builder.Finish()
	if len(graph.Edges) == 0 {
		return report
	}
	n.Walk = graph
	barriers := make([][]coord.Point, 0, len(n.Barriers))
	for _, b := range n.Barriers {
		if points, ok := Points(nil, b.Line); ok {
			barriers = append(barriers, points)
		}
	}
	n.Snapper = network.NewSnapper(graph, barriers)
	return report
}
