package addresses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// ontario is everywhere but far in the north; its town is Perth.
type ontario struct{}

func (ontario) StateAt(p orb.Point) (country, state string, ok bool) {
	return "CA", "ON", p[1] < regiontest.Home[1]+0.5
}

func (ontario) CityAt(orb.Point) string { return "Perth" }

func region(t *testing.T) *regiontest.Region {
	t.Helper()
	r := regiontest.New(t)
	r.Source("county", 1, "addresses", "2025-03-01")
	r.Source("overture", 2, "addresses", "2025-03-01")
	add := func(source, number, street, unit, city, state, postal, accuracy string, x, y float64) {
		at := regiontest.At(x, y)
		regiontest.Stage(r, "address", staged.Address{SourceID: source, Number: number, Street: street, Unit: unit, City: city, StateCode: state,
			PostalCode: postal, Accuracy: accuracy, Lng: at[0], Lat: at[1]})
	}
	add("overture", "12", "MAIN STREET", "", "", "ON", "K7H 1A1", "rooftop", 0, 0)
	add("county", "12", "Main St", "", "Perth", "ON", "", "parcel", 20, 0)         // the same, less accurate, with the town
	add("county", "12", "Main St", "", "Drummond", "ON", "", "street", 0, 25)      // the same in another town's words
	add("county", "12", "Main St", "", "Lanark", "ON", "", "parcel", 0, 40)        // farther than 30 m
	add("county", "12", "Main St", "4", "Perth", "ON", "", "parcel", 0, 0)         // a unit of it
	add("county", "12", "Main St W", "", "Perth", "ON", "", "parcel", 0, 0)        // another street
	add("county", "12", "Main St", "", "Gatineau", "QC", "", "parcel", 0, 0)       // another province
	add("overture", "221b", "Baker St", "", "Perth", "ON", "", "parcel", 500, 0)   // as the next one,
	add("county", "221B", "BAKER STREET", "", "Perth", "ON", "", "parcel", 505, 0) // which is of the first source
	add("overture", "7", "Elm St", "", "", "", "", "street", 900, 0)               // by containment
	add("overture", "7", "Elm St", "", "", "", "", "street", 900, 90_000)          // nowhere
	regiontest.Stage(r, "address_range", staged.AddressRange{SourceID: "county", Street: "Bank St", Low: 101, High: 199, Step: "odd",
		Geom: regiontest.WKB(t, regiontest.Line(0, 0, 100, 0))})
	return r
}

func TestAddressesAreMerged(t *testing.T) {
	db := regiontest.Derived(t)
	got, err := Derive(t.Context(), region(t).Staged, db, t.TempDir(), ontario{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for a, err := range sqlrow.Select[derived.Address](t.Context(), db, "SELECT * FROM address") {
		if err != nil {
			t.Fatal(err)
		}
		x, y := geo.NewPlane(regiontest.Home).XY(orb.Point{a.Lng, a.Lat})
		rows = append(rows, fmt.Sprintf("%s %s|%s|%s|%s%s|%s|%s|%s %.0f %.0f", a.SourceID, a.Number, a.Street, a.Unit, a.City,
			a.OtherCity, a.State, a.PostalCode, a.Accuracy, x, y))
	}
	want := []string{
		"county 221B|BAKER STREET||Perth|CA_ON||parcel 505 0",
		"overture 7|Elm St||Perth|CA_ON||street 900 0",
		"overture 12|MAIN STREET||PerthDrummond|CA_ON|K7H 1A1|rooftop 0 0",
		"county 12|Main St||Lanark|CA_ON||parcel 0 40",
		"county 12|Main St|4|Perth|CA_ON||parcel 0 0",
		"county 12|Main St W||Perth|CA_ON||parcel 0 0",
		"county 12|Main St||Gatineau|CA_QC||parcel 0 0",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	ranges, err := sqlrow.All[derived.AddressRange](t.Context(), db, "SELECT * FROM address_range")
	if err != nil || len(ranges) != 1 || ranges[0].City != "Perth" || ranges[0].State != "CA_ON" || ranges[0].Low != 101 {
		t.Errorf("%v, %v", ranges, err)
	}
	issues := map[string]int64{}
	for _, i := range got.Issues {
		issues[i.Code] += i.Rows
	}
	if issues["duplicate_address"] != 3 || issues["outside_coverage"] != 1 || len(issues) != 2 {
		t.Errorf("issues %v", issues)
	}
	if !strings.HasPrefix(got.Note, "7 addresses and 1 ranges of numbers; 3 rows") {
		t.Errorf("note: %s", got.Note)
	}
}
