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
	"listing_record": {"*", "on_day", "on_at", "listed_day", "contract_day", "pending_at", "off_day", "close_day", "list_price", "close_price", "living_area_sqft",
		"parcel", "address", "postal_code", "lng"},
}

// checkRows refuses a source of which more than a fifth of the listings or of the changes is gone, or of the values of a column.
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
	was, err := t.count(table, before)
	if err != nil {
		return err
	}
	is, err := t.count(table, now)
	if err != nil {
		return err
	}
	for i, column := range judged[table] {
		lost := was[i] - is[i]
		what := map[bool]string{true: "rows", false: "values of " + column}[column == "*"]
		if few := lost < schemas.GateLeastRows && (is[i] > 0 || column != "*"); few || float64(lost) <= mostLost*float64(was[i]) {
			continue
		}
		gate := rowsGate + "." + id
		if accepted := t.options.accepted(gate); accepted != "" {
			t.log.Warn("gate accepted", "gate", gate, "of", what, "before", was[i], "now", is[i], "reason", accepted)
			continue
		}
		return fmt.Errorf("%w: %s: %.1f %% fewer, limit %.1f %%: %d → %d %s\nif this is right: --accept '%s=REASON'",
			ErrFewer, gate, 100*float64(lost)/float64(was[i]), 100*mostLost, was[i], is[i], what, gate)
	}
	return nil
}

// count counts the judged values of files in a table.
func (t *taking) count(table string, files []int32) ([]int64, error) {
	slices.Sort(files)
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
