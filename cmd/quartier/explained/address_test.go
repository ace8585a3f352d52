package explained

import (
	"strings"
	"testing"

	"quartier/schemas/addressing"
)

// TestNoEmptyLines: what is not known of an address has no line.
func TestNoEmptyLines(t *testing.T) {
	e := WrittenAddress{Address: "Ottawa", Matches: []addressing.AddressMatch{{MatchScore: 1}}}
	var out strings.Builder
	if e.Print(&out); strings.Contains(out.String(), "read as") || strings.Contains(out.String(), "source") {
		t.Error(out.String())
	}
	e.Parts = []string{"number 12"}
	out.Reset()
	if e.Print(&out); !strings.Contains(out.String(), "  read as    number 12\n") {
		t.Error(out.String())
	}
}
