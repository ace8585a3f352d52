package streets_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/testenv"
	"quartier/internal/travel/streets"
)

// osmFile is the streets of a file of OpenStreetMap, with the lines of their nodes.
type osmFile struct{ streets []source.Street }

// readOSM reads a file as the ingest does; the test is skipped if it is not there.
func readOSM(tb testing.TB, path string) *osmFile {
	tb.Helper()
	file, err := pbf.Open(path)
	if err != nil {
		tb.Skip(err)
	}
	defer file.Close()
	rules, err := streettags.NewRules()
	if err != nil {
		tb.Fatal(err)
	}
	all, at := &osmFile{}, map[int64]orb.Point{}
	err = file.Read(context.Background(), element.Want{Kinds: element.Nodes | element.Ways, Tags: true}, func(b *element.Batch) error {
		for i := range b.Nodes {
			at[b.Nodes[i].ID] = b.Nodes[i].Point
		}
		for i := range b.Ways {
			var s source.Street
			w := &b.Ways[i]
			if status, _ := rules.Row(&s, w.Tags, w.Closed()); status != streettags.Street {
				continue
			}
			for _, ref := range w.Refs {
				if p, ok := at[ref]; ok {
					s.Line, s.Nodes = append(s.Line, p), append(s.Nodes, ref)
				}
			}
			all.streets = append(all.streets, s)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// graph makes a graph of the streets that some rule gives a direction.
func (f *osmFile) graph(maxEdgeM float64, direction func(*source.Street) (network.Direction, bool)) (*network.Graph, []*source.Street) {
	builder := network.NewBuilder(network.Options{MaxEdgeM: maxEdgeM, MinNodes: 40})
	var of []*source.Street
	for i := range f.streets {
		s := &f.streets[i]
		way, ok := direction(s)
		if !ok || len(s.Line) < 2 {
			continue
		}
		points := make([]coord.Point, len(s.Line))
		for k, p := range s.Line {
			points[k], _ = coord.NewPoint(p[0], p[1])
		}
		builder.Add(network.Line{Points: points, Nodes: s.Nodes, Direction: way})
		of = append(of, s)
	}
	g, _ := builder.Finish()
	return g, of
}

// foot is the walking network.
func (f *osmFile) foot(maxEdgeM float64) *streets.Network {
	g, _ := f.graph(maxEdgeM, func(s *source.Street) (network.Direction, bool) { return network.Both, s.Foot })
	return streets.New(network.NewSnapper(g, nil), len(g.Nodes), nil, nil)
}

// car is the driving network, at speed limits or 50 km/h.
func (f *osmFile) car(maxEdgeM float64) *streets.Network {
	ways := map[string]network.Direction{"both": network.Both, "forward": network.Forward, "backward": network.Backward}
	g, of := f.graph(maxEdgeM, func(s *source.Street) (network.Direction, bool) {
		way, ok := ways[s.Car]
		return way, ok
	})
	forth, back := make([]uint32, len(g.Edges)), make([]uint32, len(g.Edges))
	for i, e := range g.Edges {
		speed := of[e.Line].SpeedKMH
		if speed == 0 {
			speed = 50
		}
		cost := max(1, uint32(e.Length.Metres()*36/speed))
		forth[i], back[i] = cost, cost
		if g.Ways != nil && g.Ways[i] == network.Forward {
			back[i] = streets.Closed
		}
		if g.Ways != nil && g.Ways[i] == network.Backward {
			forth[i] = streets.Closed
		}
	}
	return streets.New(network.NewSnapper(g, nil), len(g.Nodes), forth, back)
}

// delaware is the extract in the module paulmach/osm: a state of 935,000 people.
func delaware(tb testing.TB) *osmFile {
	tb.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		tb.Skip("the module github.com/paulmach/osm is not in the module cache")
	}
	return readOSM(tb, filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf"))
}

func portoAlegre(tb testing.TB) *osmFile {
	tb.Helper()
	return readOSM(tb, testenv.NeedData(tb, "formats/travel/poa-r5r/poa_osm.pbf"))
}
