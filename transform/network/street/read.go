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

var disconnected = Reasons.Skipped("disconnected_network",
	"The part of the network has too few nodes and no connection to the rest (calibration: walking.least_nodes).")

// Read builds the network of the staged streets. Walk is nil if no street of the region is open to pedestrians. It holds
// the lines of all streets, about 400 bytes a street and 40 bytes a vertex.
func Read(ctx context.Context, db *duck.DB, c *calibration.Calibration) (*Network, []issue.Issue, error) {
	n := &Network{}
	if err := n.readStreets(ctx, db); err != nil {
		return nil, nil, err
	}
	n.nameNetworks()
	issues := n.dropDuplicates(c.Walking.SameStreet)
	if err := n.readBarriers(ctx, db); err != nil {
		return nil, nil, err
	}
	if report := n.connect(c.Walking); report.DroppedComponents > 0 {
		example := &n.Streets[n.WalkLine[report.FirstDropped]]
		issues = append(issues, issue.Issue{Step: "street", Reason: disconnected, Rows: int64(report.DroppedComponents),
			Example: example.label()})
	}
	return n, issues, nil
}

// label identifies a street for people.
func (s *Street) label() string { return strings.TrimSpace(s.Key + " " + s.Name) }

func (n *Network) readStreets(ctx context.Context, db *duck.DB) error {
	type row struct {
		staged.Street
		NoFootpaths bool `col:"no_footpaths"`
	}
	local := localNodes{}
	for row, err := range sqlrow.Select[row](ctx, db, streetsSQL) {
		if err != nil {
			return fmt.Errorf("read streets: %w", err)
		}
		s := Street{Source: row.SourceID, Key: row.SourceKey, Class: row.Class, Name: row.Name, NameFR: row.NameFR,
			Foot: row.Foot, Bicycle: row.Bicycle, Car: row.Car, Lanes: int(row.Lanes), SpeedKMH: row.SpeedKMH,
			Sidewalk: row.Sidewalk, Cycleway: row.Cycleway, Parking: row.Parking, Bridge: row.Bridge, Tunnel: row.Tunnel,
			NoFootpaths: row.NoFootpaths}
		if s.Line, err = geo.LineString(row.Geom); err != nil {
			return fmt.Errorf("read street %s of %s: %w", s.Key, s.Source, err)
		}
		if s.Nodes, err = local.ids(row.Nodes, s.Line); err != nil {
			return fmt.Errorf("read street %s of %s: %w", s.Key, s.Source, err)
		}
		n.Streets = append(n.Streets, s)
	}
	return nil
}

// localNodes are the nodes with negative ids, which are local to a file, by id and position: two files have the same node
// if they are extracts of one, and else another position.
type localNodes map[localNode]int64

type localNode struct {
	id int64
	at orb.Point
}

// ids decodes the OSM node ids of the vertices of a line; nil if it has none.
func (l localNodes) ids(data []byte, line orb.LineString) ([]int64, error) {
	if data == nil {
		return nil, nil
	}
	if len(data) != 8*len(line) {
		return nil, fmt.Errorf("%d bytes of node ids for %d vertices", len(data), len(line))
	}
	ids := make([]int64, len(line))
	for i := range ids {
		ids[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		if ids[i] < 0 {
			node := localNode{ids[i], line[i]}
			if l[node] == 0 {
				l[node] = -int64(len(l)) - 1
			}
			ids[i] = l[node]
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
