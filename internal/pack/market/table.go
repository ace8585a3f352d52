package market

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/schemas/market"
)

// Table answers look-ups from mapped files. It is safe for concurrent use until a file is closed.
type Table struct {
	day       []int64  `pack:"market.day 1"`
	states    []string `pack:"market.state"`
	zones     []string `pack:"market.zone"`
	zoneOf    []uint8  `pack:"market.zone.of"`
	intervals []market.Interval
	parts     []part
	places    []place    // of the intervals
	volumes   []table    // by part
	standard  []int      // indexes of the intervals that an answer has where none are asked for
	heads     [][]string // JSON of the code and period of an interval, by zone and interval
	whole     *whole     // of an earlier layout, in place of parts and places; nil: none
}

// table is the cells of a part of the intervals, in a file.
type table struct {
	file  *pack.File // nil: not added yet
	cells pack.Lists[uint8]
	count int64
}

// Open opens the table in f, the file of the intervals that move; those of Years are added then. It fails if the file has other
// metrics than this version of the program, or a time zone that is not known. All but the states and the zones stays in the
// mapped files.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary("market.metric", words())
	t := &Table{}
	l.Fill(t, "", nil)
	moving := table{file: f}
	if t.whole = loadWhole(l, len(t.zoneOf)); t.whole == nil {
		moving.cells = pack.LoadLists[uint8](l, "market.cells", len(t.zoneOf))
	}
	if l.Err() != nil {
		return nil, l.Err()
	}
	first, last := market.DayOf(1900, 1, 1), market.DayOf(2200, 1, 1)
	if day := t.day[0]; day < int64(first) || day > int64(last) {
		l.Fail("section %q: day %d", "market.day", day)
		return nil, l.Err()
	}
	t.intervals = market.Intervals(t.Day())
	t.volumes = []table{moving}
	if t.whole == nil {
		t.parts, t.places = partsOf(t.intervals)
		t.volumes = append(t.volumes, make([]table, len(t.parts)-1)...)
	}
	for _, i := range market.Default(t.intervals) {
		t.standard = append(t.standard, slices.Index(t.intervals, i))
	}
	for _, zone := range t.zones {
		heads, err := headsOf(zone, t.intervals)
		if err != nil {
			l.Fail("section %q: %v", "market.zone", err)
			return nil, l.Err()
		}
		t.heads = append(t.heads, heads)
	}
	return t, nil
}

// Years are the years whose files AddYear adds.
func (t *Table) Years() []int {
	if t.whole != nil {
		return nil
	}
	return market.Years(t.intervals)
}

// AddYear adds the file of a year. It fails if it is of another one, or has other geographies.
func (t *Table) AddYear(year int, f *pack.File) error {
	l := pack.NewLoader(f)
	l.CheckVocabulary("market.metric", words())
	of, count := pack.Load[int64](l, "market.year", 1), pack.Load[int64](l, "market.count", 1)
	cells := pack.LoadLists[uint8](l, "market.cells", t.Len())
	if l.Err() == nil && of[0] != int64(year) {
		l.Fail("section %q: year %d, not %d", "market.year", of[0], year)
	}
	if l.Err() != nil {
		return l.Err()
	}
	n := slices.IndexFunc(t.parts, func(p part) bool { return p.year == year })
	t.volumes[n] = table{f, cells, count[0]}
	return nil
}

// OpenFolder opens the table of a component in a folder. The files are closed by close, also after an error.
func OpenFolder(dir string) (t *Table, close func(), err error) {
	var files []*pack.File
	close = func() {
		for _, f := range files {
			f.Close()
		}
	}
	open := func(year int) (*pack.File, error) {
		f, err := pack.Open(filepath.Join(dir, schemas.MarketYear(schemas.MarketPack, year)))
		if err == nil {
			files = append(files, f)
		}
		return f, err
	}
	f, err := open(0)
	if err == nil {
		t, err = Open(f)
	}
	for n := 0; err == nil && n < len(t.Years()); n++ {
		year := t.Years()[n]
		if f, err = open(year); err == nil {
			err = t.AddYear(year, f)
		}
	}
	return t, close, err
}

// Forget gives memory back like pack.File.Forget.
func (t *Table) Forget() error {
	for _, v := range t.volumes {
		if err := v.file.Forget(); err != nil {
			return err
		}
	}
	return nil
}

// Verify verifies the files (pack.File.Verify).
func (t *Table) Verify() error {
	for _, v := range t.volumes {
		if err := v.file.Verify(); err != nil {
			return err
		}
	}
	return nil
}

// Day is the day of the data.
func (t *Table) Day() market.Day { return market.Day(t.day[0]) }

// Intervals are the intervals of the data.
func (t *Table) Intervals() []market.Interval { return t.intervals }

// Default are the indexes of the intervals that an answer has where none are asked for.
func (t *Table) Default() []int { return t.standard }

// Len is the number of geographies.
func (t *Table) Len() int { return len(t.zoneOf) }

// HasState reports whether there are listings in a state, "US_OR".
func (t *Table) HasState(code string) bool {
	_, found := slices.BinarySearch(t.states, code)
	return found
}

// States are the states with listings, sorted.
func (t *Table) States() []string { return t.states }

// Zone is the time zone of geography i; "" if it has none.
func (t *Table) Zone(i int) string {
	if z := int(t.zoneOf[i]); z < len(t.zones) {
		return t.zones[z]
	}
	return ""
}

// Find sets row to the cells of geography i and a type. What a damaged file has is as if it were not there.
func (t *Table) Find(i int, of market.PropertyType, row *Row) {
	row.table, row.geography, row.of, row.known = t, i, of, [maxParts]bool{}
	row.heads = nil
	if z := int(t.zoneOf[i]); z < len(t.heads) {
		row.heads = t.heads[z]
	}
}

// Check checks that the lists are those that a Writer makes of their cells, and counts geographies and cells. It calls step
// before each geography.
func (t *Table) Check(step func(geography int) error) (geographies, cells int64, err error) {
	w := new(Writer)
	s, row, counted := new(market.Statistics), new(Row), make([]int64, len(t.parts))
	for g := range t.Len() {
		if err := step(g); err != nil {
			return 0, 0, err
		}
		*s = market.Statistics{Geography: uint32(g), Cells: s.Cells[:0]}
		for of := range market.TypeCount {
			t.Find(g, of, row)
			for i := range IntervalCount {
				c := market.Cell{Type: of, Interval: uint8(i)}
				if row.Values(i, &c.Values) {
					s.Cells = append(s.Cells, c)
				}
			}
		}
		for n := range t.parts {
			list, count, err := w.listOf(&t.parts[n], s)
			if err == nil && !bytes.Equal(list, t.volumes[n].cells.At(g)) {
				err = fmt.Errorf("%w: %s is not what its numbers result in", pack.ErrDamaged, filepath.Base(t.volumes[n].file.Path()))
			}
			if err != nil {
				return 0, 0, fmt.Errorf("market statistics of geography %d: %w", g, err)
			}
			counted[n] += count
			cells += count
		}
		if len(s.Cells) > 0 {
			geographies++
		}
	}
	for n := range t.parts {
		if v := &t.volumes[n]; n > 0 && v.count != counted[n] {
			return 0, 0, fmt.Errorf("%w: %s has %d cells, not %d", pack.ErrDamaged, filepath.Base(v.file.Path()), counted[n], v.count)
		}
	}
	return geographies, cells, nil
}
