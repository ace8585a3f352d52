package staging

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/schemas"
)

// coverage returns the coverage of a staged file by source and state.
func coverage(t *testing.T, f *File) map[string]orb.MultiPolygon {
	t.Helper()
	rows, err := f.DB().Query("SELECT source_id || ' ' || country_code || '_' || state_code, geom FROM coverage")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	areas := map[string]orb.MultiPolygon{}
	for rows.Next() {
		var key string
		var wkb []byte
		if err := rows.Scan(&key, &wkb); err != nil {
			t.Fatal(err)
		}
		if areas[key], err = geo.MultiPolygon(wkb); err != nil {
			t.Fatal(err)
		}
	}
	return areas
}

func sources(t *testing.T, f *File) (list string) {
	t.Helper()
	err := f.DB().
		QueryRow("SELECT coalesce(string_agg(concat_ws(' ', source_id, kind, rows_staged), ', ' ORDER BY priority), '') FROM source").Scan(&list)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func placesAt(points ...orb.Point) func(source.Sink) error {
	return func(s source.Sink) error {
		for i, p := range points {
			row := cafe(fmt.Sprint(i))
			row.Point = p
			if err := s.Row(row); err != nil {
				return err
			}
		}
		return nil
	}
}

// The places of a source in New York, Hoboken, Boston and Tijuana cover their hull in each of their states, and 5 km more.
func TestPlacesCoverTheStatesThatTheyAreIn(t *testing.T) {
	f := create(t)
	manhattan, hoboken, tijuana := orb.Point{-73.99, 40.73}, orb.Point{-74.03, 40.74}, orb.Point{-117.04, 32.51}
	summary, err := f.Stage(t.Context(), meta("cafes"), placesAt(manhattan, hoboken, orb.Point{-71.06, 42.36}, tijuana))
	if err != nil || summary.Staged != 4 || summary.Where.Outside != 1 || summary.Where.Err() != nil {
		t.Fatalf("%+v, %v", summary, err)
	}
	if err := f.Finish(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	areas := coverage(t, f)
	if len(areas) != 3 {
		t.Errorf("coverage of %d states, want 3", len(areas))
	}
	for _, c := range []struct {
		state, name string
		p           orb.Point
		in          bool
	}{
		{"NY", "a place", manhattan, true},
		{"NJ", "a place", hoboken, true},
		{"NJ", "in another state", manhattan, false},
		{"NJ", "4.5 km from a place", orb.Point{-74.0834, 40.74}, true},
		{"NJ", "6 km from a place", orb.Point{-74.1010, 40.74}, false},
		{"MA", "between places", orb.Point{-71.6, 42.1}, true},
		{"NY", "far from any", orb.Point{-78.87, 42.89}, false},
	} {
		if got := geo.Contains(areas["cafes US_"+c.state], c.p); got != c.in {
			t.Errorf("%s of %s: %v", c.name, c.state, got)
		}
	}
	if got := sources(t, f); got != "cafes test 4, quartier:outlines outlines 3" {
		t.Errorf("sources %s", got)
	}
}

// A state whose outline is in a source is not counted as one of the outlines of the program.
func TestOutlinesOfTheRegionComeFirst(t *testing.T) {
	f := create(t)
	_, err := f.Stage(t.Context(), meta("both"), func(s source.Sink) error {
		state := source.Boundary{Key: "nj", Level: schemas.State, Country: "US", State: "NJ", NameEN: "New Jersey",
			Geometry: square(-75, 40, 0.9)}
		return errors.Join(s.Row(state), placesAt(orb.Point{-74.5, 40.5})(s))
	})
	if err == nil {
		err = f.Finish(t.Context(), 1)
	}
	if got := sources(t, f); err != nil || got != "both test 2" {
		t.Fatalf("sources %s, %v", got, err)
	}
	if len(coverage(t, f)) != 1 {
		t.Error("the coast of New Jersey is not covered")
	}
}

func TestBoundariesCoverTheirStates(t *testing.T) {
	f := create(t)
	_, err := f.Stage(t.Context(), meta("towns"), func(s source.Sink) error { return s.Row(town("gatineau")) })
	if err == nil {
		err = f.Finish(t.Context(), 1)
	}
	if got := sources(t, f); err != nil || got != "towns test 1, quartier:outlines outlines 1" {
		t.Fatalf("sources %s, %v", got, err)
	}
	code := outline.At(square(-75.7, 45.4, 0.1)[0][0][0])
	if areas := coverage(t, f); len(areas) != 1 || areas[outlinesID+" "+code] == nil {
		t.Errorf("coverage of %d states, want that of %s", len(areas), code)
	}
}

// Montana is a province of Bulgaria too.
func TestStatesOfOtherCountriesAreSkipped(t *testing.T) {
	summary, _ := create(t).Stage(t.Context(), meta("s"), func(s source.Sink) error {
		return s.Row(source.Boundary{Key: "bg-12", Level: schemas.State, NameEN: "Montana", Geometry: square(23, 43, 1)})
	})
	if summary.Staged != 0 || len(summary.Issues) != 1 || summary.Issues[0].Reason != source.OtherCountry {
		t.Fatalf("%+v", summary)
	}
}

func TestSourcesOutsideAreSaidToBe(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []orb.Point
		want   string
	}{
		{"Rotterdam", []orb.Point{{4.46, 51.92}, {4.48, 51.9}},
			"all of it lies at 51.90–51.92° N, 4.46–4.48° E, outside Canada and the United States"},
		{"Tijuana", []orb.Point{{-117.04, 32.51}}, "all of it lies at 32.51° N, 117.04° W, outside Canada and the United States"},
		{"the Gulf of Guinea", []orb.Point{{-1, -1}, {1, 1}},
			"all of it lies at 1.00° S to 1.00° N, 1.00° W to 1.00° E, outside Canada and the United States"},
		{"Ottawa", []orb.Point{{45.4, -75.7}, {45.41, -75.69}},
			"all of it lies at 75.69–75.70° S, 45.40–45.41° E, outside Canada and the United States; " +
				"with longitude and latitude swapped, 2 of 2 would be in Canada or the United States"},
		{"one of two", []orb.Point{{4.46, 51.92}, {-75.7, 45.4}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			summary, _ := create(t).Stage(t.Context(), all(meta("s")), placesAt(c.points...))
			got := ""
			if err := summary.Where.Err(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A large source is refused before it is read to its end.
func TestALargeSourceOutsideIsRefusedEarly(t *testing.T) {
	read := 0
	_, err := create(t).Stage(t.Context(), all(meta("s")), func(s source.Sink) error {
		for read = range 2 * maxOutside {
			row := cafe(fmt.Sprint(read))
			row.Point = orb.Point{4.46, 51.92}
			row.CountryCode = "NL"
			if err := s.Row(row); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, source.ErrOutside) || !strings.Contains(err.Error(), "lies in NL, at 51.92° N") || read > maxOutside {
		t.Errorf("after %d rows: %v", read, err)
	}
}
