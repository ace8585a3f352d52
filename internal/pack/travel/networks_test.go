package travel

import (
	"context"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/packtest"
	doors "quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/schemas"
)

// street is a straight street through the stops of towns, and a shorter way for cars alone, over which a river flows.
func street(t testing.TB) (*pack.File, *access.Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error {
		w := access.NewWriter(out, 300)
		for i := range 5 {
			require.NoError(t, w.AddNode(&[schemas.ChannelCount]uint16{}))
			if i > 0 {
				require.NoError(t, w.AddEdge(access.Edge{A: uint32(i - 1), B: uint32(i), LengthM: 78}, roadway(i)))
			}
		}
		require.NoError(t, w.AddBarrier([]coord.Point{at(0, 20), at(4, 20)}))
		require.NoError(t, w.AddHull(orb.Ring{{-72.51, 44.99}, {-72.48, 44.99}, {-72.48, 45.01}, {-72.51, 45.01}, {-72.51, 44.99}}))
		return w.Finish()
	})
	table, err := access.Open(f)
	require.NoError(t, err)
	return f, table
}

// at is a point some stops of towns to the east of the first one, and metres to the north.
func at(stops float64, north int32) coord.Point {
	return coord.Point{Lng: -725_000_000 + int32(stops*10_000), Lat: 450_000_000 + 90*north}
}

func roadway(i int) []coord.Point { return []coord.Point{at(float64(i-1), 0), at(float64(i), 0)} }

// networked are towns on the street.
func networked(t testing.TB, on *access.Table) (*Table, *Networks) {
	t.Helper()
	table := towns(t)
	table.Changes = append(table.Changes, Change{From: 2, To: 3, Kind: 3})
	var bicycle, car streets.Builder
	for i := 1; i < 5; i++ {
		e := streets.Edge{A: uint32(i - 1), B: uint32(i), Length: 780, Forth: 780, Back: 2400, Line: roadway(i)}
		require.NoError(t, bicycle.Add(e))
		e.Forth, e.Back, e.NoLink = 60, streets.Closed, i == 4
		require.NoError(t, car.Add(e))
	}
	n := &Networks{}
	n.Streets = [doors.Transit]*streets.Network{streets.New(on.Snapper(), on.Nodes(), nil, nil), bicycle.Finish(nil), car.Finish(nil)}
	n.Streets[doors.Car].BuildHierarchy()
	_, err := n.Link(t.Context(), table)
	require.NoError(t, err)
	return table, n
}

func packed(t testing.TB, on *access.Table, change func(*Networks)) *pack.File {
	t.Helper()
	table, n := networked(t, on)
	change(n)
	return packtest.Open(t, func(out *pack.Writer) error {
		require.NoError(t, Write(out, table))
		return WriteNetworks(out, n)
	})
}

func unchanged(*Networks) {}

// asked are answers about a World in a mode.
func asked(w *doors.World, mode doors.Mode) ([]doors.Minutes, error) {
	o, ctx := doors.Defaults(mode), context.Background()
	o.Depart, o.Window, o.MaxWalk = 5*3600+28*60, 5, 1
	times, err := w.Times(ctx, at(0, 10), []coord.Point{at(2, -30), at(2, 40), at(50, 0)}, o)
	if err != nil {
		return nil, err
	}
	r, err := w.Reach(ctx, at(0, 10), o)
	if err != nil {
		return nil, err
	}
	r.Outlines(0, []int{5, 10})
	r.Close()
	_, _, err = w.Journey(ctx, at(0, 10), at(2, -30), o, 50)
	return times, err
}

func TestNetworksComeOut(t *testing.T) {
	_, on := street(t)
	_, n := networked(t, on)
	w, err := OpenWorld(packed(t, on, unchanged), on)
	require.NoError(t, err)
	require.Equal(t, n.Transfers, w.Transfers)
	require.Equal(t, n.Egress, w.Egress)
	require.Equal(t, n.Places, w.Stops.Places())
	for mode, s := range n.Streets {
		got, want := w.Streets[mode].Tables(), s.Tables()
		require.Equal(t, want.Arcs, got.Arcs, mode)
		require.Equal(t, want.Linked, got.Linked, mode)
		require.Equal(t, want.Hierarchy.Up, got.Hierarchy.Up, mode)
	}
	require.Equal(t, [][2]uint32{{2, 3}}, w.Barred)
	require.Equal(t, doors.Coverage{Streets: true}, w.Cover(at(2, 0), doors.Day{}))
	require.NoError(t, w.Check(t.Context(), doors.Defaults(doors.Transit), 4))
	var all []doors.Minutes
	for mode := range doors.Transit + 1 {
		times, err := asked(w, mode)
		require.NoError(t, err)
		all = append(all, times...)
	}
	require.Equal(t, []doors.Minutes{
		2, doors.Unreached, doors.Unknown, // on foot: 157 m, and over no river
		1, doors.Unreached, doors.Unknown, // by bicycle
		1, doors.Unreached, doors.Unknown, // a car goes one way alone
		20, doors.Unknown, doors.Unknown, // by the early bus, as one does not walk for two minutes
	}, all)
}

// TestBeforeNetworks opens a pack of timetables alone.
func TestBeforeNetworks(t *testing.T) {
	_, on := street(t)
	f, _ := open(t, towns(t))
	w, err := OpenWorld(f, on)
	require.NoError(t, err)
	for mode := range doors.Transit + 1 {
		require.False(t, w.Has(mode))
	}
}

func TestNetworksThatDoNotFitAreRefused(t *testing.T) {
	_, on := street(t)
	for want, change := range map[string]func(*Networks){
		"walk 0":           func(n *Networks) { n.Transfers.Legs[0].Stop = 4 },
		"egress 0":         func(n *Networks) { n.Egress.Legs[0].Seconds = 1 << 30 },
		"walks to":         func(n *Networks) { n.Egress.First = n.Egress.First[1:] },
		"is on edge 9":     func(n *Networks) { n.Places[1] = network.Place{Edge: 9} },
		"not 4 records":    func(n *Networks) { n.Places = n.Places[1:] },
		"leads to node 99": func(n *Networks) { n.Streets[doors.Car].Tables().Arcs[0].To = 99 },
	} {
		_, err := OpenWorld(packed(t, on, change), on)
		require.ErrorIs(t, err, pack.ErrDamaged, want)
		require.ErrorContains(t, err, want)
	}
}

// use opens a World and asks it whatever is asked of one; false if it is refused.
func use(f *pack.File, on *access.Table) bool {
	w, err := OpenWorld(f, on)
	for mode := doors.Walk; err == nil && mode <= doors.Transit; mode++ {
		if w.Has(mode) {
			_, _ = asked(w, mode)
		}
	}
	return err == nil
}

func TestDamagedNetworksNeverPanic(t *testing.T) {
	_, on := street(t)
	packtest.Damage(t, packed(t, on, unchanged), 300, func(f *pack.File) bool {
		use(f, on)
		return true // nearly every one is refused
	})
}

// FuzzWorld overwrites a few bytes of a valid file where the container does not detect it.
func FuzzWorld(f *testing.F) {
	_, on := street(f)
	packtest.Fuzz(f, packed(f, on, unchanged), func(file *pack.File) { use(file, on) })
}
