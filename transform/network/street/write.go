package street

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/transform/network/channel"
)

// Write fills street_node, street_edge and barrier.
func (n *Network) Write(ctx context.Context, derived *duck.DB, m *channel.Matrix) error {
	for _, write := range []func(context.Context, *duck.DB, *channel.Matrix) error{n.writeNodes, n.writeEdges, n.writeBarriers} {
		if err := write(ctx, derived, m); err != nil {
			return fmt.Errorf("write network: %w", err)
		}
	}
	return nil
}

func (n *Network) writeNodes(ctx context.Context, derived *duck.DB, m *channel.Matrix) error {
	rows, err := derived.Append(ctx, "street_node")
	if err != nil {
		return err
	}
	for i, p := range n.Walk.Nodes {
		channels := make([]byte, 0, 2*schemas.ChannelCount)
		for _, v := range m.Row(i) {
			channels = binary.LittleEndian.AppendUint16(channels, v)
		}
		lng, lat := p.Degrees()
		if err := rows.Row(int32(i), lng, lat, channels); err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}

func (n *Network) writeEdges(ctx context.Context, derived *duck.DB, _ *channel.Matrix) error {
	rows, err := derived.Append(ctx, "street_edge")
	if err != nil {
		return err
	}
	begin := uint32(0)
	for i, e := range n.Walk.Edges {
		line := make(orb.LineString, 0, n.Walk.ShapeEnds[i]-begin)
		for _, p := range n.Walk.Shape[begin:n.Walk.ShapeEnds[i]] {
			lng, lat := p.Degrees()
			line = append(line, orb.Point{lng, lat})
		}
		begin = n.Walk.ShapeEnds[i]
		geom, err := geo.WKB(line)
		if err == nil {
			s := n.Street(uint32(i))
			err = rows.Row(int32(i), int32(e.A), int32(e.B), e.Length.Metres(), s.Class, duck.Null(s.Name), duck.Null(s.NameFR),
				s.Source, s.Key, geom)
		}
		if err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}

func (n *Network) writeBarriers(ctx context.Context, derived *duck.DB, _ *channel.Matrix) error {
	rows, err := derived.Append(ctx, "barrier")
	if err != nil {
		return err
	}
	for i, b := range n.Barriers {
		geom, err := geo.WKB(b.Line)
		if err == nil {
			err = rows.Row(int32(i), b.Kind, geom)
		}
		if err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}
