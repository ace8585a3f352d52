package fetching

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"quartier/cmd/quartier/summary"
	"quartier/ingest/fetch"
)

// Table lists what became of the sources.
func Table(w io.Writer, results []Result) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "region\tsource\tbytes\tfrom\tdate\tstate\n")
	for _, r := range results {
		size, from, date := "-", "-", "-"
		if r.Err == nil && r.Source.IsQuery() {
			from = "web api"
		} else if r.Err == nil {
			size, from, date = summary.Bytes(r.Taken.Bytes), string(r.Taken.From), cmp.Or(r.Taken.Date, "-")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", r.Region.Name, r.Source.ID, size, from, date, State(r))
	}
	return table.Flush()
}

// State is what became of a source in a few words.
func State(r Result) string {
	var refusal *fetch.Refusal
	switch {
	case r.Err == nil && r.Source.IsQuery():
		return fmt.Sprintf("%d pages, %d records", r.Fetched.Pages, r.Fetched.Records)
	case r.Err == nil && r.Source.SHA256 == "":
		return "pinned"
	case r.Err == nil:
		return "as pinned"
	case errors.Is(r.Err, fetch.ErrDigest):
		return "changed"
	case errors.As(r.Err, &refusal):
		return "lacks: " + string(refusal.Reason)
	}
	return "lacks"
}
