package addresses

import (
	"slices"
	"testing"
)

// TestRecordsAreAsTheyWereAdded reads all addresses back, and visits each once by its place.
func TestRecordsAreAsTheyWereAdded(t *testing.T) {
	records, ranges := town()
	records = append(records, Record{Number: "12 1/2", Street: "Mill St", Unit: "4b", Place: "Perth", Region: ontario, Postal: "K7H 1A1",
		Point: metres(70000, -51000), Accuracy: OnStreet, Source: "region/nad"})
	table := table(t, records, ranges)
	var seen []int
	for i := range table.Len() {
		seen = append(seen, table.ByPlace(i))
		r := table.Record(i)
		same := func(added Record) bool {
			return added.Number == r.Number && added.Street == r.Street && added.Place == r.Place && added.Region == r.Region &&
				added.Point == r.Point && added.Accuracy == r.Accuracy && added.Source == r.Source
		}
		if !slices.ContainsFunc(records, same) {
			t.Errorf("%+v was not added", r)
		}
		if r.Number == "12 1/2" && (r.Unit != "4B" || r.Postal != "K7H 1A1") {
			t.Errorf("%+v", r)
		}
	}
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != table.Len() || table.Regions()[0] != "CA_ON" {
		t.Errorf("%d of %d addresses have a place, regions %v", n, table.Len(), table.Regions())
	}
}
