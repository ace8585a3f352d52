package street

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/transform/network/channel"
)

// Write writes the tables street_node, street_edge and barrier, of the region's own streets.
func (n *Network) Write(ctx context.Context, db *duck.DB, m *channel.Matrix) error {
	own := n.Own()
	if err := duck.WriteEach(ctx, db, "street_node", own.Nodes, func(i int, node uint32) (derived.StreetNode, error) {
		channels := make([]byte, 0, 2*schemas.ChannelCount)
		for _, v := range m.Row(int(node)) {
			channels = binary.LittleEndian.AppendUint16(channels, v)
		}
		lng, lat := n.Walk.Nodes[node].Degrees()
		return derived.StreetNode{Node: int32(i), Lng: lng, Lat: lat, Channels: channels}, nil
	}); err != nil {
		return err
	}
	if err := duck.WriteEach(ctx, db, "street_edge", own.Edges, n.edgeRow); err != nil {
		return err
	}
	barriers := slices.DeleteFunc(slices.Clone(n.Barriers), func(b Barrier) bool { return b.Lent })
	return duck.WriteEach(ctx, db, "barrier", barriers, func(i int, b Barrier) (derived.Barrier, error) {
		geom, err := geo.WKB(b.Line)
		return derived.Barrier{Barrier: int32(i), Kind: b.Kind, Geom: geom}, err
	})
}

func (n *Network) edgeRow(i int, edge uint32) (derived.StreetEdge, error) {
	e := n.Walk.Edges[edge]
	geom, err := geo.WKB(n.lineOf(edge))
	s := n.Street(edge)
	a, _ := n.Own().Node(e.A)
	b, _ := n.Own().Node(e.B)
	return derived.StreetEdge{Edge: int32(i), A: a, B: b, LengthM: e.Length.Metres(), Class: s.Class,
			Name: s.Name, NameFR: s.NameFR, SourceID: s.Source, SourceKey: s.Key, AADT: math.Round(s.Flow.AADT), CountKey: s.Flow.Count, Geom: geom},
		err
}
