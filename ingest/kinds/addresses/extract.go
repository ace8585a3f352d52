package addresses

import (
	"context"
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm"
	"quartier/ingest/kinds/osm/location"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
)

// numberTag is the tag of elements that are addresses.
const numberTag = "addr:housenumber"

// checkExtract checks the header of an extract.
func checkExtract(_ context.Context, in source.Input, _ *Options) error {
	file, err := osm.Open(in.Path, in.Limits)
	if err != nil {
		return err
	}
	if box, known := file.Bound(); known {
		err = source.CheckBox(box)
	}
	return source.Join(err, file.Close())
}

// readExtract stages nodes, then closed ways, whose nodes it reads in between.
func readExtract(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	file, err := osm.Open(in.Path, in.Limits)
	if err != nil {
		return err
	}
	defer file.Close()
	x := &extract{in: in, options: o, out: out}
	if err = file.Read(ctx, element.Want{Kinds: element.Nodes | element.Ways, Tags: true}, x.nodes); err == nil {
		x.at.Freeze()
		err = file.Read(ctx, element.Want{Kinds: element.Nodes}, x.coordinates)
	}
	if err == nil {
		err = file.Read(ctx, element.Want{Kinds: element.Ways, Tags: true}, x.ways)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	return nil
}

// extract is one run over an extract.
type extract struct {
	in      source.Input
	options *Options
	out     source.Sink
	at      location.Store
}

// nodes stages the nodes with addresses, and asks for those of ways with addresses.
func (x *extract) nodes(b *element.Batch) error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if n.Tags.Len() == 0 || n.Tags.Get(numberTag) == "" {
			continue
		}
		if err := x.stage(element.Nodes.Key(n.ID), n.Tags, n.Point, false); err != nil {
			return err
		}
	}
	for i := range b.Ways {
		if w := &b.Ways[i]; w.Tags.Get(numberTag) != "" {
			x.at.Locate(w.Refs, w.Points)
		}
	}
	return nil
}

func (x *extract) coordinates(b *element.Batch) error {
	for i := range b.Nodes {
		x.at.Put(b.Nodes[i].ID, b.Nodes[i].Point)
	}
	return nil
}

// ways stages the closed ways with addresses at a point inside.
func (x *extract) ways(b *element.Batch) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		if w.Tags.Get(numberTag) == "" {
			continue
		}
		key := element.Ways.Key(w.ID)
		line, missing := x.at.Line(w.Refs)
		p, inside := orb.Point{}, false
		if w.Closed() && missing == 0 {
			p, inside = geo.InteriorPoint(orb.MultiPolygon{{orb.Ring(line)}})
		}
		if !inside {
			x.out.Read(1)
			x.out.Issue(source.WrongGeometryType, key)
			continue
		}
		if err := x.stage(key, w.Tags, p, w.Tags.Get("building") == ""); err != nil {
			return err
		}
	}
	return nil
}

// stage stages the addresses of an element: it may have several numbers, 12;14. The point of a ground is that of its land.
func (x *extract) stage(key string, tags element.Tags, at orb.Point, ground bool) error {
	for _, number := range strings.FieldsFunc(tags.Get(numberTag), func(r rune) bool { return r == ';' || r == ',' }) {
		x.out.Read(1)
		if !x.options.BBox.Contains(at) {
			x.out.Issue(source.OutsideBBox, key)
			continue
		}
		row, why := x.options.address(x.in, func(name string) string {
			if name == numberTag {
				return number
			}
			return tags.Get(name)
		}, at)
		if !why.OK() {
			x.out.Issue(why, key)
			continue
		}
		if a, ok := row.(source.Address); ok && ground && a.Accuracy == schemas.AddressAccuracies[0] {
			a.Accuracy = schemas.AddressAccuracies[1]
			row = a
		}
		if err := x.out.Row(row); err != nil {
			return err
		}
	}
	return nil
}
