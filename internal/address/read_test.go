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
		{"97201", "area|||///|||97201"},
		{"97201-0123", "area|||///|||97201"},
		{"K1A 0B1", "area|||///|||K1A0B1"},
		{"k1a0b1 Ottawa", "street|||/ottawa//|||K1A0B1"},
		{"K1A 0B1, Ottawa, Ontario", "street|||/ottawa//|ontario|CA ON|K1A0B1"},
		{"97201-0123 Portland OR", "street|||/portland//||US OR|97201"},
		{"K1A 0B1, 12 Main St, Ottawa", "civic||12|/main/Street/|ottawa||K1A0B1"},
		{"12345 Broadway", "civic||12345|/broadway//|||"},
		{"P.O. Box 5", "box|||///|||"},
		{"C.P. 45, Gatineau QC", "box|||///|gatineau|CA QC|"},
		{"1500 boul. St-Laurent Est, app. 3, Montréal", "civic|3|1500|/saintlaurent/Boulevard/E|montreal||"},
		{"1500 boulevard Saint-Laurent E., Montréal", "civic||1500|/saintlaurent/Boulevard/E|montreal||"},
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
		{"77 rue du Parc, Gatineau", "civic||77|/park/Street/|gatineau||"},
		{"3e Avenue, Limoilou", "street|||/3/Avenue/|limoilou||"},
		{"350 Third Avenue, New York", "civic||350|/3/Avenue/|newyork|US NY|"},
		{"General Delivery, Quesnel, BC", "box|||///|quesnel|CA BC|"},
		{"525 Superior St BOX 283, Victoria BC", "civic||525|/superior/Street/|victoria|CA BC|"},
		{"Floor 2 1175 Douglas St, Victoria", "civic|2|1175|/douglas/Street/|victoria||"},
		{"431 Marietta St NW 3rd Floor, Atlanta", "civic|3|431|/marietta/Street/NW|atlanta||"},
		{"Davin St and Maddock Ave W, Saanich BC", "corner|||/davinsaint&maddock/Avenue/W|saanich|CA BC|"},
		{"K1A 0B1", "area|||///|||K1A0B1"},
		{"BC", "area|||///||CA BC|"},
		{"", "none|||///|||"},
		{"!!!", "none|||///|||"},
		{"1177 Main Ct", "civic||1177|/main/Court/|||"},
		{"1177 Main St, Hartford CT", "civic||1177|/main/Street/|hartford|US CT|"},
		{"5 rue Sainte-Catherine O, Montréal", "civic||5|/saintecatherine/Street/W|montreal||"},
		{"750 boul. Charlemagne Blvd, Ottawa ON", "civic||750|/charlemagne/Boulevard/|ottawa|CA ON|"},
		{"1385 terr. Halton Terrasse, Ottawa", "civic||1385|/halton/Terrace/|ottawa||"},
		{"249 Anne nord rue, Barrie Ontario", "civic||249|/anne/Street/N|barrie|CA ON|"},
		{"1063 chemin North River, Ottawa", "civic||1063|N/river/Road/|ottawa||"},
		{"1063 North River Road, Ottawa", "civic||1063|N/river/Road/|ottawa||"},
		{"85 Forty First Street, Etobicoke", "civic||85|/41/Street/|etobicoke||"},
		{"857 E 45 th Ave, Vancouver, BC", "civic||857|E/45/Avenue/|vancouver|CA BC|"},
		{"525 N 400 E, Provo UT 84601-1234", "civic||525|N/400//E|provo|US UT|84601"},
		{"40 East Center, Cedar Fort UT", "civic||40|E/centre//|cedarfort|US UT|"},
		{"W156N8480 Pilgrim Rd, Menomonee Falls WI", "civic||w156n8480|/pilgrim/Road/|menomoneefalls|US WI|"},
		{"6229 S 12 th St, Tacoma", "civic||6229|S/12/Street/|tacoma||"},
		{"185, rue Parent, Val-d'Or J9P 6E1", "civic||185|/parent/Street/|valdor||J9P6E1"},
		{"265, 16e Avenue, Saint-Lin--Laurentides QC", "civic||265|/16/Avenue/|saintlinlaurentides|CA QC|"},
		{"2e étage, 1500 rue Sherbrooke O, Montréal", "civic|2|1500|/sherbrooke/Street/W|montreal||"},
		{"4405 Abby Ct, 45248", "civic||4405|/abby/Court/|||45248"},
		{"525 Superior St, Victoria, BC PO BOX 283", "civic||525|/superior/Street/|victoria|CA BC|"},
		{"Fraserview Care Lodge 9580 Williams Rd, Richmond", "civic||9580|/williams/Road/|richmond||"},
		{"1 1040 Mt Revelstoke Pl, Vernon", "civic|1|1040|/mountrevelstoke/Place/|vernon||"},
		{"964 Lillooet Rd, District of North Vancouver", "civic||964|/lillooet/Road/|northvancouver||"},
		{"165 Queen St, Norfolk County ON", "civic||165|/queen/Street/|norfolk|CA ON|"},
		{"12 St. Mary's Road, St. Mary's", "civic||12|/saintmarys/Road/|saintmarys||"},
		{"2288 Hwy Old Cariboo, Prince George BC", "civic||2288|/oldcariboo/Highway/|princegeorge|CA BC|"},
		{"35-20 Park Place, Fairview NY", "civic|35|20|/park/Place/|fairview|US NY|"},
		{"1450 VT Rte 105, Port Hollis VT", "civic||1450|/105/Highway/|porthollis|US VT|"},
		{"1201 NY-9, Albany NY", "civic||1201|/9/Highway/|albany|US NY|"},
		{"12680 H G Trueman Rd, Lusby MD", "civic||12680|/hgtrueman/Road/|lusby|US MD|"},
		{"POB 398, Garfield, WA 99130", "box|||///|garfield|US WA|99130"},
		{"12 rue du Mont", "civic||12|/mont/Street/|||"},
		{"12 rue du Parc, Truro N.-É. B2N 4V3", "civic||12|/park/Street/|truro|CA NS|B2N4V3"},
		{"8828, 95e Rue NO, Edmonton", "civic||8828|/95/Street/NW|edmonton||"},
		{"2801 STANTON RD, SE", "civic||2801|/stanton/Road/SE|||"},
		{"300 10TH ST, NE", "civic||300|/10/Street/NE|||"},
		{"12 Maple Cres, Barrie, ON, CA", "civic||12|/maple/Crescent/|barrie|CA ON|"},
		{"123 Main St, Ontario, CA", "civic||123|/main/Street/|ontario|US CA|"},
		{"123 Main St, Ontario, CA 91761", "civic||123|/main/Street/|ontario|US CA|91761"},
		{"580, 582, 584, rue Maclaren, Gatineau", "civic||580|/maclaren/Street/|gatineau||"},
		{"201 & 202 - 28 Rotec Rd, Woodbridge", "civic|201|28|/rotec/Road/|woodbridge||"},
		{"207 EAST 7TH STREET, 3C", "civic|3c|207|E/7/Street/|||"},
		{"2229 18 Mile Rd, Sterling Heights MI", "civic||2229|/18mile/Road/|sterlingheights|US MI|"},
		{"525 Côté St, Ottawa", "civic||525|/cote/Street/|ottawa||"},
		{"7 Bldg E Main St, Salem", "civic|e|7|/main/Street/|salem||"},
		{"12 rue de l'\xc9glise, Québec", "none|||///|||"},
		{"12 rue de l'\ufffdglise, Québec", "none|||///|||"},
		{"200 Smuggler's Cove Rd, Bowen Island", "civic||200|/smugglerscove/Road/|bowenisland||"},
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
			"civic||12|/main/Street/|saintjohns|CA NL|A1A1A1"},
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

// TestCorners has corners of two streets, and what is none.
func TestCorners(t *testing.T) {
	for _, c := range []struct{ line, one, other, place string }{
		{"Bank St & Somerset St W, Ottawa ON", "bank st", "somerset st w", "ottawa"},
		{"Bank St and Somerset St W, Ottawa", "bank st", "somerset st w", "ottawa"},
		{"Main St at 3rd Ave, Seattle", "main st", "3rd ave", "seattle"},
		{"Main St @ 3rd Ave, Seattle", "main st", "3rd ave", "seattle"},
		{"Main St N + Elm, Barre VT", "main st n", "elm", "barre"},
		{"Corner of Main and Elm, Barre VT", "main", "elm", "barre"},
		{"NW corner of Main St & Elm St, Barre", "main st", "elm st", "barre"},
		{"Main St, corner of Elm St, Barre", "main st", "elm st", "barre"},
		{"Intersection of Hwy 7 and County Road 12, Perth", "hwy 7", "county road 12", "perth"},
		{"angle Saint-Denis et Rachel, Montréal", "saint denis", "rachel", "montreal"},
		{"À l'angle de la rue Rachel et de la rue Saint-Denis, Montréal", "rue rachel", "de la rue saint denis", "montreal"},
		{"rue Rachel, angle Saint-Denis, Montréal QC", "rue rachel", "saint denis", "montreal"},
		{"rue Rachel coin Saint-Denis, Montréal", "rue rachel", "saint denis", "montreal"},
		{"au coin de Rachel et Saint-Denis, Montréal", "rachel", "saint denis", "montreal"},
		{"5 Ave & 42 St, New York", "5 ave", "42 st", "newyork"},
		{"5th Ave & E 42nd St, New York NY", "5th ave", "e 42nd st", "newyork"},
		{"Bank & Somerset, Ottawa", "bank", "somerset", "ottawa"}, // a name of a street as well
	} {
		a := Read(c.line)
		one, other, ok := a.Corner()
		place := other.Place()
		for r := range other.Streets {
			place = r.Place
			break
		}
		if got := textOf(one.street); !ok || got != c.one || textOf(other.street) != c.other || place != c.place || a.Number != (Number{}) {
			t.Errorf("%s: %q, %q, %q, %v", c.line, got, textOf(other.street), place, ok)
		}
		if sure := a.Kind == Corner; sure != (c.one != "bank" && c.one != "rachel" || strings.Contains(c.line, "coin")) {
			t.Errorf("%s: kind %d", c.line, a.Kind)
		}
	}
	for _, line := range []string{"120 Bank St & Somerset St, Ottawa", "12 rue Pierre et Marie Curie, Laval",
		"Jones St at 12 N Main St, Barre", "12 Corner Rd, Barre", "Corner Brook NL", "Coin, IA", "Angle Rd, Barre",
		"Fish & Chips, 12 Main St, Barre", "1 Main St, Truth and Co"} {
		if a := Read(line); a.Kind == Corner {
			t.Errorf("%s is a corner", line)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"12-345 Main St, Ottawa ON K1A 0B1", "\xf4Î", "535½ d'Été #9", "N1W2 A", "PO Box 1", "1 & 2", "--,#", "½", "ŉ", "A 1 1",
		"12 " + strings.Repeat("st ", 160)} {
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
		if readings > 100 {
			t.Errorf("%q is read in %d ways", text, readings)
		}
		if again := Read(text); again.Number != a.Number || !slices.Equal(again.Dropped, a.Dropped) {
			t.Errorf("%q is read in two ways", text)
		}
	})
}
