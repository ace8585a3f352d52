package listings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/schemas"
)

// ErrFewer is returned for a source that has far fewer rows than at the intake before, which nobody accepted.
var ErrFewer = errors.New("a gate holds the listings back")

// mostLost is the share of the rows of a source that may be gone since the intake before. A file that a publisher replaces
// each day is far shorter only when it is broken off, or when its columns or options are others.
const mostLost = 0.2

// rowsGate is the gate of the rows of a source, by which it is accepted.
const rowsGate = "rows"

// judged are the columns whose values are counted, by table; * is the rows. A column that is not there any more, or whose values
// cannot be read, loses them all.
var judged = map[string][]string{
	"change_record": {"*"},
	"listing_record": {"*", "on_day", "on_at", "listed_day", "contract_day", "pending_at", "off_day", "close_day", "list_price", "close_price",
		"living_area_sqft",
		"parcel", "address", "postal_code", "lng"},
}

// checkRows refuses a source of which more than a fifth of the rows, of the values of a column or of the keys is gone.
func (t *taking) checkRows() error {
	for i := range t.options.Sources {
		id := t.options.Sources[i].SourceID
		if !t.replaced(id) {
			continue
		}
		for _, table := range slices.Sorted(maps.Keys(judged)) {
			if err := t.checkTable(id, table); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaced reports whether so much of a source is replaced that it may have lost more than a fifth.
func (t *taking) replaced(id string) bool {
	var all, gone int64
	for _, f := range t.known {
		if f.SourceID == id {
			all += f.RowsStaged
			if slices.Contains(t.gone, f.FileID) {
				gone += f.RowsStaged
			}
		}
	}
	return gone > 0 && float64(gone) > mostLost*float64(all)
}

// checkTable checks the rows and values of a source in a table.
func (t *taking) checkTable(id, table string) error {
	var before, now []int32
	for _, f := range t.known {
		if f.SourceID == id {
			before = append(before, f.FileID)
		}
	}
	for _, f := range slices.Concat(t.kept, t.fresh) {
		if f.row.SourceID == id {
			now = append(now, f.row.FileID)
		}
	}
	slices.Sort(before)
	slices.Sort(now)
	was, err := t.count(table, before)
	if err != nil {
		return err
	}
	is, err := t.count(table, now)
	if err != nil {
		return err
	}
	for i, column := range judged[table] {
		what := map[bool]string{true: "rows", false: "values of " + column}[column == "*"]
		if err := t.checkLost(id, what, was[i], is[i], column == "*"); err != nil {
			return err
		}
	}
	if table != "listing_record" {
		return nil
	}
	all, kept, err := t.keys(before, now)
	if err != nil {
		return err
	}
	return t.checkLost(id, "keys of listings that were known", all, kept, false)
}

// checkLost refuses a source of which more than a fifth of something is gone that nobody accepted. A few are no reason, unless
// they are all.
func (t *taking) checkLost(id, what string, was, is int64, all bool) error {
	lost := was - is
	if few := lost < schemas.GateLeastRows && (is > 0 || !all); few || float64(lost) <= mostLost*float64(was) {
		return nil
	}
	gate := rowsGate + "." + id
	if accepted := t.options.accepted(gate); accepted != "" {
		t.log.Warn("gate accepted", "gate", gate, "of", what, "before", was, "now", is, "reason", accepted)
		return nil
	}
	return fmt.Errorf("%w: %s: %.1f %% fewer, limit %.1f %%: %d → %d %s\nif this is right: --accept '%s=REASON'",
		ErrFewer, gate, 100*float64(lost)/float64(was), 100*mostLost, was, is, what, gate)
}

// keys counts the keys of listings in files, and those of them that other files have: another column in the place of the key
// makes every listing another one, with as many rows and values.
func (t *taking) keys(before, now []int32) (all, kept int64, err error) {
	keysOf := func(files []int32) string {
		return "(SELECT DISTINCT key_hash FROM listing_record WHERE " + inFiles(files) + ")"
	}
	err = t.db.QueryRowContext(t.ctx, "SELECT count(*), count(now.key_hash) FROM "+keysOf(before)+" before LEFT JOIN "+keysOf(now)+
		" now USING (key_hash)").Scan(&all, &kept)
	return all, kept, err
}

// count counts the judged values of files in a table.
func (t *taking) count(table string, files []int32) ([]int64, error) {
	counts := make([]int64, len(judged[table]))
	into := make([]any, len(counts))
	for i := range counts {
		into[i] = &counts[i]
	}
	query := "SELECT count(" + strings.Join(judged[table], "), count(") + ") FROM " + table + " WHERE " + inFiles(files)
	return counts, t.db.QueryRowContext(t.ctx, query).Scan(into...)
}

// accepted is why a gate is accepted, by its name or by that of all sources; "" if it is not.
func (o *Options) accepted(gate string) string {
	for _, name := range []string{gate, rowsGate} {
		if i := slices.IndexFunc(o.Accepted, func(a schemas.Acceptance) bool { return a.Gate == name }); i >= 0 {
			return o.Accepted[i].Reason
		}
	}
	return ""
}
