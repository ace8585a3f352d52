package street

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/feature"
	"quartier/transform/issue"
)

//go:embed streets.sql
var streetsSQL string

// Reasons are those of this package.
var Reasons reason.List

var disconnected = Reasons.Skipped("disconnected_network", "The part of the network has too few nodes and no connection to the rest (calibration: walking.least_nodes).")

// Read builds the network of the staged streets. Walk is nil if no street of the region is open to pedestrians. It holds
// the lines of all streets, about 400 bytes a street and 40 bytes a vertex.
func Read(ctx context.Context, db *duck.DB, c *calibration.Calibration) (*Network, []issue.Issue, error) {
	n := &Network{}
	if err := n.readStreets(ctx, db); err != nil {
		return nil, nil, err
	}
	issues := n.dropDuplicates(c.Walking.SameStreet)
	if err := n.readBarriers(ctx, db); err != nil {
		return nil, nil, err
	}
	if report := n.connect(c.Walking); report.DroppedComponents > 0 {
		example := &n.Streets[n.WalkLine[report.FirstDropped]]
		issues = append(issues, issue.Issue{Step: "street", Reason: disconnected, Rows: int64(report.DroppedComponents), Example: example.label()})
	}
	return n, issues, nil
}

// label identifies a street for people.
func (s *Street) label() string { return strings.TrimSpace(s.Key + " " + s.Name) }

func (n *Network) readStreets(ctx context.Context, db *duck.DB) error {
	type row struct {
		staged.Street
		Priority    int32 `col:"priority"`
		NoFootpaths bool  `col:"no_footpaths"`
	}
	for row, err := range sqlrow.Select[row](ctx, db, streetsSQL) {
		if err != nil {
			return fmt.Errorf("read streets: %w", err)
		}
		s := Street{Source: row.SourceID, Key: row.SourceKey, Class: row.Class, Name: row.Name, NameFR: row.NameFR,
			Foot: row.Foot, Bicycle: row.Bicycle, Car: row.Car, Lanes: int(row.Lanes), SpeedKMH: row.SpeedKMH,
			Sidewalk: row.Sidewalk, Cycleway: row.Cycleway, Parking: row.Parking, Bridge: row.Bridge, Tunnel: row.Tunnel, NoFootpaths: row.NoFootpaths}
		if s.Line, err = geo.LineString(row.Geom); err != nil {
			return fmt.Errorf("read street %s of %s: %w", s.Key, s.Source, err)
		}
		if s.Nodes, err = nodeIDs(row.Nodes, int64(row.Priority)); err != nil || s.Nodes != nil && len(s.Nodes) != len(s.Line) {
			return fmt.Errorf("read street %s of %s: %d bytes of node ids for %d vertices", s.Key, s.Source, len(row.Nodes), len(s.Line))
		}
		n.Streets = append(n.Streets, s)
	}
	return nil
}

// nodeIDs decodes the OSM node ids of a line. Negative ids are local to a file: the priority of the source makes them
// unique.
func nodeIDs(data []byte, priority int64) ([]int64, error) {
	if data == nil {
		return nil, nil
	}
	if len(data)%8 != 0 {
		return nil, fmt.Errorf("node ids have %d bytes", len(data))
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

// uncrossable are the street classes that pedestrians cannot cross, except on bridges and in tunnels.
var uncrossable = map[string]bool{"motorway": true, "motorway_link": true}

// readBarriers collects the lines that pedestrians cannot cross: motorways and trunk roads closed to them, water, and
// railways, without their bridges and tunnels.
func (n *Network) readBarriers(ctx context.Context, db *duck.DB) error {
	for i := range n.Streets {
		s := &n.Streets[i]
		closed := uncrossable[s.Class] || s.Class == "trunk" && !s.Foot
		if closed && !s.Bridge && !s.Tunnel {
			n.Barriers = append(n.Barriers, Barrier{"motorway", s.Line, staged.Lent(s.Source)})
		}
	}
	if err := feature.Shapes(ctx, db, "water", func(f *feature.Feature, line orb.LineString) {
		if !f.Bridge {
			n.Barriers = append(n.Barriers, Barrier{"water", line, staged.Lent(f.Source)})
		}
	}); err != nil {
		return err
	}
	return feature.Shapes(ctx, db, "rail", func(f *feature.Feature, line orb.LineString) {
		switch f.Class {
		case "main", "branch", "light_rail", "subway":
			if !f.Bridge {
				n.Barriers = append(n.Barriers, Barrier{"railway", line, staged.Lent(f.Source)})
			}
		}
	})
}

// connect builds the graph of the streets that are open to pedestrians.
func (n *Network) connect(w calibration.Walking) network.Report {
	barriers := n.barrierPoints()
	n.joinSources(barriers, w.JoinM)
	builder := network.NewBuilder(network.Options{MaxEdgeM: w.MaxEdgeM, MinNodes: w.MinNodes})
	var points []coord.Point
	for i := range n.Streets {
		s := &n.Streets[i]
		if !s.Foot {
			continue
		}
		var ok bool
		if points, ok = Points(points, s.Line); !ok {
			continue // rejected at staging
		}
		builder.Add(network.Line{Points: points, Nodes: s.Nodes})
		n.WalkLine = append(n.WalkLine, uint32(i))
	}
	graph, report := builder.Finish()
	if len(graph.Edges) == 0 {
		return report
	}
	n.Walk = graph
	n.Snapper = network.NewSnapper(graph, barriers)
	n.boundWays(w.Detour)
	return report
}

func (n *Network) barrierPoints() [][]coord.Point {
	barriers := make([][]coord.Point, 0, len(n.Barriers))
	for _, b := range n.Barriers {
		if points, ok := Points(nil, b.Line); ok {
			barriers = append(barriers, points)
		}
	}
	return barriers
}

// boundWays bounds the ways from the streets of sources without footpaths: people walk where the map has nothing.
func (n *Network) boundWays(detour float64) {
	bounded := make([]bool, len(n.Walk.Nodes))
	for i, e := range n.Walk.Edges {
		if n.Street(uint32(i)).NoFootpaths {
			bounded[e.A], bounded[e.B], n.Bounded = true, true, true
		}
	}
	if n.Bounded {
		n.Walk.Bound(network.NewBeeline(detour, n.Snapper), bounded)
	}
}
