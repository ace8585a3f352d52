package staging

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

func create(t *testing.T) *File {
	t.Helper()
	f, err := Create(t.TempDir() + "/staged.duckdb")
	if errors.Is(err, spatialite.ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func meta(id string) Source {
	return Source{Source: staged.Source{SourceID: id, Kind: "test", Path: id + ".csv", SHA256: strings.Repeat("ab", 32), Bytes: 7,
		AsOf: "2021-05-11", Licence: "CC0-1.0", Attribution: "nobody"}}
}

// all returns the source without a limit of rejected rows.
func all(src Source) Source {
	share := 1.0
	src.MaxRejected = &share
	return src
}

func square(west, south, size float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {west + size, south}, {west + size, south + size}, {west, south + size}, {west, south}}}}
}

func town(key string) source.Boundary {
	return source.Boundary{Key: key, Level: schemas.Municipality, NameEN: "Gatineau", Country: "CA", State: "QC",
		Geometry: square(-75.7, 45.4, 0.1)}
}

func cafe(key string) source.POI {
	return source.POI{Key: key, Point: orb.Point{-75.7, 45.4}, Details: staged.Details{Name: "Café <Été> & fils"}, Scheme: "quartier",
		Classes: []string{"cafes"}}
}

func TestBadRowsAreCountedByReason(t *testing.T) {
	f := create(t)
	nan := math.NaN()
	minus := int64(-1)
	boundary := func(change func(*source.Boundary)) func(source.Sink) error {
		b := town("key")
		change(&b)
		return func(s source.Sink) error { return s.Row(b) }
	}
	poi := func(change func(*source.POI)) func(source.Sink) error {
		p := cafe("key")
		change(&p)
		return func(s source.Sink) error { return s.Row(p) }
	}
	for i, test := range []struct {
		reason string
		read   func(source.Sink) error
	}{
		{"missing_key", boundary(func(b *source.Boundary) { b.Key = " " })},
		{"missing_name", boundary(func(b *source.Boundary) { b.NameEN = " \t" })},
		{"invalid_utf8: name", boundary(func(b *source.Boundary) { b.NameEN = "Qu\xe9bec" })},
		{"invalid_utf8: French name", boundary(func(b *source.Boundary) { b.NameFR = "Qu\x00" })},
		{"text_too_long: name", boundary(func(b *source.Boundary) { b.NameEN = strings.Repeat("é", 2049) })},
		{"text_too_long: name", poi(func(p *source.POI) { p.Name = strings.Repeat("x", 4097) })},
		{"text_too_long: address", poi(func(p *source.POI) { p.Address = strings.Repeat("x", 4097) })},
		{"unknown_level", boundary(func(b *source.Boundary) { b.Level = 33 })},
		{"invalid_country_code", boundary(func(b *source.Boundary) { b.Country = "Canada" })},
		{"invalid_state_code", boundary(func(b *source.Boundary) { b.State = "24" })},
		{"negative_count: population", boundary(func(b *source.Boundary) { b.Population = &minus })},
		{"invalid_coordinate", boundary(func(b *source.Boundary) { b.Geometry[0][0][1][0] = nan })},
		{"coordinate_out_of_range", boundary(func(b *source.Boundary) { b.Geometry = square(7201954, 917957, 100) })},
		{"zero_area", boundary(func(b *source.Boundary) { b.Geometry = nil })},
		{"zero_area", boundary(func(b *source.Boundary) {
			b.Geometry = orb.MultiPolygon{{{{-75, 45}, {-74, 46}, {-75, 45}, {-74, 46}, {-75, 45}}}}
		})},
		{"missing_key", poi(func(p *source.POI) { p.Key = "" })},
		{"invalid_utf8: name", poi(func(p *source.POI) { p.Name = "\xff" })},
		{"invalid_utf8: class", poi(func(p *source.POI) { p.Classes = []string{"caf\xe9"} })},
		{"invalid_coordinate", poi(func(p *source.POI) { p.Point[1] = math.Inf(-1) })},
		{"coordinate_out_of_range", poi(func(p *source.POI) { p.Point = orb.Point{45.4, -175.7 + 50} })},
		{"zero_coordinates", poi(func(p *source.POI) { p.Point = orb.Point{} })},
		{"missing_class", poi(func(p *source.POI) { p.Classes = nil })},
		{"missing_tags", poi(func(p *source.POI) { p.Scheme = "osm" })},
		{"invalid_utf8: tag", poi(func(p *source.POI) { p.Scheme, p.Tags = "osm", map[string]string{"name": "\xc3"} })},
		{"unknown_class_scheme", poi(func(p *source.POI) { p.Scheme = "naics" })},
		{"missing_brand", func(s source.Sink) error {
			return s.Row(source.BrandRule{Key: "shop", Value: "x", Names: []string{"X"}})
		}},
		{"missing_brand_name", func(s source.Sink) error {
			return s.Row(source.BrandRule{Key: "shop", Value: "x", BrandID: "x", BrandName: "X"})
		}},
		{"outside_country: AL", outlineOf(source.Boundary{Level: schemas.State, Country: "US", State: "AL", NameEN: "Alagoas",
			Geometry: square(-37, -10, 1)})},
		{"outside_country: QC", outlineOf(source.Boundary{Level: schemas.State, State: "QC", NameEN: "Quebec", Geometry: square(-80, 41, 1)})},
		{"outside_country: CO", outlineOf(source.Boundary{Level: schemas.State, Country: "US", State: "CO", NameEN: "Coahuila",
			Geometry: orb.MultiPolygon{{{{-101, 29.9}, {-104, 27}, {-101, 25}, {-101, 29.9}}}}})},
		{"outside_north_america", outlineOf(source.Boundary{Level: schemas.County, Country: "US", NameEN: "Baja",
			Geometry: square(-116, 30, 1)})},
	} {
		t.Run(test.reason, func(t *testing.T) {
			summary, err := f.Stage(t.Context(), all(meta(fmt.Sprint("bad", i))), func(s source.Sink) error {
				s.Read(1)
				return test.read(s)
			})
			if err != nil && !errors.Is(err, source.ErrNothingLeft) {
				t.Fatal(err)
			}
			if summary.Staged != 0 || len(summary.Issues) != 1 || summary.Issues[0].Reason.String() != test.reason ||
				summary.Issues[0].Severity != reason.Rejected || summary.Issues[0].Rows != 1 {
				t.Errorf("got %+v, want one row rejected for %q", summary, test.reason)
			}
		})
	}
}

func TestRepairedRowsAreStagedAndCounted(t *testing.T) {
	f := create(t)
	bowtie, open, odd := town("bowtie"), town("open"), cafe("odd")
	bowtie.Geometry = orb.MultiPolygon{{{{-75, 45}, {-74, 46}, {-74, 45}, {-75, 46}, {-75, 45}}}}
	open.Geometry = orb.MultiPolygon{{{{-75, 45}, {-74, 45}, {-74, 46}, {-75, 46}}}}
	high, wrong := 1.5, math.NaN()
	odd.Confidence, odd.AreaM2 = &high, &wrong
	summary, err := f.Stage(t.Context(), meta("a"), func(s source.Sink) error {
		s.Read(3)
		return errors.Join(s.Row(bowtie), s.Row(open), s.Row(odd))
	})
	if err != nil {
		t.Fatal(err)
	}
	summary.Where = source.Whereabouts{}
	want := Summary{Read: 3, Staged: 3, Issues: []Issue{
		{source.ConfidenceRemoved, 1, "odd Café <Été> & fils"},
		{areaRemoved, 1, "odd Café <Été> & fils"},
		{source.InvalidGeometryRepaired.With("self-intersection"), 1, `bowtie "Gatineau" at -74.5000000 45.5000000`},
		{source.InvalidGeometryRepaired.With("unclosed ring"), 1, `open "Gatineau" at -75.0000000 45.0000000`},
	}}
	if diff := cmp.Diff(want, summary); diff != "" {
		t.Error(diff)
	}
}

// Boundary keys are unique across sources, the first one is kept; those of POIs are unique in their source.
func TestDuplicateKeys(t *testing.T) {
	f := create(t)
	twice := func(s source.Sink) error {
		return errors.Join(s.Row(town("b")), s.Row(town("b")), s.Row(cafe("p")), s.Row(cafe("p")),
			s.Row(rule()), s.Row(rule()))
	}
	first, err := f.Stage(t.Context(), all(meta("first")), twice)
	if err != nil || first.Staged != 3 || first.Rejected() != 3 {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := f.Stage(t.Context(), all(meta("second")), twice)
	if err != nil || second.Staged != 2 || second.Rejected() != 4 {
		t.Fatalf("%+v, %v", second, err)
	}
	var from string
	if err := f.DB().QueryRow("SELECT source_id FROM boundary").Scan(&from); err != nil || from != "first" {
		t.Fatalf("%q, %v", from, err)
	}
}

func outlineOf(b source.Boundary) func(source.Sink) error {
	b.Key = b.NameEN
	return func(s source.Sink) error { return s.Row(b) }
}

func rule() source.BrandRule {
	return source.BrandRule{BrandID: "a_w", BrandName: "A&W", Key: "amenity", Value: "fast_food", Names: []string{"A&W"}}
}

func TestStagedRows(t *testing.T) {
	f := create(t)
	people, sure := int64(41), 0.5
	b, p := town("b"), cafe("p")
	b.Population, b.NameFR = &people, " Gatineau "
	p.Confidence = &sure
	tagged := cafe("t")
	tagged.Scheme, tagged.Tags = "osm", map[string]string{"name": "Chez <&>", "amenity": "cafe"}
	if _, err := f.Stage(t.Context(), meta("a"), func(s source.Sink) error {
		s.Read(4)
		return errors.Join(s.Row(b), s.Row(p), s.Row(tagged), s.Row(rule()))
	}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"SELECT concat_ws('|', source_key, level, name_en, name_fr IS NULL, country_code, state_code, population) FROM " +
			"boundary": "b|30|Gatineau|true|CA|QC|41",
		"SELECT concat_ws('|', lng, lat, name, brand IS NULL, classes, confidence) FROM poi WHERE source_key = " +
			"'p'": `-75.7|45.4|Café <Été> & fils|true|["cafes"]|0.5`,
		"SELECT classes FROM poi WHERE source_key = 't'": `{"amenity":"` +
			`cafe","name":"Chez <&>"}`,
		"SELECT concat_ws('|', brand_id, wikidata IS NULL, names, countries, tags) FROM " +
			"brand_rule": `a_w|true|["A&W"]|[]|{}`,
		"SELECT concat_ws('|', country_code, state_code) FROM coverage": "CA|ON",
		"SELECT concat_ws('|', source_id, priority, path, url IS NULL, rows_read, rows_staged) FROM " +
			"source": "a|0|a.csv|true|4|4",
	} {
		var got string
		if err := f.DB().QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s\n got %q, %v\nwant %q", query, got, err, want)
		}
	}
}

func TestTooManyRejectsRefuseTheSource(t *testing.T) {
	none := 0.0
	for _, test := range []struct {
		name      string
		good, bad int
		limit     *float64
		refused   bool
	}{
		{"a fifth is accepted", 8, 2, nil, false},
		{"more is not", 7, 2, nil, true},
		{"a limit of the source", 1000, 1, &none, true},
		{"none", 3, 0, &none, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := meta("s")
			src.MaxRejected = test.limit
			_, err := create(t).Stage(t.Context(), src, func(s source.Sink) error {
				for i := range test.good + test.bad {
					s.Read(1)
					p := cafe(fmt.Sprint(i))
					if i >= test.good {
						p.Point[0] = math.NaN()
					}
					if err := s.Row(p); err != nil {
						return err
					}
				}
				return nil
			})
			var refusal *TooManyRejected
			if errors.As(err, &refusal) != test.refused {
				t.Fatal(err)
			}
			if test.refused != errors.Is(err, source.ErrTooManyRejects) {
				t.Errorf("the error is not source.ErrTooManyRejects: %v", err)
			}
			if test.refused && !strings.Contains(err.Error(), "source s, file s.csv: ") {
				t.Errorf("the message does not have source and file: %v", err)
			}
		})
	}
}

// A row of a table is staged as several statistics, and rejected as one.
func TestRejectedShareOfRowsRead(t *testing.T) {
	for _, test := range []struct {
		read, staged, rejected int64
		want                   string
	}{
		{1531, 2242, 306, ""},
		{1531, 2242, 307, "307 of 1531 rows"},
		{3, 20, 4, "4 of 4 rows"},
		{0, 8, 2, ""},
		{0, 7, 2, "2 of 9 rows"},
	} {
		all := part{"", tally{read: test.read, staged: test.staged, rejected: test.rejected}}
		err := meta("s").checkRejected(Summary{Read: test.read, Staged: test.staged}, []part{all}, "")
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), ": "+test.want+" rejected") {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// swapped is a place of Ottawa with longitude and latitude swapped, north of 90°.
func swapped(key string) source.POI {
	p := cafe(key)
	p.Point = orb.Point{45.4, -95.7}
	return p
}

func TestSharesAreOfPartsAndTypes(t *testing.T) {
	rows := func(s source.Sink, n int, row func(key string) source.Row) error {
		for i := range n {
			s.Read(1)
			if err := s.Row(row(fmt.Sprint(n, "-", i))); err != nil {
				return err
			}
		}
		return nil
	}
	good := func(key string) source.Row { return cafe(key) }
	bad := func(key string) source.Row { return swapped(key) }
	far := func(key string) source.Row {
		return source.Stop{SourceKey: key, Name: key, Lng: 45, Lat: -75}
	}
	for _, test := range []struct {
		name string
		read func(s source.Sink) error
		want string // of the message
	}{
		{"one of many files is bad", func(s source.Sink) error {
			s.Part("a.csv")
			err := rows(s, 100, good)
			s.Part("b.csv")
			return errors.Join(err, rows(s, 3, bad))
		}, "file s.csv, b.csv: 3 of 3 rows rejected"},
		{"all stops among many places", func(s source.Sink) error {
			return errors.Join(rows(s, 100, good), rows(s, 4, far))
		}, "file s.csv, stops: 4 of 4 rows rejected, more than the 20 % allowed: 4× outside_north_america"},
		{"nothing", func(source.Sink) error { return nil }, "nothing is left of the source s, file s.csv: none of its 0 rows is staged"},
		{"skipped", func(s source.Sink) error {
			s.Read(2)
			s.Issue(source.OutsideBBox, "line 2")
			s.Issue(source.OutsideBBox, "line 3")
			return nil
		}, "none of its 2 rows is staged: 2× outside_bbox"},
		{"swapped", func(s source.Sink) error { return rows(s, 171, bad) },
			"with longitude and latitude swapped, 171 of 171 would be in Canada or the United States"},
		{"some of each", func(s source.Sink) error { return errors.Join(rows(s, 9, good), rows(s, 2, bad)) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := create(t).Stage(t.Context(), meta("s"), test.read)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
			if err != nil && !errors.Is(err, source.ErrNothingLeft) && !errors.Is(err, source.ErrTooManyRejects) {
				t.Errorf("%v is neither of the errors", err)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{"a\n\tb": "a b", "\x1b[31mred\x00": "\uFFFD[31mred\uFFFD", "\xff": "\uFFFD",
		strings.Repeat("é", 301): strings.Repeat("é", 300) + "…"} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCancelStopsTheReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rows := 0
	_, err := create(t).Stage(ctx, meta("s"), func(s source.Sink) error {
		for {
			if err := s.Row(cafe(fmt.Sprint(rows))); err != nil {
				return err
			}
			if rows++; rows == 10 {
				cancel()
			}
		}
	})
	if !errors.Is(err, context.Canceled) || rows != 10 {
		t.Fatalf("%v after %d rows", err, rows)
	}
}

// Stage returns the error of the sink if the reader ignores it.
func TestIgnoredErrorsAreReturned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := create(t).Stage(ctx, meta("s"), func(s source.Sink) error {
		cancel()
		_ = s.Row(cafe("a"))
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestSourceNeedsMetadata(t *testing.T) {
	for _, change := range []func(*Source){
		func(s *Source) { s.Licence = "" }, func(s *Source) { s.AsOf = " " }, func(s *Source) { s.SHA256 = "" },
		func(s *Source) { n := math.NaN(); s.MaxRejected = &n },
	} {
		src := meta("s")
		change(&src)
		if _, err := create(t).Stage(t.Context(), src, func(source.Sink) error { return nil }); err == nil {
			t.Errorf("%+v was accepted", src)
		}
	}
}

func TestCreateNeedsANewFile(t *testing.T) {
	path := t.TempDir() + "/staged.duckdb"
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path); !errors.Is(err, os.ErrExist) && !errors.Is(err, spatialite.ErrUnavailable) {
		t.Fatal(err)
	}
}

// The digest depends on every value, and not on the order of rows.
func TestDigest(t *testing.T) {
	digest := func(rows ...source.POI) string {
		f := create(t)
		if _, err := f.Stage(t.Context(), meta("s"), func(s source.Sink) error {
			for _, row := range rows {
				if err := s.Row(row); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		tables, err := duck.Digest(t.Context(), f.DB())
		if err != nil {
			t.Fatal(err)
		}
		return duck.Sum(tables)
	}
	a, b, other := cafe("a"), cafe("b"), cafe("b")
	other.Phone = "1"
	if digest(a, b) != digest(b, a) {
		t.Error("the digest depends on the order of rows")
	}
	if digest(a, b) == digest(a, other) || digest(a, b) == digest(a) {
		t.Error("other rows have the same digest")
	}
}
