package reso

import (
	"context"
	"fmt"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Values of the option date_order.
const (
	monthFirst = "mdy"
	dayFirst   = "dmy"
)

// dateFields are the fields that are dates or times.
var dateFields = []field{modified, onMarketDate, onMarketAt, listingContractDate, contingentDate, purchaseContractDate, pendingAt,
	offMarketDate,
	offMarketAt, withdrawnDate, cancellationDate, expirationDate, closeDate, priceChangeAt}

// numericDate splits a date with the year at its end, and what follows it: 5/25/2016 into 5, 25 and "/2016".
func numericDate(text string) (first, second int, rest string, ok bool) {
	var parts [2]int
	at := 0
	for n := range parts {
		from := at
		for at < len(text) && at-from < 2 && text[at] >= '0' && text[at] <= '9' {
			parts[n] = parts[n]*10 + int(text[at]-'0')
			at++
		}
		if at == from || at == len(text) || text[at] != '/' && text[at] != '-' {
			return 0, 0, "", false
		}
		if n == 0 {
			at++
		}
	}
	return parts[0], parts[1], text[at:], true
}

// tally is what the values of a column say about the order of day and month.
type tally struct {
	month, day int64  // values that are dates with the month or the day first alone
	open       string // the first value that may be both
}

func (t *tally) add(text string) {
	first, second, _, numeric := numericDate(text)
	switch {
	case !numeric || max(first, second) > 31 || min(first, second) > 12:
	case second > 12:
		t.month++
	case first > 12:
		t.day++
	case first != second && t.open == "":
		t.open = strings.Clone(text)
	}
}

// strayShare is the share of values of the other order up to which they are mistakes.
const strayShare = 0.01

// order is the order that the values have; "" if there are none that decide it. They contradict each other where neither order
// has nearly all of them.
func (t *tally) order() (order string, contradict bool) {
	switch stray := strayShare * float64(t.month+t.day); {
	case t.month+t.day == 0:
		return "", false
	case float64(t.day) <= stray:
		return monthFirst, false
	case float64(t.month) <= stray:
		return dayFirst, false
	}
	return "", true
}

// orders are the orders of day and month of the columns of a file.
type orders [fieldCount]string

// survey reads a file for the orders of its columns: each is decided by all of its values, or by the other columns of the file
// where these agree.
func (m *mapping) survey(ctx context.Context, path string, in source.Input) (*orders, error) {
	tallies, err := m.tallies(ctx, path, in)
	if err != nil {
		return nil, err
	}
	var all tally
	for _, f := range dateFields {
		all.month, all.day = all.month+tallies[f].month, all.day+tallies[f].day
	}
	common, _ := all.order()
	var found orders
	for _, f := range dateFields {
		t := &tallies[f]
		order, contradict := t.order()
		if order == "" && !contradict {
			order = common
		}
		found[f] = order
		switch {
		case contradict:
			return nil, undecided(path, "%d values of %s have the month first and %d the day", t.month, f.name(), t.day)
		case order == "" && t.open != "":
			return nil, undecided(path, "every %s may have the month or the day first, such as %q", f.name(), t.open)
		}
	}
	return &found, nil
}

func undecided(path, format string, args ...any) error {
	return fmt.Errorf("%s: %w: "+format+": set date_order of the source to %s or %s",
		append(append([]any{path, source.ErrBadOptions}, args...), monthFirst, dayFirst)...)
}

// tallies reads the dates of a file.
func (m *mapping) tallies(ctx context.Context, path string, in source.Input) (*[fieldCount]tally, error) {
	read, closing, err := m.reader(ctx, path, in, discard{})
	if err != nil {
		return nil, err
	}
	defer closing()
	var found [fieldCount]tally
	w := m.worker(path, in, nil)
	return &found, read(ctx, func(c *chunk) error {
		for i := range c.size(len(w.cells)) {
			cells := w.cells
			if c.json == nil {
				cells = c.cells[i*len(w.cells) : (i+1)*len(w.cells)]
			} else if w.json.read(c.json[i], cells) != nil {
				continue
			}
			m.values(cells, &w.v)
			for _, f := range dateFields {
				found[f].add(w.v[f])
			}
		}
		return nil
	})
}

// discard is a sink of a file that is read for its dates alone.
type discard struct{}

func (discard) Row(source.Row) error        { return nil }
func (discard) Part(string)                 {}
func (discard) Read(int)                    {}
func (discard) Issue(reason.Reason, string) {}

// date is the text of a date or time with the month before the day.
func (d *decoder) date(f field) string {
	text := d.v[f]
	first, second, rest, numeric := numericDate(text)
	if !numeric || first == second {
		return text
	}
	order := d.DateOrder
	if order == "" {
		found, err := d.orders()
		if err != nil {
			d.failed = err
			return ""
		}
		order = found[f]
	}
	if order != dayFirst {
		return text
	}
	d.note(dayBeforeMonth.With(f.name()), f)
	return fmt.Sprintf("%d/%d%s", second, first, strings.Replace(rest, "-", "/", 1))
}
