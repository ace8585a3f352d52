package addresses

import (
	"fmt"
	"testing"

	"quartier/internal/address"
)

// TestPostalCodes finds postal codes alone and beside a town, and numbers of five digits as such.
func TestPostalCodes(t *testing.T) {
	california := address.Region{Country: "US", Code: "CA"}
	var records []Record
	for i := range 10 {
		records = append(records, Record{Number: fmt.Sprint(94100 + 2*i), Street: "Fulton", Place: "San Francisco", Region: california,
			Postal: "94102", Point: metres(20*float64(i), 0), Source: "city"}, Record{Number: fmt.Sprint(i + 1), Street: "Main St", Place: "Boston",
			Region: california, Postal: "02134", Point: metres(90000+20*float64(i), 0), Source: "city"}, Record{Number: fmt.Sprint(i + 1),
			Street: "Elgin St", Place: "Ottawa", Region: ontario, Postal: "K1A0B1", Point: metres(0, 90000+20*float64(i)), Source: "city"})
	}
	table := table(t, records, nil)
	for _, c := range []struct{ line, want string }{
		{"94102", "postal 1.00 94102"},
		{"94102-1234", "postal 1.00 94102"},
		{"94102 San Francisco", "postal 1.00 94102"},
		{"94102, San Francisco, CA", "postal 1.00 94102"},
		{"94102-1234 San Francisco", "postal 1.00 94102"},
		{"San Francisco 94102", "postal 1.00 94102"},
		{"San Francisco, CA 94102-1234", "postal 1.00 94102"},
		{"02134 Boston", "postal 1.00 02134"},
		{"94102 Boston", "place 0.90 Boston, CA [number]"},
		{"94102 Fulton, San Francisco", "exact 1.00 94102 Fulton, San Francisco, CA 94102"},
		{"94102 Nowhere, San Francisco", "place 0.77 San Francisco, CA [street_name number]"},
		{"94199", "none"},
		{"K1A 0B1", "postal 1.00 K1A 0B1"},
		{"k1a0b1", "postal 1.00 K1A 0B1"},
		{"K1A 0B1 Ottawa", "postal 1.00 K1A 0B1"},
		{"Ottawa K1A 0B1", "postal 1.00 K1A 0B1"},
		{"K1A 0B1, Ottawa, Ontario", "postal 1.00 K1A 0B1"},
		{"K1A 0B1 Boston", "postal 0.95 K1A 0B1 [other_words]"},
	} {
		find(t, table, c.line, c.want)
	}
}
