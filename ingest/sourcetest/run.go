package sourcetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/internal/duck"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// Case is one file that a kind reads, and what must come of it.
type Case struct {
	Name    string
	Path    string // relative to the kind's folder, or absolute
	Country string // the region's, 'CA' or 'US'; may be empty
	State   string // the region's; may be empty
	Options string // YAML, as under options: in a region file

	// Rows maps a query over the staged file to its answer: columns joined by |, rows by newlines, NULL as ∅.
	Rows map[string]string
	// Check looks at the staged file where Rows cannot; may be nil.
	Check func(t *testing.T, db *duck.DB)
	// Issues are the rows of all issues that the file gives rise to, by "code" or, to count the rows of each detail, by
	// "code: detail".
	Issues map[string]int64
	// Read is the number of rows or features in the file; 0 leaves it unchecked.
	Read int64

	// Endless says why a cut of the file cannot be told from a whole file (lines of text); the cuts are then left out.
	Endless string
}

// Run holds kind to the rules of package source and to what each case says.
func Run(t *testing.T, kind source.Kind, cases ...Case) {
	t.Run("info", func(t *testing.T) { checkInfo(t, kind.Info()) })
	yielded := map[string]bool{}
	complete := true
	for _, c := range cases {
		ran := false
		t.Run(c.Name, func(t *testing.T) {
			c.present(t)
			for _, rule := range []struct {
				name  string
				check func(*testing.T, source.Kind, Case)
			}{
				{"rows", func(t *testing.T, k source.Kind, c Case) { maps.Copy(yielded, checkRows(t, k, c)); ran = true }},
				{"same twice", checkSameTwice},
				{"truncated", checkTruncated},
				{"empty", checkEmpty},
				{"missing", checkMissing},
				{"cancelled before", checkCancelledBefore},
				{"cancelled during", checkCancelledDuring},
				{"unknown option", checkUnknownOption},
			} {
				t.Run(rule.name, func(t *testing.T) { rule.check(t, kind, c) })
			}
		})
		complete = complete && ran
	}
	if !complete || t.Failed() {
		return
	}
	t.Run("yields", func(t *testing.T) {
		want := slices.Sorted(slices.Values(kind.Info().Yields))
		if got := slices.Sorted(maps.Keys(yielded)); !slices.Equal(got, want) {
			t.Errorf("the cases filled %v, Info().Yields says %v", got, want)
		}
	})
}

// present skips a case whose real data is not here; any other missing file is a mistake.
func (c Case) present(t *testing.T) {
	t.Helper()
	testenv.SkipWithoutData(t, c.Path)
	if _, err := os.Stat(c.Path); err != nil {
		t.Fatal(err)
	}
}

// input is the case's source with another path.
func (c Case) input(t *testing.T, path string) source.Input {
	t.Helper()
	return source.Input{Source: "under-test", Path: path, Country: c.Country, State: c.State, Options: Options(t, c.Options)}
}

// outcome is what one run of a kind left behind.
type outcome struct {
	summary staging.Summary
	err     error  // of the kind itself
	order   string // digest of the rows in the order in which they came
	db      *duck.DB
}

// stage runs the kind into a new staged file, which lives as long as the test. onRow, if any, runs before each row.
func stage(ctx context.Context, t *testing.T, kind source.Kind, in source.Input, onRow func()) outcome {
	t.Helper()
	file, err := staging.Create(filepath.Join(t.TempDir(), "staged.duckdb"))
	if errors.Is(err, spatialite.ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	everything := 1.0
	src := staging.Source{
		Source: staged.Source{
			SourceID: in.Source, Kind: kind.Info().Kind, Path: filepath.Base(in.Path), SHA256: strings.Repeat("0", 64),
			AsOf: "2021-01-01", Licence: "none", Attribution: "none",
		},
		MaxRejected: &everything,
	}
	result := outcome{db: file.DB()}
	summary, err := file.Stage(ctx, src, func(sink source.Sink) error {
		witness := &witness{Sink: sink, order: sha256.New(), onRow: onRow}
		result.err = kind.Stage(ctx, in, witness)
		result.order = hex.EncodeToString(witness.order.Sum(nil))
		return result.err
	})
	if err != nil && result.err == nil {
		t.Fatal(err)
	}
	result.summary = summary
	for _, issue := range summary.Issues {
		declared := append(staging.Reasons(), kind.Info().Reasons...)
		if why := issue.Reason.With(""); !slices.Contains(declared, why) && !strings.HasPrefix(why.Code, reason.UncodedPrefix) {
			t.Errorf("kind %s raises %s, which is not among its Info().Reasons: %+v", kind.Info().Kind, why, why)
		}
	}
	return result
}

// Stage runs kind into a staged file that lives as long as the test, whatever share of the rows is rejected. The error
// is that of the kind.
func Stage(t *testing.T, kind source.Kind, in source.Input) (staging.Summary, *duck.DB, error) {
	t.Helper()
	result := stage(t.Context(), t, kind, in, nil)
	return result.summary, result.db, result.err
}

// witness is a sink that notes the order of rows.
type witness struct {
	source.Sink
	order hash.Hash
	onRow func()
}

func (w *witness) see(row any) {
	fmt.Fprintf(w.order, "%+v\n", row)
	if w.onRow != nil {
		w.onRow()
	}
}

func (w *witness) Boundary(b source.Boundary) error {
	population := b.Population
	b.Population = nil // a pointer would print as an address
	w.see(b)
	b.Population = population
	return w.Sink.Boundary(b)
}

func (w *witness) Coverage(c source.Coverage) error {
	w.see(c)
	return w.Sink.Coverage(c)
}

func (w *witness) POI(p source.POI) error {
	confidence, area := p.Confidence, p.AreaM2
	p.Confidence, p.AreaM2 = nil, nil
	w.see(p)
	p.Confidence, p.AreaM2 = confidence, area
	return w.Sink.POI(p)
}

func (w *witness) BrandRule(r source.BrandRule) error {
	w.see(r)
	return w.Sink.BrandRule(r)
}

func (w *witness) Street(v source.Street) error {
	sidewalk, parking := v.Sidewalk, v.Parking
	v.Sidewalk, v.Parking = nil, nil
	w.see(v)
	v.Sidewalk, v.Parking = sidewalk, parking
	return w.Sink.Street(v)
}

func (w *witness) Feature(f source.Feature) error {
	size := f.Size
	f.Size = nil
	w.see(f)
	f.Size = size
	return w.Sink.Feature(f)
}

func (w *witness) Timetable(t source.Timetable) error {
	w.see(t)
	return w.Sink.Timetable(t)
}

func (w *witness) Stop(v source.Stop) error {
	w.see(v)
	return w.Sink.Stop(v)
}

func (w *witness) Route(r source.Route) error {
	spacing := r.SpacingM
	r.SpacingM = nil
	w.see(r)
	r.SpacingM = spacing
	return w.Sink.Route(r)
}

func (w *witness) StopService(v source.StopService) error {
	w.see(v)
	return w.Sink.StopService(v)
}

func (w *witness) ElevationTile(e source.ElevationTile) error {
	w.see(e)
	return w.Sink.ElevationTile(e)
}

func (w *witness) Block(b source.Block) error {
	population, dwellings, households, land := b.Population, b.Dwellings, b.Households, b.LandM2
	b.Population, b.Dwellings, b.Households, b.LandM2 = nil, nil, nil, nil
	w.see(b)
	b.Population, b.Dwellings, b.Households, b.LandM2 = population, dwellings, households, land
	return w.Sink.Block(b)
}

func (w *witness) Home(h source.Home) error {
	w.see(h)
	return w.Sink.Home(h)
}

func (w *witness) Survey(v source.Survey) error {
	w.see(v)
	return w.Sink.Survey(v)
}

func (w *witness) Statistic(v source.Statistic) error {
	moe := v.MOE
	v.MOE = nil
	w.see(v)
	v.MOE = moe
	return w.Sink.Statistic(v)
}

func (w *witness) Zone(z source.Zone) error {
	w.see(z)
	return w.Sink.Zone(z)
}

func (w *witness) HomeValue(v source.HomeValue) error {
	w.see(v)
	return w.Sink.HomeValue(v)
}
