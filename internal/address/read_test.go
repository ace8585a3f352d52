package address

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// parts writes an address as one line: kind, unit, number, streets, place of the first reading, region, postal code.
func parts(a Address) string {
	var first Reading
	for first = range a.Streets {
		break
	}
	place := first.Place
	if first.Text == "" {
		place = a.Place()
	}
	return strings.Join([]string{[]string{"none", "civic", "street", "box", "corner", "area"}[a.Kind], a.Unit, a.Number.String(),
		first.Street.Before.String() + "/" + first.Street.Name + "/" + first.Street.Type.Word(false) + "/" + first.Street.After.String(),
		place, strings.Trim(a.Region.Country+" "+a.Region.Code, " "), a.Postal}, "|")
}

// TestRead has what people write. The first reading of a line without commas has the town in its street; streets tests the others.
func TestRead(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"221B Baker St, Seattle, WA 98101", "civic||221b|/baker/Street/|seattle|US WA|98101"},
		{"12-345 Main St, Winnipeg MB R3C 1A1", "civic|12|345|/main/Street/|winnipeg|CA MB|R3C1A1"},
		{"345 Main St #12, Toronto, Ontario, Canada", "civic|12|345|/main/Street/|toronto|CA ON|"},
		{"12, rue de l'Église, Québec (Québec) G1K 4A5", "civic||12|/eglise/Street/|quebec|CA QC|G1K4A5"},
		{"RR 2, Carp ON K0A 1L0", "box|||///|carp|CA ON|K0A1L0"},
		{"PO Box 123, Portland OR 97201-0123", "box|||///|portland|US OR|97201"},
		{"P.O. Box 5", "box|||///|||"},
		{"C.P. 45, Gatineau QC", "box|||///|gatineau|CA QC|"},
		{"1500 boul. St-Laurent Est, app. 3, Montréal", "civic|3|1500|/stlaurent/Boulevard/E|montreal||"},
		{"1500 boulevard Saint-Laurent E., Montréal", "civic||1500|/stlaurent/Boulevard/E|montreal||"},
		{"4390 Hwy 99, Whistler BC", "civic||4390|/99/Highway/|whistler|CA BC|"},
		{"18 County Road 12, Picton", "civic||18|/12/Highway/|picton||"},
		{"18 CR 12, Picton", "civic||18|/12/Highway/|picton||"},
		{"1200 State Route 9 N, Albany NY", "civic||1200|/9/Highway/N|albany|US NY|"},
		{"100 N St NW, Washington, DC 20001", "civic||100|/n/Street/NW|washington|US DC|20001"},
		{"100 North Ave, Baltimore", "civic||100|/north/Avenue/|baltimore||"},
		{"10372 99 St, Taylor, BC", "civic||10372|/99/Street/|taylor|CA BC|"},
		{"128 850 Saucier Ave, Kelowna, BC", "civic|128|850|/saucier/Avenue/|kelowna|CA BC|"},
		{"UNIT 418 -- 925 Leon Ave, Kelowna, BC", "civic|418|925|/leon/Avenue/|kelowna|CA BC|"},
		{"B 2 518 BEATTY ST, VANCOUVER, BC", "civic|b2|518|/beatty/Street/|vancouver|CA BC|"},
		{"535½ Fisgard Street, Victoria", "civic||535 1/2|/fisgard/Street/|victoria||"},
		{"12 1/2 Elm St, Salem", "civic||12 1/2|/elm/Street/|salem||"},
		{"N165 W2123 Tartan Ct, Jackson, WI 53037", "civic||n165w2123|/tartan/Court/|jackson|US WI|53037"},
		{"35-20 147th St, Flushing NY", "civic|35|20|/147/Street/|flushing|US NY|"},
		{"456 Avenue A, New York, NY 10009", "civic||456|/a/Avenue/|newyork|US NY|10009"},
		{"12 Avenue Road, Toronto", "civic||12|/avenue/Road/|toronto||"},
		{"1 Avenue of the Americas, New York", "civic||1|/americas/Avenue/|newyork|US NY|"},
		{"77 rue du Parc, Gatineau", "civic||77|/pk/Street/|gatineau||"},
		{"3e Avenue, Limoilou", "street|||/3/Avenue/|limoilou||"},
		{"350 Third Avenue, New York", "civic||350|/3/Avenue/|newyork|US NY|"},
		{"General Delivery, Quesnel, BC", "box|||///|quesnel|CA BC|"},
		{"525 Superior St BOX 283, Victoria BC", "civic||525|/superior/Street/|victoria|CA BC|"},
		{"Floor 2 1175 Douglas St, Victoria", "civic|2|1175|/douglas/Street/|victoria||"},
		{"431 Marietta St NW 3rd Floor, Atlanta", "civic|3|431|/marietta/Street/NW|atlanta||"},
		{"Davin St and Maddock Ave W, Saanich BC", "corner|||/davinst&maddock/Avenue/W|saanich|CA BC|"},
		{"K1A 0B1", "area|||///|||K1A0B1"},
		{"BC", "area|||///||CA BC|"},
		{"", "none|||///|||"},
		{"!!!", "none|||///|||"},
		{"1177 Main Ct", "civic||1177|/main/Court/|||"},
		{"1177 Main St, Hartford CT", "civic||1177|/main/Street/|hartford|US CT|"},
		{"5 rue Sainte-Catherine O, Montréal", "civic||5|/stecatherine/Street/W|montreal||"},
		{"200 Smuggler's Cove Rd, Bowen Island", "civic||200|/smugglerscove/Road/|bowenisl||"},
	} {
		if got := parts(Read(c.line)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

// TestStreets has lines without commas: one of the readings is right.
func TestStreets(t *testing.T) {
	for _, c := range []struct{ line, street, place string }{
		{"525 Superior St Victoria BC", "superior st", "victoria"},
		{"1090 marine dr port alice bc", "marine dr", "portalice"},
		{"10 Park Place New York NY", "park place", "newyork"},
		{"352 W 14th St North Vancouver", "w 14th st", "northvancouver"},
		{"964 LILLOOET RD NORTH VANCOUVER, NORTH VANCOUVER, BC", "lillooet rd", "northvancouver"},
		{"99 St Taylor BC", "99 st", "taylor"},
	} {
		found := false
		var all []string
		a := Read(c.line)
		for r := range a.Streets {
			all = append(all, r.Text+" | "+r.Place)
			found = found || r.Text == c.street && r.Place == c.place
		}
		if !found {
			t.Errorf("%s: %s | %s is not among %q", c.line, c.street, c.place, all)
		}
	}
}

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		columns Columns
		want    string
	}{
		{Columns{Number: "12", Street: "Main St", Place: "Saint John's", Region: "NL", Postal: "a1a 1a1"},
			"civic||12|/main/Street/|stjohns|CA NL|A1A1A1"},
		{Columns{Street: "12 Main St Apt 4", Place: "Hartford", Region: "CT", Postal: "06101"}, "civic|4|12|/main/Street/|hartford|US CT|06101"},
		{Columns{Number: "35-20", Street: "147 ST", Place: "New York"}, "civic||35-20|/147/Street/|newyork||"},
		{Columns{Number: "7", Street: "rue Principale", Unit: "B"}, "civic|b|7|/principale/Street/|||"},
		{Columns{Place: "Ottawa"}, "street|||///|ottawa||"},
		{Columns{Postal: "97210-1234"}, "area|||///||" + "|97210"},
		{Columns{}, "none|||///|||"},
	} {
		if got := parts(c.columns.Read()); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.columns, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"12-345 Main St, Ottawa ON K1A 0B1", "\xf4Î", "535½ d'Été #9", "N1W2 A", "PO Box 1", "1 & 2", "--,#", "½", "ŉ", "A 1 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folded := Fold(text)
		if again := Fold(folded); again != folded {
			t.Errorf("%q folds to %q, and that to %q", text, folded, again)
		}
		if !utf8.ValidString(folded) {
			t.Errorf("%q folds to invalid %q", text, folded)
		}
		a := Read(text)
		readings := 0
		for r := range a.Streets {
			readings++
			if r.Text == "" {
				t.Errorf("%q has a street without words", text)
			}
		}
		if (a.Kind == Civic) != (readings > 0 && a.Number != Number{}) && a.Kind != Corner {
			t.Errorf("%q is %d with number %v and %d readings", text, a.Kind, a.Number, readings)
		}
		if again := Read(text); again.Number != a.Number || !slices.Equal(again.Dropped, a.Dropped) {
			t.Errorf("%q is read in two ways", text)
		}
	})
}
