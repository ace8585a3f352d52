package travel

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	doors "quartier/internal/travel"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
	"quartier/schemas/schedule"
)

// Networks are the streets of a release, with the ways on foot to and from stops.
type Networks struct {
	Streets           [doors.Transit]*streets.Network // by mode
	Places            []network.Place                 // of the stops on the streets on foot
	Transfers, Egress raptor.Targets                  // as doors.Parts has them
}

// Link links the stops of a table to the streets on foot, and finds the ways to and from them.
func (n *Networks) Link(ctx context.Context, t *Table) (stops *streets.Stops, err error) {
	stops = n.Streets[doors.Walk].Link(t.Timetable.StopAt, doors.LinkM)
	n.Places = stops.Places()
	parts := &doors.Parts{Timetable: t.Timetable, Barred: t.Barred(), Stops: stops}
	if n.Transfers, err = doors.Transfers(ctx, parts, streets.Walk); err == nil {
		n.Egress, err = doors.Egress(ctx, stops, streets.Walk, 60*doors.EgressMinutes)
	}
	return stops, err
}

// WriteNetworks writes the sections of networks, which stay as they are until out is closed.
func WriteNetworks(out *pack.Writer, n *Networks) error {
	for mode, s := range n.Streets {
		prefix := doors.Modes[mode] + "."
		if doors.Mode(mode) != doors.Walk { // those are in access.pack
			putEdges(out, prefix, s.Snapper().Tables())
		}
		putNetwork(out, prefix, s.Tables())
	}
	pack.PutRecords(out, "stop.place", n.Places)
	putTargets(out, "walk", &n.Transfers)
	putTargets(out, "egress", &n.Egress)
	return out.Err()
}

func putEdges(out *pack.Writer, prefix string, t network.Tables) {
	pack.PutLater(out, prefix+"edge.a", t.A)
	pack.PutLater(out, prefix+"edge.b", t.B)
	pack.PutLater(out, prefix+"edge.length", t.Length)
	pack.PutLater(out, prefix+"shape.end", t.ShapeEnds)
	pack.PutLater(out, prefix+"shape", t.Shape)
	pack.PutLater(out, prefix+"box", t.EdgeBoxes)
}

func putNetwork(out *pack.Writer, prefix string, t streets.Tables) {
	pack.PutLater(out, prefix+"cost.forth", t.Forth)
	pack.PutLater(out, prefix+"cost.back", t.Back)
	pack.PutLater(out, prefix+"node.arc", t.First)
	pack.PutRecords(out, prefix+"arc", t.Arcs)
	pack.PutLater(out, prefix+"arc.edge", t.Edge)
	pack.PutLater(out, prefix+"linked", t.Linked)
	pack.PutLater(out, prefix+"node.up", t.Hierarchy.FirstUp)
	pack.PutRecords(out, prefix+"up", t.Hierarchy.Up)
	pack.PutLater(out, prefix+"node.down", t.Hierarchy.FirstDown)
	pack.PutRecords(out, prefix+"down", t.Hierarchy.Down)
}

func putTargets(out *pack.Writer, name string, t *raptor.Targets) {
	pack.PutLater(out, name+".first", t.First)
	pack.PutRecords(out, name, t.Legs)
}

// OpenWorld opens the timetables in f and the streets of the same release, and reads every number of f once. Where f has timetables
// alone, the World has no mode. Both files stay open as long as it is used.
func OpenWorld(f *pack.File, on *access.Table) (*doors.World, error) {
	l := pack.NewLoader(f)
	if !l.Has("stop.place") {
		return doors.New(doors.Parts{}), nil
	}
	table, err := Open(f)
	if err != nil {
		return nil, err
	}
	p := &doors.Parts{Timetable: table.Timetable, Feeds: table.covers(), Barred: table.Barred()}
	for _, ring := range on.Hulls() {
		if area, err := coord.NewArea(orb.MultiPolygon{{ring}}); err == nil {
			p.Extents = append(p.Extents, area)
		}
	}
	p.Streets[doors.Walk] = loadNetwork(l, "walk.", on.Snapper())
	for mode := doors.Bicycle; mode < doors.Transit; mode++ {
		prefix := mode.String() + "."
		p.Streets[mode] = loadNetwork(l, prefix, loadEdges(l, prefix, on.Snapper().Tables()))
	}
	places := pack.LoadRecords[network.Place](l, "stop.place", table.Timetable.Stops())
	p.Transfers, p.Egress = loadTargets(l, "walk"), loadTargets(l, "egress")
	if l.Err() == nil {
		if err := link(p, on.Nodes(), places); err != nil {
			l.Fail("%v", err)
		}
	}
	return doors.New(*p), l.Err()
}

// link links the stops of p, and checks the ways on foot to and from them.
func link(p *doors.Parts, nodes int, places []network.Place) (err error) {
	foot := p.Streets[doors.Walk]
	if foot.Nodes() != nodes {
		return fmt.Errorf("streets on foot with %d nodes, not %d", foot.Nodes(), nodes)
	}
	if p.Stops, err = foot.StopsAt(places); err != nil {
		return err
	}
	for mode, n := range p.Streets {
		if n.Snapper().Edges() == 0 {
			p.Streets[mode] = nil
		}
	}
	if err := checkTargets("walk", &p.Transfers, len(places), len(places)); err != nil {
		return err
	}
	return checkTargets("egress", &p.Egress, nodes, len(places))
}

func checkTargets(name string, t *raptor.Targets, targets, stops int) error {
	if len(t.First) != targets+1 || t.First[0] != 0 || int(t.First[targets]) != len(t.Legs) || !slices.IsSorted(t.First) {
		return fmt.Errorf("%s: %d walks to %d of %d", name, len(t.Legs), t.Len(), targets)
	}
	for i := range targets {
		last := uint32(0)
		for _, leg := range t.Legs[t.First[i]:t.First[i+1]] {
			if int(leg.Stop) >= stops || leg.Seconds < last || leg.Seconds > maxSeconds {
				return fmt.Errorf("%s %d: %v after one of %d s", name, i, leg, last)
			}
			last = leg.Seconds
		}
	}
	return nil
}

func loadEdges(l *pack.Loader, prefix string, barriers network.Tables) *network.Snapper {
	t := network.Tables{
		A: pack.Load[uint32](l, prefix+"edge.a", pack.Any), B: pack.Load[uint32](l, prefix+"edge.b", pack.Any),
		Length: pack.Load[uint32](l, prefix+"edge.length", pack.Any), ShapeEnds: pack.Load[uint32](l, prefix+"shape.end", pack.Any),
		Shape: pack.Load[coord.Point](l, prefix+"shape", pack.Any), EdgeBoxes: pack.Load[coord.Point](l, prefix+"box", pack.Any),
		Barrier: barriers.Barrier, BarrierEnds: barriers.BarrierEnds, BarrierBoxes: barriers.BarrierBoxes,
	}
	s, err := network.SnapperFrom(t)
	if err != nil {
		l.Fail("%s: %v", prefix, err)
	}
	return s
}

func loadNetwork(l *pack.Loader, prefix string, on *network.Snapper) *streets.Network {
	t := streets.Tables{
		Forth: pack.Load[uint32](l, prefix+"cost.forth", pack.Any), Back: pack.Load[uint32](l, prefix+"cost.back", pack.Any),
		First: pack.Load[uint32](l, prefix+"node.arc", pack.Any), Arcs: pack.LoadRecords[network.Arc](l, prefix+"arc", pack.Any),
		Edge: pack.Load[uint32](l, prefix+"arc.edge", pack.Any), Linked: pack.Load[uint32](l, prefix+"linked", pack.Any),
		Hierarchy: streets.HierarchyTables{
			FirstUp: pack.Load[uint32](l, prefix+"node.up", pack.Any), Up: pack.LoadRecords[network.Arc](l, prefix+"up", pack.Any),
			FirstDown: pack.Load[uint32](l, prefix+"node.down", pack.Any), Down: pack.LoadRecords[network.Arc](l, prefix+"down", pack.Any),
		},
	}
	if l.Err() != nil {
		return nil
	}
	n, err := streets.From(on, t)
	if err != nil {
		l.Fail("%s: %v", prefix, err)
	}
	return n
}

func loadTargets(l *pack.Loader, name string) raptor.Targets {
	return raptor.Targets{First: pack.Load[uint32](l, name+".first", pack.Any), Legs: pack.LoadRecords[timetable.Leg](l, name, pack.Any)}
}

// covers are the grounds of the feeds.
func (t *Table) covers() []doors.Feed {
	list := make([]doors.Feed, len(t.Feeds))
	for i, f := range t.Feeds {
		list[i] = doors.Feed{Ground: f.Ground, Partial: f.Partial}
	}
	return list
}

// Barred are the stops between which nobody changes, in order.
func (t *Table) Barred() (list [][2]uint32) {
	for _, c := range t.Changes {
		if c.Kind == schedule.NotPossible {
			list = append(list, [2]uint32{c.From, c.To})
		}
	}
	slices.SortFunc(list, func(a, b [2]uint32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return list
}
