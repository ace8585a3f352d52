package main

import (
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest"
	"quartier/internal/areal"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pack/smallareas"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/transform/people/settlement"
)

// evidenceOf is what the sources of a region show of where people live; lines are those of the region file.
func evidenceOf(t *testing.T, data string, lines ...string) *settlement.Evidence {
	t.Helper()
	path, db := filepath.Join(t.TempDir(), "region.yaml"), filepath.Join(t.TempDir(), "staged.duckdb")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	region, err := ingest.ReadRegion(path, func(string) (string, bool) { return data, true }, "")
	if err != nil {
		t.Fatal(err)
	}
	snapshots, faults, err := ingest.Preflight(t.Context(), []*ingest.Region{region})
	if err == nil {
		err = faults.Err()
	}
	if err == nil {
		err = ingest.Stage(t.Context(), region, snapshots[region], db, slog.New(slog.DiscardHandler))
	}
	if err != nil {
		t.Fatal(err)
	}
	staged, err := duck.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer staged.Close()
	evidence, err := settlement.Read(t.Context(), staged, calibration.Standard().Demographics.Settlement)
	if err != nil {
		t.Fatal(err)
	}
	return evidence
}

// bySettlement is the area in the parts that a build divides it into; those that it does not divide are counted.
func bySettlement(t *testing.T, evidence *settlement.Evidence, undivided *int) apportion {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kernel.Close() })
	c := calibration.Standard().Demographics.Settlement
	return func(of *whole, around float64) (smallareas.Sigma, []smallareas.Part) {
		outline, err := kernel.Union(of.outline)
		if err != nil {
			t.Fatal(err)
		}
		division := evidence.Divide(outline, of.people.Estimate)
		if division == nil || division.Basis == settlement.Crowded {
			*undivided++
			sigma, parts := byGround(of, around)
			if division != nil {
				sigma.Within = max(sigma.Within, c.Crowded)
			}
			return sigma, parts
		}
		outlines, err := division.Outlines(kernel, outline)
		if err != nil {
			t.Fatal(err)
		}
		var parts []smallareas.Part
		for i, share := range division.Shares() {
			parts = append(parts, smallareas.Part{Outline: outlines[i], Weights: [demographics.Universes]float64{share, share, share}})
		}
		return smallareas.Sigma{Within: c.Within, Between: c.Between}, parts
	}
}

// The streets of two regions, as lines of a region file.
var (
	ottawaStreets = []string{
		"region: ca-ottawa", "country: CA", "state: 'ON'", "sources:",
		"  - {id: roads, kind: roads, as_of: 2021-01-01, licence: x, attribution: x, options: {layout: statcan-rnf},",
		"     path: \"${DATA}/ca-ottawa/statcan-2021/ottawa_rnf_roads_2021.geojson\"}",
	}
	portlandStreets = []string{
		"region: us-portland", "country: US", "state: OR", "sources:",
		"  - {id: osm, kind: osm, as_of: 2015-06-01, licence: x, attribution: x, options: {boundaries: false},",
		"     path: \"${DATA}/us-portland/osm/portland-central-filtered.osm.pbf\"}",
	}
)

// settled are the pieces of larger areas with streets at hand: Ottawa in three parts, from west to east, and the middle of
// Portland.
func settled(t *testing.T, data string) (places map[string][]piece, evidence map[string]*settlement.Evidence) {
	roads, osm := evidenceOf(t, data, ottawaStreets...), evidenceOf(t, data, portlandStreets...)
	places, evidence = map[string][]piece{}, map[string]*settlement.Evidence{}
	for _, w := range wholesByCounty(realPieces(t, data)) {
		county := w.pieces[0].county
		name, from := "", roads
		switch {
		case county == "41051" && osm.Divide(w.outline, math.NaN()) != nil:
			name, from = "Portland, block groups", osm
		case strings.HasPrefix(county, "3506"):
			at := w.outline.Bound().Center()
			name = "Ottawa, " + sector(at) + "," + county[4:]
		default:
			continue
		}
		places[name], evidence[name] = append(places[name], w.pieces...), from
	}
	return places, evidence
}

// sector is a part of Ottawa, of about as many people each.
func sector(at orb.Point) string {
	switch {
	case at[0] < -75.76:
		return "west"
	case at[0] < -75.65:
		return "core"
	}
	return "east"
}

// wholesByCounty are the larger areas of all counties.
func wholesByCounty(pieces []piece) (all []*whole) {
	for first, i := 0, 0; first < len(pieces); first = i {
		for i = first; i < len(pieces) && pieces[i].county == pieces[first].county; i++ {
		}
		all = append(all, wholesOf(pieces[first:i])...)
	}
	return all
}

// off are the mean absolute and the root of the mean squared error of predictions.
func off(list []prediction) (mae, rmse float64) {
	for _, p := range list {
		d := p.sum.Estimate - p.truth
		mae, rmse = mae+math.Abs(d), rmse+d*d
	}
	n := float64(len(list))
	return mae / n, math.Sqrt(rmse / n)
}

// TestSettlement predicts the people of blocks, dissemination areas and block groups from larger areas by ground and by
// settlement, and compares both with the published figures, by place and setting; the error is fitted on the settings of
// other places, too.
//
//	go test ./cmd/quartier -run Settlement -v
func TestSettlement(t *testing.T) {
	t.Parallel()
	places, evidence := settled(t, testenv.NeedData(t, ""))
	ground, settled := map[string][]prediction{}, map[string][]prediction{}
	undivided := map[string]int{}
	for name, list := range places {
		n := 0
		byPlace := predict(t, list, bySettlement(t, evidence[name], &n))
		for i, p := range predict(t, list, byGround) {
			at := name + " " + p.setting
			ground[at], settled[at], undivided[at] = append(ground[at], p), append(settled[at], byPlace[i]), n
		}
	}
	for name, list := range settled {
		if len(list) < leastPieces {
			delete(settled, name)
		}
	}
	everywhere := func(*prediction) bool { return true }
	lines := []string{
		"mean absolute and root mean squared error in people, and intervals that hold the published figure, by ground → by settlement"}
	for _, name := range slices.Sorted(maps.Keys(settled)) {
		mae, rmse := off(ground[name])
		settledMAE, settledRMSE := off(settled[name])
		before, n := heldShare(ground[name], 1, everywhere)
		held, _ := heldShare(settled[name], 1, everywhere)
		factor := fit(settled, name, len("Ottawa, east"), 0.93)
		fitted, _ := heldShare(settled[name], factor, everywhere)
		lines = append(lines,
			fmt.Sprintf("%-29s %5d  %6.1f → %5.1f  %6.1f → %6.1f  %5.1f %% → %5.1f %%  fitted on the others (factor %.2f) %5.1f %%, %d areas of "+
				"the place are not divided",
				name, n, mae, settledMAE, rmse, settledRMSE, 100*before, 100*held, factor, 100*fitted, undivided[name]))
		if held < wantedHeld || fitted < wantedHeld {
			t.Errorf("%s: %.1f %% of the intervals hold the published figure, %.1f %% fitted on the others", name, 100*held, 100*fitted)
		}
		if settledMAE >= mae || settledRMSE >= rmse {
			t.Errorf("%s: settlement is %.1f people off, ground %.1f", name, settledMAE, mae)
		}
	}
	if len(settled) < 15 {
		t.Errorf("only %d settings", len(settled))
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}

// TestSettlementAroundPlaces compares the people within 500 m of villages, and of lakes, woods and fields, with those of
// the blocks there, where dissemination areas are apportioned by ground and by settlement.
func TestSettlementAroundPlaces(t *testing.T) {
	t.Parallel()
	data := testenv.NeedData(t, "")
	roads := evidenceOf(t, data, ottawaStreets...)
	blocks, areas := ottawa(t, data)
	lists := [2][]*whole{}
	for i, pieces := range [][]piece{blocks, areas} {
		slices.SortFunc(pieces, func(a, b piece) int { return strings.Compare(a.key, b.key) })
		for _, p := range pieces {
			if p.people.Estimate > 0 {
				lists[i] = append(lists[i], &whole{[]piece{p}, p.outline, p.people, geo.Area(p.outline) / 1e6, math.NaN()})
			}
		}
	}
	n := 0
	truth, ground, settled := tableOf(t, lists[0], byGround), tableOf(t, lists[1], byGround), tableOf(t, lists[1], bySettlement(t, roads, &n))
	lines := []string{"people within 500 m by blocks, by ground, by settlement"}
	var offs [2]float64 // by ground and by settlement
	for _, c := range []struct {
		name     string
		lng, lat float64
		village  bool
	}{
		{"Fitzroy Harbour", -76.2105, 45.4690, true},
		{"Carp", -76.0380, 45.3480, true},
		{"Metcalfe", -75.4655, 45.2330, true},
		{"North Gower", -75.7185, 45.1320, true},
		{"Constance Lake", -75.9810, 45.4080, false},
		{"Mer Bleue", -75.5100, 45.3950, false},
		{"Ottawa Airport", -75.6670, 45.3190, false},
		{"Marlborough Forest", -75.8300, 45.0500, false},
		{"Torbolton Forest", -76.0700, 45.4900, false},
		{"Greenbelt farmland", -75.8000, 45.3150, false},
		{"Stony Swamp", -75.8450, 45.2980, false},
	} {
		disc := areal.Disc(c.lng, c.lat, 500)
		want, before, got := peopleIn(truth, disc), peopleIn(ground, disc), peopleIn(settled, disc)
		lower, upper, _ := got.Interval(0, math.Inf(1))
		lines = append(lines, fmt.Sprintf("%-19s %5.0f %5.0f %5.0f, %.0f to %.0f", c.name, want.Estimate, before.Estimate, got.Estimate,
			lower, upper))
		offBefore, off := math.Abs(before.Estimate-want.Estimate), math.Abs(got.Estimate-want.Estimate)
		offs[0], offs[1] = offs[0]+offBefore, offs[1]+off
		if want.Estimate < math.Floor(lower) || want.Estimate > math.Ceil(upper) || c.village && off >= offBefore {
			t.Errorf("%s: %.0f people by settlement, %.0f by ground, %.0f by blocks", c.name, got.Estimate, before.Estimate, want.Estimate)
		}
	}
	if offs[1] > 0.7*offs[0] {
		t.Errorf("settlement is %.0f people off in all, ground %.0f", offs[1], offs[0])
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}
