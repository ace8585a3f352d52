// Command bench measures the performance of the server and of source readers as ratios to a peer or a ceiling, in
// interleaved rounds.
//
// In: the programs under bin/, PostgreSQL 15 with PostGIS, ogr2ogr and osmium. Out: a table and out/bench.json.
// Answers are compared before they are timed. All servers run on loopback, on unused ports.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quartier/bench/addresses"
	"quartier/bench/attack"
	"quartier/bench/bare"
	"quartier/bench/inputs"
	"quartier/bench/travel"
)

func main() {
	if err := try(run); err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

func run() {
	if len(os.Args) > 1 {
		if sub, found := subprograms[os.Args[1]]; found {
			if len(os.Args)-2 != len(strings.Fields(sub.operands)) {
				failf("%s %s", os.Args[1], sub.operands)
			}
			sub.run(os.Args[2:])
			return
		}
	}
	var b bench
	flag.StringVar(&b.out, "out", "out/bench.json", "`file` of the ratios")
	flag.StringVar(&b.dir, "dir", "out/bench", "`folder` of the world, its release and the peers' data")
	flag.StringVar(&b.bin, "bin", "bin", "`folder` of the programs")
	flag.IntVar(&b.scale, "scale", 300, "towns of the world, of about 3,300 POIs each")
	flag.IntVar(&b.bare, "bare", 0,
		"how many of the towns, the last, have 5,100 POIs and neither streets nor residents; 2,081 towns of which 1,780 are bare have "+
			"10,000,000 POIs")
	flag.IntVar(&b.places, "places", 300_000, "named small places")
	flag.IntVar(&b.listings, "listings", 1_000_000, "generated listings of market statistics; 0: answers alone")
	flag.IntVar(&b.addresses, "addresses", 20_000_000, "generated addresses; PostgreSQL has a tenth of them")
	flag.IntVar(&b.Rounds, "rounds", 5, "rounds, at least 5")
	flag.DurationVar(&b.slice, "slice", defaultSlice, "time per side and round")
	flag.StringVar(&b.attacks, "attacks", "",
		"part of the `name` of attacks in the group fairness, and of kinds in the group worst; all by default")
	flag.StringVar(&b.release, "release", "",
		"`folder` of a release to measure in the groups endpoints, worst, export and enrich in place of the synthetic world")
	only := flag.String("only", "", "comma-separated `list` of groups: "+strings.Join(groupNames(), ", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b.run(ctx, *only)
}

// subprograms run in separate processes.
var subprograms = map[string]struct {
	operands string
	run      func(operands []string)
}{
	"bare":        {"ADDR FILE", bare.Serve},
	"barestate":   {"DSN ADDR", bare.ServeState},
	"decode":      {"FILE", decodePBF},
	"stage":       {"FILE OUT", stagePBF},
	"stageregion": {"FILE OUT", stageRegion},
	"describe":    {"SIDE FILE", inputs.Describe},
	"attack":      {"NAME ADDR TOKEN", attack.Run},
	"profiles":    {"NUMBER FOLDER", inputs.Profiles},
	"copyparquet": {"FILE FOLDER", inputs.CopyParquet},
	"tiles":       {"RELEASE FOLDER", inputs.Tiles},
	"travelpack":  {"FOLDER FEEDS", travel.Pack},
	"addresses":   {"NUMBER FILE", addresses.Build},
}

// groups are the measurements, in the order of the table.
var groups = []struct {
	name    string
	measure func(*bench, context.Context)
}{
	{"pbf", (*bench).measurePBF},
	{"walkgraph", (*bench).measureWalkGraph},
	{"access", (*bench).measureAccess},
	{"growth", (*bench).measureGrowth},
	{"travel", (*bench).measureTravel},
	{"start", (*bench).measureStart},
	{"pois", (*bench).measurePOIs},
	{"point", (*bench).measurePoint},
	{"names", (*bench).measureNames},
	{"scores", (*bench).measureScores},
	{"snapshot", (*bench).measureSnapshot},
	{"people", (*bench).measurePeople},
	{"peopleof", (*bench).measurePeopleOf},
	{"describe", (*bench).measureDescribe},
	{"schools", (*bench).measureSchools},
	{"profiles", (*bench).measureProfiles},
	{"market", (*bench).measureMarket},
	{"export", (*bench).measureExport},
	{"tiles", (*bench).measureTiles},
	{"releases", (*bench).measureReleases},
	{"fleet", (*bench).measureFleet},
	{"enrich", (*bench).measureEnrich},
	{"addresses", (*bench).measureAddresses},
	{"endpoints", (*bench).measureEndpoints},
	{"worst", (*bench).measureWorst},
	{"fairness", (*bench).measureFairness},
}

func groupNames() []string {
	var names []string
	for _, g := range groups {
		names = append(names, g.name)
	}
	return names
}

// run measures the groups that are asked for, all if none is. A group that fails does not keep the others from the table.
func (b *bench) run(ctx context.Context, only string) {
	asked := strings.FieldsFunc(only, func(r rune) bool { return r == ',' })
	for _, name := range asked {
		if !slices.Contains(groupNames(), name) {
			failf("unknown group %q", name)
		}
	}
	if fairness := len(asked) == 0 || slices.Contains(asked, "fairness"); fairness && len(attack.Named(b.attacks)) == 0 {
		failf("no attack of the group fairness has %q in its name", b.attacks)
	}
	defer b.close()
	var failed []error
	for _, g := range groups {
		if len(asked) > 0 && !slices.Contains(asked, g.name) || ctx.Err() != nil {
			continue
		}
		begun := time.Now()
		err := try(func() { g.measure(b, ctx) })
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", g.name, err))
		}
		fmt.Printf("group %s took %.0f s\n", g.name, time.Since(begun).Seconds())
	}
	b.Table(os.Stdout)
	data := must(json.MarshalIndent(b.Results, "", "  "))
	check(os.MkdirAll(filepath.Dir(b.out), 0o755))
	check(os.WriteFile(b.out, append(data, '\n'), 0o644))
	check(errors.Join(append(failed, ctx.Err())...))
}

// measureReleases measures what the life of releases costs: the state of requests, a server that swaps releases, private
// geographies, and the differences of two releases.
func (b *bench) measureReleases(ctx context.Context) {
	b.measureState(ctx)
	b.measureSwaps(ctx)
	b.measurePrivateLookUps(ctx)
	b.measureDiff(ctx)
}

// measureTravel measures travel times.
func (b *bench) measureTravel(ctx context.Context) {
	frame := travel.Frame{Run: &b.Run, Dir: b.dir, PBF: delaware(), Peer: b.compile(ctx, "csa"),
		Peak: b.buildProgram(ctx, "peak", "./bench/programs/peak")}
	frame.Measure(ctx)
}

// measureAddresses measures how addresses are found.
func (b *bench) measureAddresses(ctx context.Context) {
	peer := func(dir string, load func(addresses.Peer)) addresses.Peer {
		pg := b.startLoaded(ctx, dir, func(pg *postgres) { load(addresses.Peer{Conn: pg.conn}) })
		return addresses.Peer{Conn: pg.conn, Compare: func(queries int, ask func(int), query string, args func(int) []any) [][]float64 {
			ours := side{"quartier", func(context.Context) (func(int), func()) { return ask, func() {} }}
			return b.compare(ctx, queries, 1, ours, pg.side("PostgreSQL", query, 2, args))
		}}
	}
	frame := addresses.Frame{Run: &b.Run, Dir: filepath.Join(b.dir, "addresses"), Addresses: b.addresses, Slice: b.slice, Peer: peer}
	frame.Measure(ctx)
}
