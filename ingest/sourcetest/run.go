package sourcetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/listings"
	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/internal/duck"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// Case is one file that a kind reads, with the expected rows and issues.
type Case struct {
	Name    string
	Path    string // relative to the kind's folder, or absolute
	Country string // the region's, 'CA' or 'US'; may be empty
	State   string // the region's; may be empty
	Options string // YAML, as under options: in a region file

	// Rows maps a query over the staged file to its answer: columns joined by |, rows by newlines, NULL as ∅.
	Rows map[string]string
	// Check checks what Rows cannot express; may be nil.
	Check func(t *testing.T, db *duck.DB)
	// Issues are the numbers of rows of all issues, by "code" or, to count the rows of each detail, by "code: detail".
	Issues map[string]int64
	// Read is the number of rows or features in the file; 0 leaves it unchecked.
	Read int64

	// AnyLength is the reason for which truncated copies of the file are valid (lines of text); they are then not
	// checked.
	AnyLength string
}

// Run checks kind by the rules of package source and the cases.
func Run(t *testing.T, kind source.Kind, cases ...Case) {
	t.Run("info", func(t *testing.T) { checkInfo(t, kind.Info()) })
	yielded := map[string]bool{}
	complete := true
	for _, c := range cases {
		ran := false
		t.Run(c.Name, func(t *testing.T) {
			c.present(t)
			first := stage(t.Context(), t, kind, c.input(t, c.Path))
			for _, rule := range []struct {
				name  string
				check func(*testing.T, source.Kind, Case)
			}{
				{"rows", func(t *testing.T, _ source.Kind, c Case) { maps.Copy(yielded, checkRows(t, first, c)); ran = true }},
				{"preflight", checkPreflight},
				{"same twice", func(t *testing.T, k source.Kind, c Case) { checkSameTwice(t, first, k, c) }},
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
			t.Errorf("the cases filled %v, Info().Yields is %v", got, want)
		}
	})
}

// present skips a case whose real data is missing; any other missing file is an error.
func (c Case) present(t *testing.T) {
	t.Helper()
	testenv.SkipWithoutData(t, c.Path)
	if _, err := os.Stat(c.Path); err != nil {
		t.Fatal(err)
	}
}

// input returns the source of the case with another path.
func (c Case) input(t *testing.T, path string) source.Input {
	t.Helper()
	return source.Input{Source: "under-test", Path: path, Country: c.Country, State: c.State, Options: Options(t, c.Options)}
}

// outcome is the result of one run of a kind.
type outcome struct {
	summary staging.Summary
	err     error  // of the kind itself
	order   string // digest of the rows in their order
	db      *duck.DB
}

// stage runs the kind with a new staged file, which exists until the end of the test.
func stage(ctx context.Context, t *testing.T, kind source.Kind, in source.Input) outcome {
	t.Helper()
	if slices.Contains(kind.Info().Yields, "listing_record") {
		return stageListings(ctx, t, kind, in)
	}
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
	summary, err := file.Stage(ctx, src, result.record(ctx, kind, in))
	if err != nil && result.err == nil && !errors.Is(err, source.ErrNothingLeft) {
		t.Fatal(err)
	}
	result.summary = summary
	checkReasons(t, kind, result.summary.Issues)
	return result
}

// record returns a function that stages the source and keeps its error and the order of its rows.
func (o *outcome) record(ctx context.Context, kind source.Kind, in source.Input) func(source.Sink) error {
	return func(sink source.Sink) error {
		recorder := &orderRecorder{Sink: sink, order: sha256.New()}
		o.err = kind.Stage(ctx, in, recorder)
		o.order = hex.EncodeToString(recorder.order.Sum(nil))
		return o.err
	}
}

// stageListings is stage for a kind of listings, whose rows go to market.duckdb.
func stageListings(ctx context.Context, t *testing.T, kind source.Kind, in source.Input) outcome {
	t.Helper()
	var result outcome
	file := staged.ListingFile{SourceID: in.Source, Path: filepath.Base(in.Path)}
	got, err := listings.StageFile(ctx, filepath.Join(t.TempDir(), listings.File), file, result.record(ctx, kind, in))
	if err != nil && result.err == nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { got.DB.Close() })
	result.db, result.summary.Read, result.summary.Staged = got.DB, got.Read, got.Staged
	for _, i := range got.Issues {
		why := reason.Reason{Code: i.Code, Severity: reason.Severity(i.Severity), Description: i.Description, Detail: i.Detail}
		result.summary.Issues = append(result.summary.Issues, staging.Issue{Reason: why, Rows: i.Rows, Example: i.Example})
	}
	checkReasons(t, kind, result.summary.Issues)
	return result
}

// checkReasons checks that the kind declares what it raises, beside the reasons of the sink.
func checkReasons(t *testing.T, kind source.Kind, issues []staging.Issue) {
	t.Helper()
	declared := slices.Concat(staging.Reasons(), kind.Info().Reasons)
	if slices.Contains(kind.Info().Yields, "listing_record") {
		declared = slices.Concat(listings.Reasons(), kind.Info().Reasons)
	}
	for _, issue := range issues {
		if why := issue.Reason.With(""); !slices.Contains(declared, why) {
			t.Errorf("kind %s raises %s, which is not among its Info().Reasons: %+v", kind.Info().Kind, why, why)
		}
	}
}

// Stage runs kind with a staged file that exists until the end of the test, without a limit of rejected rows. The error
// is that of the kind.
func Stage(t *testing.T, kind source.Kind, in source.Input) (staging.Summary, *duck.DB, error) {
	t.Helper()
	result := stage(t.Context(), t, kind, in)
	return result.summary, result.db, result.err
}

// orderRecorder is a sink that records the order of rows.
type orderRecorder struct {
	source.Sink
	order hash.Hash
}

func (w *orderRecorder) Row(row source.Row) error {
	fmt.Fprintf(w.order, "%T", row)
	writeFields(w.order, reflect.ValueOf(row))
	return w.Sink.Row(row)
}

// writeFields writes the values of a struct's fields, where fmt would print the addresses of pointers.
func writeFields(out io.Writer, row reflect.Value) {
	for field, value := range row.Fields() {
		switch {
		case field.Anonymous:
			writeFields(out, value)
		case value.Kind() == reflect.Pointer && !value.IsNil():
			fmt.Fprintf(out, " %v", value.Elem())
		default:
			fmt.Fprintf(out, " %v", value)
		}
	}
}
