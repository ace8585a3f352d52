package listings

import (
	"errors"
	"fmt"
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

var own reason.List

// Reasons that the intake raises, whatever the kind of source.
var (
	brokenFile = own.Rejected("file_breaks_off",
		"The file ends within a record or cannot be read further; what is before is used, and the file is read again once it is another.")
	copyOfSale = own.Skipped("copy_of_a_sale", "The file has a sale of the same parcel or address, day and price, which counts once.")
	twoStates  = own.Repaired("two_states_of_a_listing",
		"The file has a listing twice with the same time and different states; the later row counts.")
)

// Reasons are those that the intake raises.
func Reasons() []reason.Reason { return slices.Clone(own) }

var errChanged = errors.New("it was written while it was read; take it in again")

// checkRejected refuses a source of whose fresh files too large a share of the rows is rejected, and one of which nothing
// is left.
func (t *taking) checkRejected() error {
	rejected, worst := map[int32]int64{}, map[int32]staged.ListingIssue{}
	for _, i := range t.issues {
		if i.Severity == string(reason.Rejected) {
			rejected[i.FileID] += i.Rows
			if i.Rows > worst[i.FileID].Rows {
				worst[i.FileID] = i
			}
		}
	}
	for i := range t.options.Sources {
		s := &t.options.Sources[i]
		var read, out, kept int64
		var most staged.ListingIssue
		for _, f := range t.fresh {
			if f.source != s {
				continue
			}
			read, out, kept = read+f.row.RowsRead, out+rejected[f.row.FileID], kept+f.row.RowsStaged
			if w := worst[f.row.FileID]; w.Rows > most.Rows {
				most = w
			}
		}
		for _, f := range t.kept {
			if f.source == s {
				kept += f.row.RowsStaged
			}
		}
		if s.MaxRejected != nil && float64(out) > *s.MaxRejected*float64(max(read, out)) {
			return fmt.Errorf("%w: source %s: %d of %d rows, more than the share of %v that max_rejected permits; the most frequent reason is %s: "+
				"%s",
				source.ErrTooManyRejects, s.SourceID, out, max(read, out), *s.MaxRejected, most.Code, most.Example)
		}
		if kept == 0 && out > 0 {
			return fmt.Errorf("%w %s: none of its %d rows is staged; the most frequent reason is %s: %s", source.ErrNothingLeft, s.SourceID, read,
				most.Code, most.Example)
		}
	}
	return nil
}
