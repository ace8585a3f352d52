package street

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/transform/network/channel"
)

// Write writes the tables street_node, street_edge and barrier.
func (n *Network) Write(ctx context.Context, db *duck.DB, m *channel.Matrix) error {
	if err := duck.WriteEach(ctx, db, "street_node", n.Walk.Nodes, func(i int, p coord.Point) (derived.StreetNode, error) {
		channels := make([]byte, 0, 2*schemas.ChannelCount)
		for _, v := range m.Row(i) {
			channels = binary.LittleEndian.AppendUint16(channels, v)
		}
		lng, lat := p.Degrees()
		return derived.StreetNode{Node: int32(i), Lng: lng, Lat: lat, Channels: channels}, nil
	}); err != nil {
		return err
	}
	if err := duck.WriteEach(ctx, db, "street_edge", n.Walk.Edges, n.edgeRow); err != nil {
		return err
	}
	return duck.WriteEach(ctx, db, "barrier", n.Barriers, func(i int, b Barrier) (derived.Barrier, error) {
		geom, err := geo.WKB(b.Line)
		return derived.Barrier{Barrier: int32(i), Kind: b.Kind, Geom: geom}, err
	})
}

func (n *Network) edgeRow(i int, e network.Edge) (derived.StreetEdge, error) {
	shape := n.Walk.Line(uint32(i))
	line := make(orb.LineString, len(shape))
	for k, p := range shape {
		line[k] = p.Orb()
	}
	geom, err := geo.WKB(line)
	s := n.Street(uint32(i))
	return derived.StreetEdge{Edge: int32(i), A: int32(e.A), B: int32(e.B), LengthM: e.Length.Metres(), Class: s.Class,
		Name: s.Name, NameFR: s.NameFR, SourceID: s.Source, SourceKey: s.Key, AADT: math.Round(s.Flow.AADT), Count: s.Flow.Count, Geom: geom}, err
}
