package sourcetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	difference "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/internal/duck"
)

// checkRows compares the staged rows with the case and returns the tables with rows.
func checkRows(t *testing.T, got outcome, c Case) map[string]bool {
	if got.err != nil {
		t.Fatal(got.err)
	}
	if c.Read != 0 && got.summary.Read != c.Read {
		t.Errorf("read %d rows, want %d", got.summary.Read, c.Read)
	}
	if got.summary.Staged == 0 {
		t.Error("nothing was staged")
	}
	issues, want := map[string]int64{}, c.Issues
	if want == nil {
		want = map[string]int64{}
	}
	for _, issue := range got.summary.Issues {
		if _, all := want[issue.Code]; all {
			issues[issue.Code] += issue.Rows
		} else {
			issues[issue.Reason.String()] = issue.Rows
		}
		if issue.Example == "" {
			t.Errorf("issue %s has no example", issue.Reason)
		}
	}
	if diff := difference.Diff(want, issues); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
	for query, answer := range c.Rows {
		if diff := difference.Diff(answer, Ask(t, got.db, query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	if c.Check != nil {
		c.Check(t, got.db)
	}
	filled := map[string]bool{}
	tables := stagedTables
	if Ask(t, got.db, "SELECT count(*) > 0 FROM duckdb_tables() WHERE table_name = 'listing_record'") == "true" {
		tables = listingTables
	}
	for _, table := range tables {
		if Ask(t, got.db, "SELECT count(*) > 0 FROM "+table) == "true" {
			filled[table] = true
		}
	}
	return filled
}

// stagedTables are the tables that a kind can fill.
var stagedTables = []string{
	"boundary", "poi", "brand_rule", "street", "feature", "ground", "timetable", "line_list", "stop", "route", "route_shape", "stop_service",
	"schedule", "schedule_stop", "schedule_route", "schedule_service", "schedule_pattern", "schedule_trip", "schedule_headway",
	"schedule_transfer",
	"elevation_tile", "land_cover_tile", "block", "home", "job", "address", "address_range",
	"bikeway", "traffic_count", "survey", "statistic", "zone", "home_value",
	"further_name", "gazetteer_place", "correction",
	"school", "catchment", "school_rating",
}

// listingTables are those of market.duckdb.
var listingTables = []string{"listing_record", "change_record"}

// Ask runs a query and returns its result in the form of Case.Rows.
func Ask(t *testing.T, db *duck.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		texts := make([]string, len(values))
		for i, value := range values {
			if value == nil {
				value = "∅"
			}
			texts[i] = fmt.Sprint(value)
		}
		lines = append(lines, strings.Join(texts, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return strings.Join(lines, "\n")
}

// checkPreflight checks that Check finds no fault in the case, the faults of a missing file and of an unknown option at
// once, and an empty file.
func checkPreflight(t *testing.T, kind source.Kind, c Case) {
	leak := goleak.IgnoreCurrent()
	in := c.input(t, c.Path)
	if err := kind.Check(t.Context(), in); err != nil {
		t.Errorf("Check finds a fault in a file that is read: %v", err)
	}
	in.Path = filepath.Join(t.TempDir(), "no-such-"+filepath.Base(c.Path))
	in.Options = withUnknownOption(in.Options)
	err := kind.Check(t.Context(), in)
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, source.ErrBadOptions) || !strings.Contains(err.Error(), "no_such_option") {
		t.Errorf("error %v, want those of an unknown option and of a missing file", err)
	}
	if info, err := os.Stat(c.Path); err == nil && !info.IsDir() {
		in.Path, in.Options = c.copied(t, 0), Options(t, c.Options)
		if err := kind.Check(t.Context(), in); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), filepath.Base(c.Path)) {
			t.Errorf("error %v of an empty file, want one that wraps source.ErrBadFile and names it", err)
		}
	}
	goleak.VerifyNone(t, leak)
}

// checkSameTwice compares the rows of the first staging, with all processors, with those of another with one.
func checkSameTwice(t *testing.T, first outcome, kind source.Kind, c Case) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	second := stage(t.Context(), t, kind, c.input(t, c.Path))
	if err := cmp.Or(first.err, second.err); err != nil {
		t.Fatal(err)
	}
	if first.order != second.order {
		t.Error("the order of rows differs")
	}
	if first.digest(t) != second.digest(t) {
		t.Error("the digest differs")
	}
}

// digest is that of all tables.
func (o *outcome) digest(t *testing.T) string {
	t.Helper()
	tables, err := duck.Digest(t.Context(), o.db)
	if err != nil {
		t.Fatal(err)
	}
	tables = slices.DeleteFunc(tables, func(d duck.TableDigest) bool { return d.Table == "layout" }) // of market.duckdb, with its random name
	return duck.Sum(tables)
}

// checkTruncated stages truncated copies of the file.
func checkTruncated(t *testing.T, kind source.Kind, c Case) {
	if c.AnyLength != "" {
		t.Skip("skipped: " + c.AnyLength)
	}
	for _, share := range []float64{0.1, 0.5, 0.9} {
		checkBadFile(t, kind, c, share)
	}
}

func checkEmpty(t *testing.T, kind source.Kind, c Case) { checkBadFile(t, kind, c, 0) }

// checkBadFile checks that a copy with a share of the bytes gives an error of the file.
func checkBadFile(t *testing.T, kind source.Kind, c Case, share float64) {
	t.Helper()
	path := c.copied(t, share)
	err := read(t.Context(), t, kind, c.input(t, path), nil)
	if !errors.Is(err, source.ErrBadFile) {
		t.Errorf("with %.0f %% of the file: error %v does not wrap source.ErrBadFile", 100*share, err)
		return
	}
	if !strings.Contains(err.Error(), filepath.Base(path)) {
		t.Errorf("with %.0f %% of the file: the error does not name the file: %v", 100*share, err)
	}
}

// copied writes a share of the file's bytes to a new folder, with complete copies of the files of the same name with
// other extensions.
func (c Case) copied(t *testing.T, share float64) string {
	t.Helper()
	info, err := os.Stat(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		t.Skip("skipped: the source is a folder")
	}
	folder := t.TempDir()
	stem := strings.TrimSuffix(c.Path, filepath.Ext(c.Path))
	parts, err := filepath.Glob(stem + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range append(parts, c.Path) {
		data, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		if part == c.Path {
			data = data[:int(float64(len(data))*share)]
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(part)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, filepath.Base(c.Path))
}

func checkMissing(t *testing.T, kind source.Kind, c Case) {
	path := filepath.Join(t.TempDir(), "no-such-"+filepath.Base(c.Path))
	err := read(t.Context(), t, kind, c.input(t, path), nil)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Base(path)) {
		t.Errorf("error %v, want one that %s does not exist", err, filepath.Base(path))
	}
}

func checkCancelledBefore(t *testing.T, kind source.Kind, c Case) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows := 0
	err := read(ctx, t, kind, c.input(t, c.Path), func() { rows++ })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v is not the context's", err)
	}
	if rows != 0 {
		t.Errorf("%d rows came nevertheless", rows)
	}
}

// checkCancelledDuring cancels at the first row and checks that no other row follows.
func checkCancelledDuring(t *testing.T, kind source.Kind, c Case) {
	leak := goleak.IgnoreCurrent()
	t.Run("stage", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		rows := 0
		err := read(ctx, t, kind, c.input(t, c.Path), func() {
			rows++
			cancel()
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v is not the context's", err)
		}
		if rows != 1 {
			t.Errorf("%d rows followed", rows-1)
		}
	})
	goleak.VerifyNone(t, leak)
}

// checkUnknownOption checks that an option that no kind has is refused.
func checkUnknownOption(t *testing.T, kind source.Kind, c Case) {
	in := c.input(t, c.Path)
	in.Options = withUnknownOption(in.Options)
	err := read(t.Context(), t, kind, in, nil)
	if err == nil || !strings.Contains(err.Error(), "no_such_option") {
		t.Errorf("error %v does not name the unknown option", err)
	}
}

func withUnknownOption(options yaml.Node) yaml.Node {
	if options.IsZero() {
		options = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	options.Content = append(slices.Clone(options.Content),
		&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "no_such_option"},
		&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "1"})
	return options
}
