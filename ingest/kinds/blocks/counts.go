package blocks

import (
	"context"
	"math"
	"strconv"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// figures are the counts of a block; nil: not published.
type figures struct {
	population, dwellings, households *int64
	landM2                            *float64
}

// counts are the rows of a table of counts by the key of their block. All are kept in memory.
type counts struct {
	rows        map[string]figures
	used        map[string]bool
	conflicting map[string]bool // keys of inconsistent rows, which are not in rows
	unjoined    int             // blocks without a row
	conflicts   int             // blocks of these whose rows are inconsistent
}

func (c *counts) unused() int { return len(c.rows) - len(c.used) }

// people returns the population of all rows, and of the rows without a block.
func (c *counts) people() (all, unused int64) {
	for key, row := range c.rows {
		if row.population == nil {
			continue
		}
		all += *row.population
		if !c.used[key] {
			unused += *row.population
		}
	}
	return all, unused
}

// openCounts opens the table of counts and returns the column of the key.
func openCounts(path string, o Options) (t *table.Table, key int, err error) {
	if t, err = table.Open(path, table.Dialect{Header: o.CountsKey}); err != nil {
		return nil, 0, err
	}
	var missing []string
	for _, names := range []source.List{o.CountsKey, o.Population, o.Dwellings, o.Households} {
		if len(names) > 0 && t.First(names...) < 0 {
			missing = append(missing, strings.Join(names, " or "))
		}
	}
	if len(missing) > 0 {
		t.Close()
		return nil, 0, source.BadFile(path, "no column %s; there are: %s", strings.Join(missing, ", nor "), strings.Join(t.Columns, ", "))
	}
	return t, t.First(o.CountsKey...), nil
}

// readCounts reads the table of counts.
func readCounts(ctx context.Context, path string, o Options, out source.Sink) (*counts, error) {
	t, key, err := openCounts(path, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	c := &counts{rows: map[string]figures{}, used: map[string]bool{}}
	columns := [5]int{}
	for i, names := range o.columns() {
		columns[i] = t.First(names...)
	}
	meanings := map[int]table.Meaning{}
	for i, column := range columns {
		if meanings[column] = table.WholeNumber; i >= firstLand {
			meanings[column] = table.AnyNumber
		}
	}
	delete(meanings, -1)
	if err := t.FindNumbers(ctx, meanings, o.Decimal); err != nil {
		return nil, err
	}
	number := func(i int) string {
		if n, ok := t.Number(columns[i]); ok {
			return strconv.FormatFloat(n, 'f', -1, 64)
		}
		return t.Text(columns[i])
	}
	err = t.Each(ctx, out, func() error {
		here := t.Here()
		id := t.Text(key)
		_, twice := c.rows[id]
		switch {
		case id == "":
			out.Issue(source.MissingKey, here)
		case t.TooLong():
			out.Issue(source.WrongFieldCount, here)
		case twice:
			out.Issue(source.DuplicateKey, here)
		default:
			c.rows[id] = figuresOf(number, out, here)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.filled(path)
}

func (c *counts) filled(path string) (*counts, error) {
	switch {
	case len(c.rows) == 0 && len(c.conflicting) > 0:
		return nil, source.BadFile(path, "the counts of its %d blocks differ from those of the geographic header: %s", len(c.conflicting),
			twoReleases)
	case len(c.rows) == 0:
		return nil, source.BadFile(path, "it has no counts")
	}
	return c, nil
}

const twoReleases = "are the files of two states or releases?"

// of returns the counts of a block.
func (c *counts) of(key string) (figures, bool) {
	found, known := c.rows[key]
	if known {
		c.used[key] = true
	} else {
		c.unjoined++
		if c.conflicting[key] {
			c.conflicts++
		}
	}
	return found, known
}

// figuresOf parses counts; value returns the text of a column by its index in Options.columns. Invalid ones are removed
// and counted as issues.
func figuresOf(value func(i int) string, out source.Sink, here string) figures {
	f := figures{population: count(value(0), out, here), dwellings: count(value(1), out, here), households: count(value(2), out, here)}
	f.checkHouseholds(out, here)
	for i, unit := range [...]float64{1, 1e6} {
		text := value(firstLand + i)
		if text == "" {
			continue
		}
		area, ok := table.ParseNumber([]byte(text), '.')
		if !ok {
			out.Issue(landAreaRemoved, here)
			continue
		}
		area *= unit
		f.landM2 = &area
	}
	return f
}

// checkHouseholds removes the households where there are more than dwellings.
func (f *figures) checkHouseholds(out source.Sink, here string) {
	if f.households != nil && f.dwellings != nil && *f.households > *f.dwellings {
		out.Issue(householdsRemoved, here)
		f.households = nil
	}
}

// count parses a count; an invalid one is removed and counted as an issue.
func count(text string, out source.Sink, here string) *int64 {
	n, ok := wholeNumber(text)
	if !ok {
		out.Issue(countRemoved, here)
	}
	return n
}

// wholeNumber parses 1234, 1,234 and 1234.0; nil for an empty text, and false for an invalid one.
func wholeNumber(text string) (n *int64, ok bool) {
	if text == "" {
		return nil, true
	}
	const most = 1 << 53 // that a float64 holds exactly
	value, ok := table.ParseNumber([]byte(text), '.')
	if !ok || value != math.Trunc(value) || math.Abs(value) > most {
		return nil, false
	}
	whole := int64(value)
	return &whole, true
}
