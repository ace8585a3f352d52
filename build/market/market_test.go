package market

import (
	"bytes"
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
	_ "quartier/internal/duck/driver"
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
			{Source: staged.Source{SourceID: "mls", Priority: 0, Kind: "reso", Path: "listings", SHA256: strings.Repeat("ab", 32), Bytes: 9,
				RowsRead: 5, RowsStaged: 4}},
			{Source: staged.Source{SourceID: "a", Priority: 1, Kind: "reso", Path: "sales.csv", SHA256: strings.Repeat("cd", 32), AsOf: "2026-11-01",
				Licence: "CC0-1.0", Attribution: "the county"}},
		},
		Issues: []release.Issue{{Step: released.IngestStep, Issue: staged.Issue{SourceID: "mls", Severity: "rejected", Code: "bad_price",
			Description: "It is not a number.", Rows: 1, Example: "a.csv:7"}}},
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
			{Step: "market", Issue: staged.Issue{Severity: "skipped", Code: "outside", Description: "It is in no geography.", Rows: 2,
				Example: "a.csv:8"}},
		}}, nil
	}
}

func TestComponent(t *testing.T) {
	o := options(t)
	m, err := Write(t.Context(), o)
	must(t, err)
	if m.Counts != (schemas.MarketCounts{Listings: 77, Geographies: 8, Cells: 320}) || len(m.Sources) != 2 || m.Sources[0].ID != "mls" ||
		len(m.Sources[0].Issues) != 1 || len(m.Steps) != 1 || m.AsOf != "2026-11-22" {
		t.Errorf("%+v", m)
	}
	report, err := Verify(t.Context(), o.Out)
	must(t, err)
	if report.Digest != m.Digest || report.Files != 1+3*7 {
		t.Errorf("%+v", report)
	}
	sameRows(t, o.Out)
}

// sameRows compares the Parquet files with those of SQLite, both as SQL sees them.
func sameRows(t *testing.T, dir string) {
	t.Helper()
	parquet, err := duck.Memory()
	must(t, err)
	defer parquet.Close()
	sqlite, err := released.OpenMarket(dir)
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
	a := texts(t, parquet.DB, fmt.Sprintf("SELECT %s FROM read_parquet('%s') ORDER BY geog_id, type, code", strings.Join(names, ","),
		filepath.Join(dir, "market*.parquet")))
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
	if again.Digest != m.Digest || !slices.EqualFunc(again.Files, m.Files,
		func(a, b schemas.ReleaseFile) bool { return a.SHA256 == b.SHA256 }) {
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
	alterOf := func(file, statement string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			db, err := sql.Open("sqlite3", filepath.Join(dir, file))
			must(t, err)
			_, err = db.Exec(statement)
			must(t, err)
			must(t, db.Close())
			restate(t, dir)
		}
	}
	alter := func(statement string) func(t *testing.T, dir string) { return alterOf(schemas.MarketFile, statement) }
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
		"a file is missing": {"market.pack is missing",
			func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, schemas.MarketPack))) }},
		"another file": {"is not a file of",
			func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o644)) }},
		"a file is cut": {"market.parquet has",
			func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, schemas.MarketParquet), 9)) }},
		"a number": {"interval 13-24m is not what the cells of market.pack",
			alter("UPDATE market_cell SET sale_median = 1 WHERE row = (SELECT max(row) FROM market_cell)")},
		"a word": {"interval 13-24m is not what",
			alter("UPDATE market_cell SET market_assessment = 'bad' WHERE row = (SELECT max(row) FROM market_cell)")},
		"a row less": {"is not what the cells of market.pack",
			alter("DELETE FROM market_cell WHERE row = (SELECT max(row) FROM market_cell)")},
		"a row more":            {"is not what the cells of market.pack", alter("INSERT INTO market_cell (row, homes_sold) VALUES (7, 1)")},
		"a byte of the Parquet": {"market.parquet: it is not what", damage(schemas.MarketParquet, 5000)},
		"a byte of the pack":    {"market.pack", damage(schemas.MarketPack, 5000)},
		"a byte of a year":      {"market-2025.pack", damage("market-2025.pack", 5000)},
		"a Parquet of a year":   {"market-2025.parquet: it is not what", damage("market-2025.parquet", 5000)},
		"a year is missing": {"market-2023.sqlite is missing",
			func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "market-2023.sqlite"))) }},
		"a row of a year": {"market-2024.sqlite: interval 2024-09 is not what the cells of market-2024.pack",
			alterOf("market-2024.sqlite",
				"DELETE FROM market_cell WHERE row = (SELECT max(row) FROM market_cell WHERE row < (SELECT first_row FROM interval WHERE code = "+
					"'2024-11'))")},
		"an ID of a year": {"market-2022.sqlite: its geographies",
			alterOf("market-2022.sqlite", "UPDATE geography SET geog_id = 'x' WHERE position = 3")},
		"a year in place": {"market-2023.pack", func(t *testing.T, dir string) {
			must(t, os.Rename(filepath.Join(dir, "market-2024.pack"), filepath.Join(dir, "market-2023.pack")))
			must(t, os.WriteFile(filepath.Join(dir, "market-2024.pack"), nil, 0o644))
			restate(t, dir)
		}},
		"issues":    {"not those of the manifest", alter("UPDATE issue SET rows = 99")},
		"states":    {"sources, issues, states or", alter("DELETE FROM state")},
		"positions": {"positions of geographies", alter("UPDATE geography SET position = 99 WHERE position = 3")},
		"zones":     {"time zones are not those of market.pack", alter("UPDATE geography SET time_zone = 'America/Phoenix' WHERE position = 3")},
		"intervals": {"property \"0 7d", alter("UPDATE interval SET code = '7d' WHERE position = 0")},
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

// history is what is counted on each day of a run of days, as a transformation does: the intervals that move on every day, and
// some closed ones of some geographies where listings were recorded late.
type history struct {
	late map[market.Day]map[uint32][]string // codes, by day and geography
}

// changedOn is the last day on which an interval of a geography was counted differently.
func (h *history) changedOn(asOf market.Day, g uint32, i market.Interval) (on market.Day) {
	for day, of := range h.late {
		if day <= asOf && day > on && slices.Contains(of[g], i.Code) {
			on = day
		}
	}
	return on
}

// compute passes on the statistics of a day, or if an earlier day is known those that differ.
func (h *history) compute(asOf market.Day, whole bool) func(context.Context, market.Day, func(market.Statistics) error) (Summary, error) {
	return func(_ context.Context, earlier market.Day, emit func(market.Statistics) error) (Summary, error) {
		intervals := market.Intervals(asOf)
		for g := range uint32(8) {
			s := market.Statistics{Geography: g}
			if earlier != market.NoDay && !whole {
				s.Computed = make([]bool, len(intervals))
			}
			for of := range market.TypeCount {
				for n, i := range intervals {
					changed := h.changedOn(asOf, g, i)
					if s.Computed != nil {
						if s.Computed[n] = !i.Closed || i.Last >= earlier || changed > earlier; !s.Computed[n] {
							continue
						}
					}
					seed := uint64(firstRow(n, i)) + uint64(of) + uint64(changed)
					if !i.Closed {
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

// days writes components of days with what is kept of those before, beside those from nothing.
type days struct {
	t       *testing.T
	options Options
	work    string
	history *history
}

func newDays(t *testing.T) *days {
	return &days{t: t, options: options(t), work: t.TempDir(), history: &history{late: map[market.Day]map[uint32][]string{}}}
}

// kept is the path of a file that is kept.
func (d *days) kept(name string) string { return filepath.Join(d.work, schemas.KeptFolder, name) }

// write writes a day in both ways, compares the files, and returns the sums of the files of the day and where it is from nothing.
func (d *days) write(asOf market.Day) (m *schemas.MarketManifest, scratch string) {
	d.t.Helper()
	o := d.options
	o.Day, o.Out, o.Compute = asOf, filepath.Join(d.t.TempDir(), "market"), d.history.compute(asOf, true)
	want, err := Write(d.t.Context(), o)
	must(d.t, err)
	scratch, o.Out = o.Out, d.options.Out
	o.Work, o.Compute = d.work, d.history.compute(asOf, false)
	if m, err = Write(d.t.Context(), o); err != nil {
		d.t.Fatalf("%s: %v", asOf, err)
	}
	must(d.t, os.RemoveAll(filepath.Join(d.work, schemas.KeptNext)))
	if m.Digest != want.Digest || m.Counts != want.Counts {
		d.t.Errorf("%s: %+v, from nothing %+v", asOf, m, want)
	}
	for _, name := range append(m.Names(), schemas.ManifestFile) {
		if !bytes.Equal(content(d.t, filepath.Join(o.Out, name)), content(d.t, filepath.Join(scratch, name))) {
			d.t.Errorf("%s: %s is not that from nothing", asOf, name)
		}
	}
	return m, scratch
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// inode is the file that a name stands for.
func inode(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info
}

// flip changes a byte of a file in place; keepTime leaves its time as it was, as a disk does that reads another byte.
func flip(t *testing.T, path string, at int64, keepTime bool) {
	t.Helper()
	info := inode(t, path)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	at = (info.Size() + at) % info.Size()
	b := make([]byte, 1)
	_, err = f.ReadAt(b, at)
	must(t, err)
	_, err = f.WriteAt([]byte{b[0] ^ 0x55}, at)
	must(t, err)
	if keepTime {
		must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
}

// TestDays writes components of days, past the end of a month, each with what is kept of the day before, and compares them
// with those written from nothing. What was kept and is damaged since is written again.
func TestDays(t *testing.T) {
	d := newDays(t)
	damage := func(name string, at int64) func(*testing.T) {
		return func(t *testing.T) { flip(t, d.kept(name), at, false) }
	}
	remove := func(name string) func(*testing.T) {
		return func(t *testing.T) { must(t, os.Remove(d.kept(name))) }
	}
	nothing := func(*testing.T) {}
	for n, before := range []func(*testing.T){nothing, nothing, damage("market-2026.sqlite", -3*pageSize), damage("market-2026.parquet", 5000),
		damage("market-2026.pack", 5000), damage("market-2024.pack", 5000), damage(schemas.MarketPack, 70), damage("market-2025.parquet", -2),
		damage("market-2025.sqlite", 20), damage(sectionsFile, 2), remove("market-2026.sqlite"), remove("market-2022.pack"), nothing} {
		asOf := market.DayOf(2026, 11, 25) + market.Day(n)
		d.history.late[asOf] = map[uint32][]string{3: {"2026-10", "2026Q3"}}
		before(t)
		d.write(asOf)
	}
	_, err := Verify(t.Context(), d.options.Out)
	must(t, err)
	sameRows(t, d.options.Out)
}

// TestRandomDays writes days of random histories, in which some days are left out and listings of any month are recorded late.
// Files of years in which nothing changed are the files of the day before, not copies, and no file of the day before changes.
func TestRandomDays(t *testing.T) {
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 30))
		d := newDays(t)
		asOf := market.DayOf(2026, 11, 20) + market.Day(random.IntN(60))
		before, scratch := d.write(asOf)
		for range 5 {
			last := asOf
			asOf += 1 + market.Day(random.IntN(3)*random.IntN(12))
			intervals, late := market.Intervals(asOf), map[uint32][]string{}
			for range random.IntN(3) {
				late[random.Uint32N(8)] = []string{intervals[random.IntN(len(intervals))].Code, intervals[random.IntN(len(intervals))].Code}
			}
			d.history.late[asOf] = late
			copied := filepath.Join(t.TempDir(), "before")
			must(t, os.Mkdir(copied, 0o755))
			for _, name := range before.Names() { // as a reader of that day has them open
				must(t, os.Link(filepath.Join(d.options.Out, name), filepath.Join(copied, name)))
			}
			m, now := d.write(asOf)
			for _, name := range before.Names() {
				if !bytes.Equal(content(t, filepath.Join(copied, name)), content(t, filepath.Join(scratch, name))) {
					t.Fatalf("%s of %s changed on %s", name, last, asOf)
				}
			}
			for _, year := range m.Years() {
				d.checkLinked(year, last, asOf, copied)
			}
			before, scratch = m, now
		}
		_, err := Verify(t.Context(), d.options.Out)
		must(t, err)
	}
}

// checkLinked checks that the files of a year are those of the day before exactly if none of its intervals changed.
func (d *days) checkLinked(year int, last, asOf market.Day, before string) {
	d.t.Helper()
	of := func(day market.Day) (codes []string) {
		for _, i := range market.Intervals(day) {
			if i.Year() == year {
				codes = append(codes, i.Code)
			}
		}
		return codes
	}
	same := slices.Equal(of(last), of(asOf))
	for day, late := range d.history.late {
		for _, codes := range late {
			same = same && !(day > last && day <= asOf && slices.ContainsFunc(codes, func(c string) bool { return slices.Contains(of(asOf), c) }))
		}
	}
	for _, name := range yearFiles(year) {
		then, err := os.Stat(filepath.Join(before, name))
		if linked := err == nil && os.SameFile(then, inode(d.t, filepath.Join(d.options.Out, name))); linked != same {
			d.t.Errorf("%s of %s after %s: the same file %v, want %v", name, asOf, last, linked, same)
		}
	}
}

// TestWithoutLinks writes days where no file can have a second name: files are copied.
func TestWithoutLinks(t *testing.T) {
	link = func(_, _ string) error { return errors.ErrUnsupported }
	defer func() { link = os.Link }()
	d := newDays(t)
	asOf := market.DayOf(2026, 11, 25)
	for n := range market.Day(3) {
		d.history.late[asOf+n] = map[uint32][]string{2: {"2024-02"}}
		m, _ := d.write(asOf + n)
		for _, name := range m.Names() {
			if kept, err := os.Stat(d.kept(name)); err == nil && os.SameFile(kept, inode(t, filepath.Join(d.options.Out, name))) {
				t.Errorf("%s is linked", name)
			}
		}
		if k := openKept(d.work, "test"); !k.whole(2023) {
			t.Error("the copy of 2023 is not known")
		} else {
			k.close()
		}
	}
	_, err := Verify(t.Context(), d.options.Out)
	must(t, err)
}

// TestVerifyReadsLinkedFiles damages a kept file as a disk does, without another time. The next day takes it as it is where
// nothing of the year changes, which verify finds; where something changes all is computed.
func TestVerifyReadsLinkedFiles(t *testing.T) {
	for _, name := range yearFiles(2024) {
		d := newDays(t)
		asOf := market.DayOf(2026, 11, 25)
		d.write(asOf)
		flip(t, d.kept(name), 3000, true)
		o := d.options
		o.Day, o.Work, o.Compute = asOf+1, d.work, d.history.compute(asOf+1, false)
		_, err := Write(t.Context(), o)
		must(t, err)
		if _, err := Verify(t.Context(), o.Out); !errors.Is(err, verify.ErrUnverified) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, os.RemoveAll(filepath.Join(d.work, schemas.KeptNext)))
		d.history.late[asOf+2] = map[uint32][]string{5: {"2024Q1"}}
		d.write(asOf + 2)
	}
}
