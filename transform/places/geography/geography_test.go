package geography

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"

	"quartier/transform/issue"
)

// box is a rectangle in tenths of a degree, from the corner 80° W 40° N.
func box(west, south, east, north float64) orb.MultiPolygon {
	x := func(v float64) float64 { return -80 + v/10 }
	y := func(v float64) float64 { return 40 + v/10 }
	return orb.MultiPolygon{{{{x(west), y(south)}, {x(east), y(south)}, {x(east), y(north)}, {x(west), y(north)}, {x(west), y(south)}}}}
}

func people(n int64) *int64 { return &n }

func derive(t *testing.T, boundaries []Boundary, extents []Extent) (map[string]Geography, Result) {
	t.Helper()
	result, err := Derive(context.Background(), boundaries, extents, nil)
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]Geography{}
	for _, g := range result.Geographies {
		byKey[g.Key] = g
	}
	return byKey, result
}

// world is two adjacent states in one country, a metro across the border, cities and neighbourhoods.
func world() []Boundary {
	return []Boundary{
		{Source: "a", Key: "us", Level: 70, NameEN: "United States", Geometry: box(0, 0, 20, 10)},
		{Source: "a", Key: "de", Level: 60, NameEN: "Delaware", Geometry: box(0, 0, 10, 10)},
		{Source: "a", Key: "md", Level: 60, NameEN: "MD", State: "MD", Geometry: box(10, 0, 20, 10)},
		{Source: "a", Key: "metro", Level: 40, NameEN: "Border Metro", Geometry: box(4, 0, 20, 10)},
		{Source: "a", Key: "county", Level: 37, NameEN: "Kent", Geometry: box(0, 0, 10, 10)},
		{Source: "a", Key: "town", Level: 30, NameEN: "Town", Geometry: box(5, 5, 9, 9)},
		{Source: "a", Key: "hamlet", Level: 30, NameEN: "Hamlet", Geometry: box(1, 1, 2, 2)},
		{Source: "a", Key: "west", Level: 10, NameEN: "West", Population: people(300), Geometry: box(5, 5, 7, 9)},
		{Source: "a", Key: "east", Level: 10, NameEN: "East", Population: people(400), Geometry: box(7, 5, 9, 9)},
		{Source: "a", Key: "zip", Level: 32, NameEN: "19901", Geometry: box(4, 5, 8, 9)},
	}
}

func TestStates(t *testing.T) {
	got, result := derive(t, world(), nil)
	want := map[string]string{"us": "", "de": "US_DE", "md": "US_MD", "metro": "US_MD US_DE", "county": "US_DE", "town": "US_DE",
		"hamlet": "US_DE",
		"west":   "US_DE", "east": "US_DE", "zip": "US_DE"}
	for key, w := range want {
		if g := got[key]; join(g.States) != w {
			t.Errorf("%s: in %v, want %s", key, g.States, w)
		}
	}
	if len(got) != len(want) || len(result.Issues) != 0 {
		t.Errorf("%d geographies, issues %v", len(got), result.Issues)
	}
	if got["de"].NameFR != "Delaware" || got["us"].NameFR != "États-Unis" || got["town"].NameFR != "Town" {
		t.Errorf("French names %q, %q, %q", got["de"].NameFR, got["us"].NameFR, got["town"].NameFR)
	}
	if p := got["town"].Population; p == nil || *p != 700 {
		t.Errorf("the town's population is %v, want the sum of its halves", p)
	}
	if got["county"].Population != nil || got["zip"].Population != nil {
		t.Error("population was summed over parts that do not cover the geography")
	}
}

func join(list []string) string {
	s := ""
	for i, v := range list {
		if i > 0 {
			s += " "
		}
		s += v
	}
	return s
}

func TestStatesFromExtents(t *testing.T) {
	boundaries := []Boundary{
		{Source: "osm", Key: "city", Level: 30, NameEN: "City", Geometry: box(1, 1, 2, 2)},
		{Source: "osm", Key: "abroad", Level: 30, NameEN: "Abroad", Geometry: box(50, 1, 51, 2)},
		{Source: "osm", Key: "published", Level: 30, NameEN: "Published", Country: "CA", State: "ON", Geometry: box(50, 1, 51, 2)},
		{Source: "osm", Key: "country only", Level: 30, NameEN: "Country only", Country: "CA", Geometry: box(60, 1, 61, 2)},
		{Source: "osm", Key: "line", Level: 30, NameEN: "Line", Geometry: box(1, 1, 1, 2)},
	}
	extents := []Extent{{Source: "osm", Country: "US", State: "DE", Geometry: box(0, 0, 10, 10)}}
	got, result := derive(t, boundaries, extents)
	if join(got["city"].States) != "US_DE" || got["city"].Country != "US" {
		t.Errorf("city: %+v", got["city"].States)
	}
	if join(got["published"].States) != "CA_ON" {
		t.Errorf("published: %v", got["published"].States)
	}
	want := []issue.Issue{
		{Step: "geography", Reason: issue.NoInteriorPoint, Rows: 1, Example: "line"},
		{Step: "geography", Reason: issue.OutsideCoverage.With("country"), Rows: 1, Example: "abroad"},
		{Step: "geography", Reason: issue.OutsideCoverage.With("state"), Rows: 1, Example: "country only"},
	}
	if diff := cmp.Diff(want, result.Issues); diff != "" {
		t.Error(diff)
	}
	if covers := result.Coverage.Covers; len(covers) != 1 || covers[0].Code() != "US_DE" || covers[0].Key != "extent:osm" {
		t.Errorf("coverage %+v", covers)
	}
}

func TestOutlinesComeBeforeExtents(t *testing.T) {
	extents := []Extent{
		{Source: "osm", Country: "US", State: "DE", Geometry: box(0, -10, 30, -4)},
		{Source: "osm", Country: "CA", State: "AB", Geometry: box(6, 2, 30, 4)},
	}
	got, result := derive(t, append(world(),
		Boundary{Source: "a", Key: "inside", Level: 30, NameEN: "Inside", Geometry: box(6.1, 2.1, 9.9, 3.9)},
		Boundary{Source: "a", Key: "beyond", Level: 30, NameEN: "Beyond", Geometry: box(15, -9, 20, -8)},
	), extents)
	if join(got["inside"].States) != "US_DE" {
		t.Errorf("a town in the outline of Delaware is in %v", got["inside"].States)
	}
	if join(got["beyond"].States) != "US_DE" {
		t.Errorf("a town in the extent of Delaware is in %v", got["beyond"].States)
	}
	if codes := result.Coverage.WithoutOutline(); join(codes) != "CA_AB" {
		t.Errorf("without an outline: %v", codes)
	}
	for _, c := range []struct {
		p    orb.Point
		want string
	}{
		{orb.Point{-79.5, 40.5}, "US_DE"},
		{orb.Point{-79, 40.5}, "US_DE"}, // on the border, the first code counts
		{orb.Point{-78.5, 40.5}, "US_MD"},
		{orb.Point{-78.5, 39.999}, "US_MD"}, // 111 m away
		{orb.Point{-78.5, 39.997}, ""},      // 333 m away
		{orb.Point{-79.3, 40.3}, "US_DE"},   // in an extent too
		{orb.Point{-78.5, 39.4}, "US_DE"},   // only in an extent
	} {
		got := ""
		if cover := result.Coverage.At(c.p); cover != nil {
			got = cover.Code()
		}
		if got != c.want {
			t.Errorf("At(%v) = %q, want %q", c.p, got, c.want)
		}
	}
}

func TestDuplicateOutlines(t *testing.T) {
	boundaries := append(world(),
		Boundary{Source: "b", Priority: 1, Key: "town b", Level: 30, NameEN: "City of Town", NameFR: "Ville", Population: people(9),
			Geometry: box(5, 5, 9.2, 9)},
		Boundary{Source: "b", Priority: 1, Key: "zip b", Level: 32, NameEN: "another name", Geometry: box(4, 5, 8, 9)},
		Boundary{Source: "b", Priority: 1, Key: "far town", Level: 30, NameEN: "Town", Geometry: box(15, 5, 16, 9)},
		Boundary{Source: "b", Priority: 1, Key: "de b", Level: 60, NameEN: "Delaware", Geometry: box(0, 0, 9, 9)},
	)
	got, result := derive(t, boundaries, nil)
	for _, key := range []string{"town b", "zip b", "de b"} {
		if _, kept := got[key]; kept {
			t.Errorf("%s is kept", key)
		}
	}
	if _, kept := got["far town"]; !kept {
		t.Error("another town of the same name is dropped")
	}
	if town := got["town"]; town.NameFR != "Ville" || *town.Population != 9 {
		t.Errorf("the attributes were not merged: %q, %v", town.NameFR, town.Population)
	}
	want := []issue.Issue{{Step: "geography", Reason: duplicateBoundary, Rows: 3, Example: "de b"}}
	if diff := cmp.Diff(want, result.Issues); diff != "" {
		t.Error(diff)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	boundaries := append(world(), Boundary{Source: "b", Priority: 1, Key: "town b", Level: 30, NameEN: "Town", Geometry: box(5, 5, 9.2, 9)})
	_, want := derive(t, boundaries, nil)
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(boundaries), func(i, j int) { boundaries[i], boundaries[j] = boundaries[j], boundaries[i] })
		_, got := derive(t, boundaries, nil)
		if diff := cmp.Diff(want.Geographies, got.Geographies, cmpopts.IgnoreUnexported(Geography{})); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestDeriveStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Derive(ctx, world(), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestCitiesNamesTheSmallestCity(t *testing.T) {
	_, result := derive(t, append(world(), Boundary{Source: "a", Key: "around", Level: 30, NameEN: "Around", Geometry: box(3, 3, 10, 10)}),
		nil)
	cities := NewCities(result.Geographies)
	var got []string
	for _, p := range []orb.Point{{-79.4, 40.6}, {-79.65, 40.35}, {-79.95, 40.5}} {
		got = append(got, cities.At(p))
	}
	if !slices.Equal(got, []string{"Town", "Around", ""}) {
		t.Errorf("cities %q", got)
	}
}
