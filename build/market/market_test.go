package market

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quartier/build/publish"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/schemas/release"
	"quartier/schemas/staged"
	"quartier/serve/servetest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var day = market.DayOf(2026, 11, 22)

// options are those of a component of generated statistics beside a small release.
func options(t testing.TB) Options {
	places := filepath.Join(t.TempDir(), "places")
	_, err := servetest.Write(places, servetest.Release{})
	must(t, err)
	return Options{
		Out: filepath.Join(t.TempDir(), "market"), Places: places, Day: day, ToolVersion: "test",
		Sources: []release.Source{
			{Source: staged.Source{SourceID: "mls", Priority: 0, Kind: "reso", Path: "listings", SHA256: strings.Repeat("ab", 32), Bytes: 9, RowsRead: 5, RowsStaged: 4}},
			{Source: staged.Source{SourceID: "a", Priority: 1, Kind: "reso", Path: "sales.csv", SHA256: strings.Repeat("cd", 32), AsOf: "2026-11-01", Licence: "CC0-1.0", Attribution: "the county"}},
		},
		Issues:  []release.Issue{{Step: released.IngestStep, Issue: staged.Issue{SourceID: "mls", Severity: "rejected", Code: "bad_price", Description: "It is not a number.", Rows: 1, Example: "a.csv:7"}}},
		Compute: generate(3, 40),
	}
}

// generate passes on statistics of geographies from first on.
func generate(first, count int) func(context.Context, market.Day, func(market.Statistics) error) (Summary, error) {
	return func(_ context.Context, _ market.Day, emit func(market.Statistics) error) (Summary, error) {
		random := rand.New(rand.NewPCG(1, 2))
		for g := range min(count, 8) {
			s := market.Statistics{Geography: uint32(first + g)}
			for n := range count {
				c := market.Cell{Type: market.PropertyType(n * 9 / count), Interval: uint8(n % 87)}
				for m := range c.Values {
					c.Values[m] = random.Int64N(1 << random.IntN(30))
					if m == int(market.ActiveMedianAge) || m > int(market.Sold)+1 && random.IntN(3) == 0 {
						c.Values[m] = market.Absent
					}
				}
				c.Values[market.Assessment] = random.Int64N(3)
				c.Values[market.MedianPercentDifference] = -random.Int64N(10000)
				s.Cells = append(s.Cells, c)
			}
			if err := emit(s); err != nil {
				return Summary{}, err
			}
		}
		return Summary{Listings: 77, States: []string{"US_VT"}, Notes: []string{"a note"}, Issues: []release.Issue{
			{Step: "market", Issue: staged.Issue{Severity: "skipped", Code: "outside", Description: "It is in no geography.", Rows: 2, Example: "a.csv:8"}},
		}}, nil
	}
}

func TestComponent(t *testing.T) {
	o := options(t)
	m, err := Write(t.Context(), o)
	must(t, err)
	if m.Counts != (schemas.MarketCounts{Listings: 77, Geographies: 8, Cells: 320}) || len(m.Sources) != 2 || m.Sources[0].ID != "mls" || len(m.Sources[0].Issues) != 1 || len(m.Steps) != 1 || m.AsOf != "2026-11-22" {
		t.Errorf("%+v", m)
	}
	report, err := Verify(t.Context(), o.Out)
	must(t, err)
	if report.Digest != m.Digest || report.Files != 4 {
		t.Errorf("%+v", report)
	}
	sameRows(t, o.Out)
}

// sameRows compares market.parquet with market.sqlite, both as SQL sees them.
func sameRows(t *testing.T, dir string) {
	t.Helper()
	parquet, err := duck.Memory()
	must(t, err)
	defer parquet.Close()
	sqlite, err := released.Open(filepath.Join(dir, schemas.MarketFile))
	must(t, err)
	defer sqlite.Close()
	names := []string{"geog_id", "type", "code", "CAST(first_day AS VARCHAR)", "CAST(last_day AS VARCHAR)"}
	theirs := []string{"geog_id", "type", "market_stat.code", "first_day", "last_day"}
	for m := range market.MetricCount {
		cast := fmt.Sprintf("CAST(%s AS DOUBLE)", m)
		if m == market.Assessment {
			cast = m.String()
		}
		names, theirs = append(names, cast), append(theirs, strings.Replace(cast, "DOUBLE", "REAL", 1))
	}
	a := texts(t, parquet.DB, fmt.Sprintf("SELECT %s FROM read_parquet('%s') ORDER BY geog_id, type, code", strings.Join(names, ","), filepath.Join(dir, schemas.MarketParquet)))
	b := texts(t, sqlite, "SELECT "+strings.Join(theirs, ",")+" FROM market_stat JOIN interval USING (code) ORDER BY geog_id, type, code")
	if len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("%d rows of parquet, %d of sqlite\n%s\n%s", len(a), len(b), a[0], b[0])
	}
}

func texts(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	must(t, released.Each(t.Context(), db, query, nil, func(rows *sql.Rows) error {
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return err
		}
		for i := range values {
			values[i] = *values[i].(*any)
		}
		all = append(all, fmt.Sprint(values...))
		return nil
	}))
	return all
}

// TestSameBytes writes a component on one processor and on several.
func TestSameBytes(t *testing.T) {
	o := options(t)
	m, err := Write(t.Context(), o)
	must(t, err)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, err := Write(t.Context(), o)
	must(t, err)
	if again.Digest != m.Digest || !slices.EqualFunc(again.Files, m.Files, func(a, b schemas.ReleaseFile) bool { return a.SHA256 == b.SHA256 }) {
		t.Errorf("%+v\n%+v", again.Files, m.Files)
	}
}

// TestFailureKeepsYesterday fails in the middle of the computation.
func TestFailureKeepsYesterday(t *testing.T) {
	o := options(t)
	m, err := Write(t.Context(), o)
	must(t, err)
	broken := errors.New("broken")
	for want, compute := range map[error]func(context.Context, market.Day, func(market.Statistics) error) (Summary, error){
		broken: func(ctx context.Context, earlier market.Day, emit func(market.Statistics) error) (Summary, error) {
			_, err := generate(3, 5)(ctx, earlier, emit)
			return Summary{Listings: 1}, errors.Join(err, broken)
		},
		ErrNoListings: func(context.Context, market.Day, func(market.Statistics) error) (Summary, error) {
			return Summary{}, nil
		},
	} {
		o.Compute, o.Day = compute, day+1
		if _, err := Write(t.Context(), o); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		left, err := schemas.ReadMarketManifest(o.Out)
		must(t, err)
		if left.Digest != m.Digest {
			t.Errorf("%s was replaced", left.Digest)
		}
		entries, err := os.ReadDir(filepath.Dir(o.Out))
		must(t, err)
		if len(entries) != 1 {
			t.Errorf("left over: %v", entries)
		}
	}
	o.Out = o.Places
	if _, err := Write(t.Context(), o); !errors.Is(err, publish.ErrExists) {
		t.Errorf("in place of places: %v", err)
	}
}

// TestVerifyFindsChanges changes a component in ways that Verify must find.
func TestVerifyFindsChanges(t *testing.T) {
	o := options(t)
	_, err := Write(t.Context(), o)
	must(t, err)
	// restate makes the manifest that of the files as they are.
	restate := func(t *testing.T, dir string) {
		m, err := schemas.ReadMarketManifest(dir)
		must(t, err)
		for i := range m.Files {
			m.Files[i], err = released.Describe(t.Context(), filepath.Join(dir, m.Files[i].Name), m.Files[i].Name)
			must(t, err)
		}
		m.Digest, err = m.ComputeDigest()
		must(t, err)
		data, err := m.Encode()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), data, 0o644))
	}
	alter := func(statement string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			db, err := sql.Open("sqlite3", filepath.Join(dir, schemas.MarketFile))
			must(t, err)
			_, err = db.Exec(statement)
			must(t, err)
			must(t, db.Close())
			restate(t, dir)
		}
	}
	damage := func(name string, at int64) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
			must(t, err)
			_, err = f.WriteAt([]byte{0xff}, at)
			must(t, err)
			must(t, f.Close())
			restate(t, dir)
		}
	}
	for name, c := range map[string]struct {
		want   string
		change func(t *testing.T, dir string)
	}{
		"a file is missing":     {"market.pack is missing", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, schemas.MarketPack))) }},
		"another file":          {"is not a file of", func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o644)) }},
		"a file is cut":         {"market.parquet has", func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, schemas.MarketParquet), 9)) }},
		"a number":              {"interval 13-24m is not what the cells of market.pack", alter("UPDATE market_cell SET sale_median = 1 WHERE row = (SELECT max(row) FROM market_cell)")},
		"a word":                {"interval 13-24m is not what", alter("UPDATE market_cell SET market_assessment = 'bad' WHERE row = (SELECT max(row) FROM market_cell)")},
		"a row less":            {"is not what the cells of market.pack", alter("DELETE FROM market_cell WHERE row = (SELECT max(row) FROM market_cell)")},
		"a row more":            {"is not what the cells of market.pack", alter("INSERT INTO market_cell (row, homes_sold) VALUES (7, 1)")},
		"a byte of the Parquet": {"market.parquet: it is not what", damage(schemas.MarketParquet, 5000)},
		"a byte of the pack":    {"market.pack", damage(schemas.MarketPack, 5000)},
		"issues":                {"not those of the manifest", alter("UPDATE issue SET rows = 99")},
		"states":                {"sources, issues, states or", alter("DELETE FROM state")},
		"positions":             {"positions of geographies", alter("UPDATE geography SET position = 99 WHERE position = 3")},
		"zones":                 {"time zones are not those of market.pack", alter("UPDATE geography SET time_zone = 'America/Phoenix' WHERE position = 3")},
		"intervals":             {"property \"0 7d", alter("UPDATE interval SET code = '7d' WHERE position = 0")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "market")
			must(t, os.CopyFS(dir, os.DirFS(o.Out)))
			c.change(t, dir)
			if _, err := Verify(t.Context(), dir); !errors.Is(err, verify.ErrUnverified) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// nextDay passes on statistics that differ from those of the day before in the intervals that move and in some cells of one
// geography: all, or if an earlier day is known those that differ.
func nextDay(asOf market.Day, whole bool) func(context.Context, market.Day, func(market.Statistics) error) (Summary, error) {
	return func(_ context.Context, earlier market.Day, emit func(market.Statistics) error) (Summary, error) {
		intervals := market.Intervals(asOf)
		for g := range uint32(8) {
			s := market.Statistics{Geography: g}
			if earlier != market.NoDay && !whole {
				s.Computed = make([]bool, len(intervals))
			}
			for of := range market.TypeCount {
				for n, i := range intervals {
					late := g == 3 && strings.HasPrefix(i.Code, "2026-1") // with sales that were recorded late
					if s.Computed != nil {
						if s.Computed[n] = !i.Closed || late || i.Last > earlier; !s.Computed[n] {
							continue
						}
					}
					seed := uint64(firstRow(n, i)) + uint64(of)
					if !i.Closed || late {
						seed += uint64(asOf)
					}
					random := rand.New(rand.NewPCG(seed, uint64(g)))
					c := market.Cell{Type: of, Interval: uint8(n)}
					for m := range c.Values {
						c.Values[m] = random.Int64N(1 << 20)
					}
					c.Values[market.Assessment] = random.Int64N(3)
					if random.IntN(3) > 0 {
						s.Cells = append(s.Cells, c)
					}
				}
			}
			if err := emit(s); err != nil {
				return Summary{}, err
			}
		}
		return Summary{Listings: 5, States: []string{"US_VT"}}, nil
	}
}

// TestDays writes components of days, past the end of a month, each with what is kept of the day before, and compares them
// with those written from nothing. What was kept and is damaged since is written again.
func TestDays(t *testing.T) {
	o := options(t)
	work, kept := t.TempDir(), ""
	damage := func(name string, at int64) func(t *testing.T) {
		return func(t *testing.T) {
			f, err := os.OpenFile(filepath.Join(kept, name), os.O_RDWR, 0)
			must(t, err)
			defer f.Close()
			info, err := f.Stat()
			must(t, err)
			_, err = f.WriteAt([]byte{0xff}, (info.Size()+at)%info.Size())
			must(t, err)
		}
	}
	kept = filepath.Join(work, schemas.KeptFolder)
	nothing := func(*testing.T) {}
	for n, before := range []func(*testing.T){nothing, nothing, damage(schemas.MarketFile, -3*pageSize), damage(schemas.MarketParquet, 5000),
		damage(schemas.MarketPack, 5000), damage(schemas.MarketParquet, -2), damage(sectionsFile, 2), func(t *testing.T) { must(t, os.Remove(filepath.Join(kept, schemas.MarketFile))) }, nothing} {
		o.Day = market.DayOf(2026, 11, 27) + market.Day(n)
		scratch := o
		scratch.Out, scratch.Compute = filepath.Join(t.TempDir(), "market"), nextDay(o.Day, true)
		want, err := Write(t.Context(), scratch)
		must(t, err)
		before(t)
		o.Work, o.Compute = work, nextDay(o.Day, false)
		got, err := Write(t.Context(), o)
		must(t, err)
		if got.Digest != want.Digest {
			t.Errorf("day %d: %+v, from nothing %+v", n, got, want)
		}
		must(t, os.RemoveAll(filepath.Join(work, schemas.KeptNext)))
	}
	_, err := Verify(t.Context(), o.Out)
	must(t, err)
	sameRows(t, o.Out)
}
