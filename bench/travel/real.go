package travel

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/bench/walk/streets"
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

// stay and toTexas move places: Porto Alegre lies in Texas, where the product takes it, by mirrored latitudes.
func stay(p orb.Point) orb.Point    { return p }
func toTexas(p orb.Point) orb.Point { return orb.Point{p[0] - 46.5, -p[1]} }

// realWorld is the world of the real feeds.
func (f *Frame) realWorld(ctx context.Context) (world *doors.World, name string) {
	dir := filepath.Join(f.Dir, "portoalegre")
	var feeds []string
	for _, feed := range []string{"poa_eptc", "poa_trensurb"} {
		feeds = append(feeds, filepath.Join(dir, feed))
		moveFeed(filepath.Join(portoAlegre, feed+".zip"), filepath.Join(dir, feed))
	}
	maxEdgeM := calibration.Standard().Walking.MaxEdgeM
	graph, _ := streets.GraphOf(ctx, filepath.Join(portoAlegre, "poa_osm.pbf"), maxEdgeM, streets.OnFoot, toTexas)
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

// moveFeed unpacks a feed, with its stops in Texas.
func moveFeed(path, dir string) {
	archive := fail.Must(zip.OpenReader(path))
	defer archive.Close()
	fail.Check(os.MkdirAll(dir, 0o755))
	for _, f := range archive.File {
		in, out := fail.Must(f.Open()), fail.Must(os.Create(filepath.Join(dir, filepath.Base(f.Name))))
		if f.Name == "stops.txt" {
			rows := fail.Must(csv.NewReader(in).ReadAll())
			for i, name := range rows[0] {
				for _, row := range rows[1:] {
					switch degrees, _ := strconv.ParseFloat(row[i], 64); strings.TrimPrefix(name, "\ufeff") {
					case "stop_lat":
						row[i] = strconv.FormatFloat(toTexas(orb.Point{0, degrees})[1], 'f', -1, 64)
					case "stop_lon":
						row[i] = strconv.FormatFloat(toTexas(orb.Point{degrees, 0})[0], 'f', -1, 64)
					}
				}
			}
			fail.Check(csv.NewWriter(out).WriteAll(rows))
		} else {
			fail.Must(io.Copy(out, in))
		}
		fail.Check(errors.Join(in.Close(), out.Close()))
	}
}
