package summary

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"quartier/cmd/quartier/explained"
	"quartier/serve/state"
)

const toSeconds = "2006-01-02 15:04:05 UTC"

// Update prints the general update that runs or the last one.
func Update(ctx context.Context, w io.Writer, store *state.Store) error {
	report, err := store.ReportUpdate(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if u := report.Update; u == nil {
		fmt.Fprintln(table, "There was no general update yet")
	} else {
		fmt.Fprintf(table, "General update %d is %s\n  started\t%s by %s\n", u.Number, u.Status, u.StartedAt.Format(toSeconds), Plain(u.Holder))
		switch {
		case !u.EndedAt.IsZero():
			fmt.Fprintf(table, "  ended\t%s\n", u.EndedAt.Format(toSeconds))
		case u.Requests == "":
			fmt.Fprintln(table, "  requests\tnot written; quartier update file --out FILE writes them")
		case u.Private != "":
			fmt.Fprintf(table, "  private\t%s: its publication was interrupted, run quartier update complete again\n", u.Private)
		}
		if u.Requests != "" {
			fmt.Fprintf(table, "  requests\tSHA-256 %s\n", u.Requests)
		}
		for _, action := range slices.Sorted(maps.Keys(report.Changes)) {
			fmt.Fprintf(table, "  %s\t%s\n", action, explained.Thousands(report.Changes[action]))
		}
	}
	fmt.Fprintln(table, "Requests")
	for _, s := range state.Statuses {
		fmt.Fprintf(table, "  %s\t%s\n", s.Status, explained.Thousands(report.States[s.Status]))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for i, e := range report.Excluded {
		if i == 0 {
			fmt.Fprintf(w, "Out of general updates %d\n", len(report.Excluded))
		}
		fmt.Fprintf(w, "  %s of %s, %q since %s: %s\n", e.ID, Plain(e.Customer), e.NameEN, e.At.Format(toSeconds), Plain(e.Why))
	}
	for i, p := range report.Problems {
		if i == 0 {
			fmt.Fprintf(w, "Update %d could not build %d\n", p.Update, len(report.Problems))
		}
		fmt.Fprintf(w, "  %s of %s, %q (%s): %s\n", p.ID, Plain(p.Customer), p.NameEN, p.Action, Plain(p.Problem))
	}
	return nil
}

// Publications prints what general updates published after a number as lines of JSON.
func Publications(ctx context.Context, w io.Writer, store *state.Store, after int64) error {
	const page = 1000
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		events, err := store.Publications(ctx, after, page)
		if err != nil {
			return err
		}
		for _, e := range events {
			if err := enc.Encode(e); err != nil {
				return err
			}
			after = e.N
		}
		if len(events) < page {
			return nil
		}
	}
}

// Plain replaces control characters of texts that others wrote, which a terminal would interpret.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
