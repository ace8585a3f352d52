package servetest

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/reach"
	packed "quartier/internal/pack/travel"
	"quartier/internal/travel"
	ways "quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
	"quartier/schemas"
)

// Lines of the world, from six to ten on working days and Saturdays. Bus leaves Stop on the northern street at every full ten minutes
// and takes five minutes to the far bank, where nobody can walk to. Of Coach only its headway of half an hour is known; it takes 40
// minutes to the southern street, of whose lines it is not the only one.
const (
	Bus, Coach = "5", "Express"
	Stop       = "Rue Principale"
	BankStop   = "Rive nord"
	SouthStop  = "Main Street"

	// DriveMinutes is how long a road between the northern and the southern street takes.
	DriveMinutes = 40
)

// writeTravel writes the timetables and streets of a release beside its access.pack.
func (w *world) writeTravel(dir string) error {
	file, err := pack.Open(filepath.Join(dir, schemas.AccessPack))
	if err != nil {
		return err
	}
	defer file.Close()
	on, err := access.Open(file)
	if err != nil {
		return err
	}
	table, err := w.timetables()
	if err != nil {
		return err
	}
	n := &packed.Networks{Streets: [travel.Transit]*ways.Network{ways.New(on.Snapper(), on.Nodes(), nil, nil)}}
	for _, mode := range []travel.Mode{travel.Bicycle, travel.Car} {
		if n.Streets[mode], err = w.roads(mode); err != nil {
			return err
		}
	}
	if _, err := n.Link(context.Background(), table); err != nil {
		return err
	}
	return writePack(filepath.Join(dir, schemas.TravelPack), func(out *pack.Writer) error {
		if err := packed.Write(out, table); err != nil {
			return err
		}
		return packed.WriteNetworks(out, n)
	})
}

// Jobs are those at the western end of the northern street, the only ones of the world, whose source covers the north.
const Jobs = 1500

// writeReach writes the jobs, and one travel measure of NorthOld.
func (w *world) writeReach(out *pack.Writer, _ *schemas.Manifest) error {
	table := reach.NewWriter(out)
	table.JobNodes.Append(0)
	table.Jobs.Append(1000 * Jobs)
	ring := []coord.Point{}
	for _, p := range box(-73, 45.1, -72.6, 45.3)[0][0] {
		ring = append(ring, line(p[0], p[0], p[1])[0])
	}
	table.Ground.Append(ring)
	values := []uint32{Jobs}
	for range schemas.TravelMeasures[1:] {
		values = append(values, reach.Absent)
	}
	return table.AddGeography(NorthOld, false, values)
}

// roads are the streets for bicycles or cars, with the road between north and south.
func (w *world) roads(mode travel.Mode) (*ways.Network, error) {
	var b ways.Builder
	nodes := map[coord.Point]uint32{}
	node := func(p coord.Point) uint32 {
		if _, known := nodes[p]; !known {
			nodes[p] = uint32(len(nodes))
		}
		return nodes[p]
	}
	add := func(metres float64, seconds uint32, line []coord.Point) error {
		cost := 10 * seconds
		if mode == travel.Bicycle {
			cost = uint32(network.Metres(metres))
		}
		return b.Add(ways.Edge{A: node(line[0]), B: node(line[1]), Length: network.Metres(metres), Forth: cost, Back: cost, Line: line})
	}
	for _, s := range w.streets {
		if err := add(157, 20, line(s.west, s.east, s.lat)); err != nil {
			return nil, err
		}
	}
	road := append(line(Lng+0.001, Lng+0.001, StreetLat)[:1], line(Lng+0.001, Lng+0.001, SouthStreetLat)[0])
	if err := add(44_500, 60*DriveMinutes, road); err != nil {
		return nil, err
	}
	n := b.Finish(nil)
	n.BuildHierarchy()
	return n, nil
}

// timetables are those of the lines.
func (w *world) timetables() (*packed.Table, error) {
	b := timetable.NewBuilder(timetable.Rules{})
	monday := timetable.NewDate(2024, 1, 1)
	feed := timetable.Feed{First: monday, Last: monday + 6, Tuesday: monday + 1, Saturday: monday + 5, Sunday: timetable.NoDate}
	bus, coach := b.AddFeed("Bus du Nord", feed, nil), b.AddFeed("Coaches", feed, nil)
	at := func(lng, lat float64) coord.Point { return line(lng, lng, lat)[0] }
	stop := b.AddStop(Stop, bus, at(Lng+0.0009, StreetLat))
	bank := b.AddStop(BankStop, bus, at(Lng-0.0009, FarBankLat))
	south := b.AddStop(SouthStop, coach, at(Lng, SouthStreetLat))
	line, express := b.AddRoute(Bus, timetable.Route{Feed: bus, Kind: 3}), b.AddRoute(Coach, timetable.Route{Feed: coach, Kind: 3})
	service := b.AddService([]timetable.Date{monday, monday + 1, monday + 2, monday + 3, monday + 4, monday + 5})
	for departs := uint32(6 * 3600); departs < 22*3600; departs += 600 {
		calls := []timetable.Call{{Stop: stop, Arrival: departs, Departure: departs},
			{Stop: bank, Arrival: departs + 300, Departure: departs + 300}}
		if fault := b.AddTrip(fmt.Sprint("bus ", departs), BankStop, line, service, calls, nil); fault != timetable.NoFault {
			return nil, fmt.Errorf("trip of %d: %v", departs, fault)
		}
	}
	calls := []timetable.Call{{Stop: stop}, {Stop: south, Arrival: 2400, Departure: 2400}}
	headways := []timetable.Headway{{First: 6 * 3600, End: 22 * 3600, Headway: 1800}}
	if fault := b.AddTrip("coach", "", express, service, calls, headways); fault != timetable.NoFault {
		return nil, fmt.Errorf("trip by headway: %v", fault)
	}
	ground := func(box orb.MultiPolygon) coord.Area { area, _ := coord.NewArea(box); return area }
	return &packed.Table{Timetable: b.Finish(), Feeds: []packed.Feed{
		{Source: "border/bus", Ground: ground(box(-73, 45.1, -72.6, 45.3))},
		{Source: "border/coach", Partial: true, Ground: ground(box(-73, 44.7, -72.6, 44.9))},
	}}, nil
}
