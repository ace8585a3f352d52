package travel

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/bench/walk/streets"
	"quartier/fixtures/texas"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	packed "quartier/internal/pack/travel"
	doors "quartier/internal/travel"
	"quartier/internal/travel/raptor"
	onStreets "quartier/internal/travel/streets"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// portoAlegre are the largest real feeds at hand with their streets, of the central part of the city.
const portoAlegre = "../shared/data/formats/travel/poa-r5r"

// stay moves no place.
func stay(p orb.Point) orb.Point { return p }

// realWorld is the world of the real feeds.
func (f *Frame) realWorld(ctx context.Context) (world *doors.World, name string) {
	dir := filepath.Join(f.Dir, "portoalegre")
	var feeds []string
	for _, feed := range []string{"poa_eptc", "poa_trensurb"} {
		feeds = append(feeds, filepath.Join(dir, feed))
		fail.Check(texas.Feed(filepath.Join(portoAlegre, feed+".zip"), filepath.Join(dir, feed)))
	}
	maxEdgeM := calibration.Standard().Walking.MaxEdgeM
	graph, _ := streets.GraphOf(ctx, filepath.Join(portoAlegre, "poa_osm.pbf"), maxEdgeM, streets.OnFoot, texas.Point)
	writeStreets(graph, filepath.Join(dir, schemas.AccessPack))
	programs.RunSelf(ctx, "travelpack", dir, strings.Join(feeds, ","))
	file, on := fail.Must(pack.Open(filepath.Join(dir, schemas.TravelPack))), fail.Must(pack.Open(filepath.Join(dir, schemas.AccessPack)))
	return fail.Must(packed.OpenWorld(file, fail.Must(access.Open(on)))), "Porto Alegre"
}

// worldTask is one to all in a world.
func worldTask(name string, w *doors.World) *task {
	o := doors.Defaults(doors.Transit)
	t := &task{name: name, targets: &w.Egress}
	t.day = w.Timetable.WithTransfers(w.Transfers.First, w.Transfers.Legs).Typical(o.Day.Weekday)
	near, r := w.Stops.NewQuery(), rand.New(rand.NewPCG(3, 4))
	for range origins {
		q := raptor.Query{Depart: o.Depart, Window: o.Window, Rides: o.MaxRides, Minutes: o.MaxMinutes}
		at := network.Place{Edge: uint32(r.IntN(w.Stops.Snapper().Edges()))}
		q.Access = append(q.Access, near.From(at, onStreets.Walk, 60*doors.EgressMinutes)...)
		t.queries = append(t.queries, q)
	}
	return t
}

// carNetwork is the streets of a PBF for cars, at speed limits or 50 km/h.
func carNetwork(ctx context.Context, path string) *onStreets.Network {
	g, uses := streets.GraphOf(ctx, path, 35, streets.ByCar, stay)
	forth, back := make([]uint32, len(g.Edges)), make([]uint32, len(g.Edges))
	for i, e := range g.Edges {
		kmh := uses[e.Line].KMH
		if kmh == 0 {
			kmh = 50
		}
		cost := max(1, uint32(e.Length.Metres()*36/float64(kmh)))
		forth[i], back[i] = cost, cost
		if g.Ways != nil && g.Ways[i] == network.Forward {
			back[i] = onStreets.Closed
		}
		if g.Ways != nil && g.Ways[i] == network.Backward {
			forth[i] = onStreets.Closed
		}
	}
	return onStreets.New(network.NewSnapper(g, nil), len(g.Nodes), forth, back)
}
