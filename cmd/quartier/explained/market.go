package explained

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"quartier/transform/market"
)

// Market is the listings behind the statistics of a geography, type and interval.
type Market struct {
	Geography string         `json:"geog_id"`
	Name      string         `json:"name"`
	Type      string         `json:"type"`
	Interval  string         `json:"interval"`
	First     string         `json:"first_day"`
	Last      string         `json:"last_day"`
	AsOf      string         `json:"as_of"`
	Listings  []market.Entry `json:"listings"`
}

// PrintMarket prints each listing with the numbers in which it counts, and why it does not in others.
func PrintMarket(w io.Writer, r *Market) error {
	fmt.Fprintf(w, "%s %s, %s, %s: %s to %s, as of %s: %s listings\n", r.Geography, r.Name, r.Type, r.Interval, r.First, r.Last, r.AsOf,
		Thousands(int64(len(r.Listings))))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range r.Listings {
		e := &r.Listings[i]
		state := e.State
		if state == "" {
			state = "not on the market"
		}
		fmt.Fprintf(table, "\n%s %s\t%s row %d\tat the end: %s", e.Listing.System, e.Listing.Key, e.Listing.File, e.Listing.Row, state)
		if e.Price > 0 {
			fmt.Fprintf(table, ", listed at $%s", Thousands(e.Price))
		}
		if e.Joined != nil {
			fmt.Fprint(table, "; continues a listing of the same home")
		}
		fmt.Fprintln(table)
		for _, p := range e.Parts {
			if p.Counts {
				fmt.Fprintf(table, "  %s\t%s\n", p.Metric, decimalText(p.Value))
			} else {
				fmt.Fprintf(table, "  %s\tdoes not count: %s\n", p.Metric, p.Why)
			}
		}
	}
	return table.Flush()
}

// decimalText is a number without zeros at its end.
func decimalText(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", v), "0"), ".")
}
