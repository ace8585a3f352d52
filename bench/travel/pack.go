package travel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/bench/ratio"
	"quartier/build/travel"
	"quartier/ingest/kinds/gtfs"
	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/internal/duck"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/travel/metro"
	"quartier/internal/travel/timetable"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	derive "quartier/transform/travel"
)

// packs makes travel.pack of a metro with 2,000,000 trip-stops.
func (f *Frame) packs(ctx context.Context) {
	dir := filepath.Join(f.Dir, "metro")
	m := metro.New(metro.Lines)
	writeFeed(m, filepath.Join(dir, "feed"))
	writeStreets(m.Streets(), filepath.Join(dir, schemas.AccessPack))
	var figure string
	values := f.Repeat(func() []float64 {
		made := programs.RunAlone(ctx, f.Peak, fail.Must(os.Executable()), "travelpack", dir, filepath.Join(dir, "feed"))
		figure = strings.TrimSpace(made.Output)
		return []float64{made.Seconds, made.PeakMB}
	})
	cores := runtime.GOMAXPROCS(0)
	f.Record("travel.pack of a metro", fmt.Sprintf("%d s", wantPackS), cores, "limit/seconds", ratio.Limit(wantPackS, values[0]), 1,
		fmt.Sprintf("%.1f s, %s", median(values[0]), figure))
	f.Record("the same", fmt.Sprintf("%d MB", wantPackMB), cores, "limit/bytes", ratio.Limit(wantPackMB, values[1]), 1,
		fmt.Sprintf("peak memory %.0f MB", median(values[1])))
}

// Pack is the subprogram that makes travel.pack in a folder with the streets of access.pack, from feeds: DIR FEEDS.
func Pack(args []string) {
	ctx, dir, begun := context.Background(), args[0], time.Now()
	in, out := filepath.Join(dir, "staged.duckdb"), filepath.Join(dir, "derived.duckdb")
	for _, old := range []string{in, out} {
		fail.Check(os.RemoveAll(old))
	}
	file := fail.Must(staging.Create(in))
	for i, feed := range strings.Split(args[1], ",") {
		about := staging.Source{Source: staged.Source{SourceID: strconv.Itoa(i), Kind: "gtfs", Path: feed, SHA256: "0", AsOf: "2025-03-01",
			Licence: "none", Attribution: "none"}}
		fail.Must(file.Stage(ctx, about, func(out source.Sink) error {
			return gtfs.Kind.Stage(ctx, source.Input{Source: about.SourceID, Path: feed}, out)
		}))
	}
	fail.Check(file.Close())
	from, to := fail.Must(duck.Open(in)), fail.Must(duck.Create(out, schemas.Derived))
	for _, db := range []*duck.DB{from, to} { // as a transform does
		fail.Check(db.Limit(ctx, "512MB", out+".tmp"))
	}
	fail.Must(derive.Timetables(ctx, from, to, &calibration.Standard().Coverage.Hull))
	fail.Check(errors.Join(from.Close(), to.Close()))
	derived, before := time.Since(begun), peakMB()
	path := filepath.Join(dir, schemas.TravelPack)
	fail.Must(travel.Write(ctx, []travel.Region{{Name: "region", Derived: out}}, filepath.Join(dir, schemas.AccessPack), path))
	fmt.Printf("%.1f s and %d MB of it to derived rows, a file of %d MB\n", derived.Seconds(), before, fail.Must(os.Stat(path)).Size()>>20)
}

// peakMB is the largest resident memory of this process so far in MiB.
func peakMB() int64 {
	var used syscall.Rusage
	fail.Check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return used.Maxrss >> 10
}

// writeStreets writes a network as access.pack has it.
func writeStreets(g *network.Graph, path string) {
	fail.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	out := fail.Must(pack.Create(path))
	w := access.NewWriter(out, calibration.Standard().Walking.SnapM)
	var absent [schemas.ChannelCount]uint16
	for i := range absent {
		absent[i] = schemas.AbsentValue
	}
	for range g.Nodes {
		fail.Check(w.AddNode(&absent))
	}
	for i, e := range g.Edges {
		fail.Check(w.AddEdge(access.Edge{A: e.A, B: e.B, LengthM: e.Length.Metres()}, g.Line(uint32(i))))
	}
	fail.Check(errors.Join(w.Finish(), out.Close()))
}

// writeFeed writes the timetable of a metro as GTFS, by day of the week the same.
func writeFeed(m *metro.Metro, dir string) {
	fail.Check(os.MkdirAll(dir, 0o755))
	file := func(name, columns string, rows func(out io.Writer)) {
		var text strings.Builder
		fmt.Fprintln(&text, columns)
		rows(&text)
		fail.Check(os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o644))
	}
	t := m.Table
	file("agency.txt", "agency_name,agency_url,agency_timezone",
		func(out io.Writer) { fmt.Fprintln(out, "Metro,https://metro.example,America/Toronto") })
	file("stops.txt", "stop_id,stop_name,stop_lat,stop_lon", func(out io.Writer) {
		for i, at := range t.StopAt {
			lng, lat := at.Degrees()
			fmt.Fprintf(out, "%d,Stop %d,%.7f,%.7f\n", i, i, lat, lng)
		}
	})
	file("routes.txt", "route_id,route_short_name,route_type", func(out io.Writer) {
		for i := range t.Routes {
			fmt.Fprintf(out, "%d,%d,3\n", i, i)
		}
	})
	file("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
		func(out io.Writer) { fmt.Fprintln(out, "all,1,1,1,1,1,1,1,20250303,20250629") })
	each := func(visit func(pattern, trip uint32)) {
		for pattern := range uint32(len(t.Patterns) - 1) {
			for trip, end := t.TripsOf(pattern); trip < end; trip++ {
				visit(pattern, trip)
			}
		}
	}
	file("trips.txt", "route_id,service_id,trip_id", func(out io.Writer) {
		each(func(pattern, trip uint32) { fmt.Fprintf(out, "%d,all,%d\n", t.Patterns[pattern].Route, trip) })
	})
	file("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence", func(out io.Writer) {
		each(func(pattern, trip uint32) {
			stops, _ := t.CallsOf(pattern)
			arrivals, _ := t.TimesOf(pattern, trip)
			for i, at := range arrivals {
				clock := timetable.TimeOfDay(int32(at))
				fmt.Fprintf(out, "%d,%s,%s,%d,%d\n", trip, clock, clock, stops[i], i+1)
			}
		})
	})
}
