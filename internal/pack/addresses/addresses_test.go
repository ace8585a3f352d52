package addresses

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack"
)

// at is a point metres east and north of a point in Ottawa.
func metres(east, north float64) coord.Point {
	return coord.Point{Lng: -756900000 + int32(east*127), Lat: 454200000 + int32(north*90)}
}

var ontario, quebec = address.Region{Country: "CA", Code: "ON"}, address.Region{Country: "CA", Code: "QC"}

// table writes and opens a table.
func table(t testing.TB, records []Record, ranges []Range) *Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "addresses.pack")
	out, err := pack.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWriter(out, "")
	defer w.Close()
	for i := range records {
		if err := w.Add(&records[i]); err != nil {
			t.Fatal(records[i], err)
		}
	}
	for i := range ranges {
		if err := w.AddRange(&ranges[i]); err != nil {
			t.Fatal(ranges[i], err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	table, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// town is a few streets with every difficulty.
func town() ([]Record, []Range) {
	var records []Record
	add := func(number, street, place string, region address.Region, postal string, east, north float64) {
		records = append(records, Record{Number: number, Street: street, Place: place, Region: region, Postal: postal,
			Point: metres(east, north), Source: "city"})
	}
	for i := range 10 {
		add(fmt.Sprint(100+2*i), "Main St", "Ottawa", ontario, "K1A0B1", float64(20*i), 0)
		add(fmt.Sprint(101+2*i), "Main St", "Ottawa", ontario, "K1A0B1", float64(20*i), 30)
		add(fmt.Sprint(100+2*i), "Main St", "Perth", ontario, "K7H1A1", 70000+float64(20*i), -50000)
	}
	add("12", "rue de l'Église", "Gatineau", quebec, "J8X1A1", -3000, 2000)
	add("14", "rue de l'Église", "Gatineau", quebec, "J8X1A1", -2980, 2000)
	add("221B", "Baker St", "Ottawa", ontario, "K1A0B2", 0, 500)
	add("500", "Elgin St", "Ottawa", ontario, "K1A0B3", 300, 500)
	add("500", "Elgin St", "Ottawa", ontario, "K1A0B3", 300, 510) // again, 10 m away
	add("10", "99 St", "Perth", ontario, "K7H1A2", 70500, -50000)
	records[len(records)-2].Accuracy = Parcel
	add("1", "Rideau St E", "Ottawa", ontario, "", 900, 900)
	add("1", "Rideau St W", "Ottawa", ontario, "", -900, 900)
	for _, unit := range []string{"1", "2", "PH"} {
		add("77", "Laurier Ave", "Ottawa", ontario, "K1A0B4", 600, 600)
		records[len(records)-1].Unit = unit
	}
	add("9", "Westminster Abbey Rd", "Ottawa", ontario, "K1A0B5", 4000, 4000)
	records[len(records)-1].Also = "Kanata"
	add("30", "Sparks St", "Ottawa", ontario, "", 100, 900)
	add("30", "Sparks St", "Ottawa", ontario, "", 100, 1100) // another opinion, 200 m away
	add("32", "Sparks St", "Ottawa", ontario, "", 100, 900)
	add("32", "Sparks St", "Ottawa", ontario, "", 100, 3000) // two places
	return records, []Range{{Street: "Bank St", Place: "Ottawa", Region: ontario, Low: 200, High: 298, Step: Even,
		Line: []coord.Point{metres(1000, 0), metres(1000, 100), metres(1100, 100)}, Source: "roads"}}
}

func TestFind(t *testing.T) {
	table := table(t, first(town()), second(town()))
	for _, c := range []struct{ line, want string }{
		{"104 Main St, Ottawa ON K1A 0B1", "exact 1.00 104 Main St, Ottawa, ON K1A 0B1"},
		{"104 main street ottawa ontario", "exact 1.00 104 Main St, Ottawa, ON K1A 0B1"},
		{"104 Main St, Perth", "exact 1.00 104 Main St, Perth, ON K7H 1A1"},
		{"104 Main St", "ambiguous exact 0.98 104 Main St, Ottawa, ON K1A 0B1; exact 0.98 104 Main St, Perth, ON K7H 1A1"},
		{"104 Mian St, Perth ON", "exact 0.90 104 Main St, Perth, ON K7H 1A1 [street_name]"},
		{"104 Main Ave, Perth", "exact 0.85 104 Main St, Perth, ON K7H 1A1 [street_type]"},
		{"104 Main, Perth", "exact 0.97 104 Main St, Perth, ON K7H 1A1 [street_type]"},
		{"103 Main St, Ottawa QC", "none"},
		{"104 Main St, Ottawa ON K7H 1A1", "exact 0.90 104 Main St, Ottawa, ON K1A 0B1 [postal_code]"},
		{"12 rue de l'Eglise, Gatineau QC", "exact 1.00 12 rue de l'Église, Gatineau, QC J8X 1A1"},
		{"12, Eglise, Gatineau (Québec)", "exact 0.97 12 rue de l'Église, Gatineau, QC J8X 1A1 [street_type]"},
		{"221B Baker St, Ottawa", "exact 1.00 221B Baker St, Ottawa, ON K1A 0B2"},
		{"221 Baker St, Ottawa", "exact 0.95 221B Baker St, Ottawa, ON K1A 0B2 [number]"},
		{"500 Elgin Street, Ottawa", "exact 1.00 500 Elgin St, Ottawa, ON K1A 0B3"},
		{"10 99 St Perth ON", "exact 1.00 10 99 St, Perth, ON K7H 1A2"},
		{"1 Rideau St, Ottawa", "ambiguous exact 0.95 1 Rideau St E, Ottawa, ON [direction]; exact 0.95 1 Rideau St W, Ottawa, ON [direction]"},
		{"1 E Rideau St, Ottawa", "exact 0.99 1 Rideau St E, Ottawa, ON"},
		{"2-77 Laurier Ave, Ottawa", "exact 1.00 2-77 Laurier Ave, Ottawa, ON K1A 0B4"},
		{"77 Laurier Ave Apt 9, Ottawa", "exact 1.00 1-77 Laurier Ave, Ottawa, ON K1A 0B4 [unit]"},
		{"120 Main St, Ottawa", "street 0.90 Main St, Ottawa, ON [number]"},
		{"250 Bank St, Ottawa", "range 1.00 250 Bank St, Ottawa, ON"},
		{"251 Bank St, Ottawa", "street 0.90 Bank St, Ottawa, ON [number]"},
		{"Bank St, Ottawa", "street 1.00 Bank St, Ottawa, ON"},
		{"9 Nowhere Rd, Ottawa ON K1A 0B1", "postal 0.77 K1A 0B1 [street_name number]"},
		{"9 Nowhere Rd, Ottawa ON", "place 0.77 Ottawa, ON [street_name number]"},
		{"9 Nowhere Rd Apt 3, Ottawa", "place 0.76 Ottawa, ON [street_name number unit]"},
		{"9 Nowhere Rd, Atlantis ON K1A 0B1", "postal 0.67 K1A 0B1 [street_name number place]"},
		{"Nowhere Rd 9, Ottawa", "place 0.81 Ottawa, ON [street_name other_words]"},
		{"Nowhere Rd Ottawa", "place 0.85 Ottawa, ON [street_name]"},
		{"City Hall, Ottawa", "place 0.95 Ottawa, ON [other_words]"},
		{"City Hall, Centretown, Ottawa", "place 0.95 Ottawa, ON [other_words]"},
		{"Ottawa ON M5V 1A1", "place 0.90 Ottawa, ON [postal_code]"},
		{"Ottawa ON K1A 0B9", "postal 0.90 K1A 0B1 [postal_code]"},
		{"Ottawa", "place 1.00 Ottawa, ON"},
		{"Ottawa, Ontario, Canada", "place 1.00 Ottawa, ON"},
		{"9 Nowhere Rd, Atlantis", "none"},
		{"PO Box 9, Ottawa ON", "none"},
		{"", "none"},
		{"104 Main St, CIBC Tower, Ottawa", "exact 0.97 104 Main St, Ottawa, ON K1A 0B1 [other_words]"},
		{"250 Bank St, CIBC Tower, Ottawa", "range 0.97 250 Bank St, Ottawa, ON [other_words]"},
		{"250 Bank St, Ottawa ON M5V 1A1", "range 0.97 250 Bank St, Ottawa, ON [postal_code]"},
		{"Bank St, Ottawa ON M5V 1A1", "street 0.97 Bank St, Ottawa, ON [postal_code]"},
		{"9 Westminster Abbey Rd, Kanata ON", "exact 0.97 9 Westminster Abbey Rd, Ottawa, ON K1A 0B5 [place]"},
		{"9 Wetsminster Abey Rd, Ottawa", "exact 0.80 9 Westminster Abbey Rd, Ottawa, ON K1A 0B5 [street_name]"},
		{"9 Wetsminster Abey Rd, Perth", "place 0.77 Perth, ON [street_name number]"},
		{"9 Westminster Abb, Ottawa", "exact 0.78 9 Westminster Abbey Rd, Ottawa, ON K1A 0B5 [street_name street_type]"},
		{"11 Westminster Abbey Rd, Ottawa", "street 0.90 Westminster Abbey Rd, Ottawa, ON [number]"},
		{"11 Westminster Abbey Ave, Ottawa", "place 0.77 Ottawa, ON [street_name number]"},
		{"30 Sparks St, Ottawa", "exact 1.00 30 Sparks St, Ottawa, ON"},
		{"32 Sparks St, Ottawa", "ambiguous exact 1.00 32 Sparks St, Ottawa, ON; exact 1.00 32 Sparks St, Ottawa, ON"},
		{"221B rue Baker St, Ottawa", "exact 1.00 221B Baker St, Ottawa, ON K1A 0B2"},
		{"12 Église rue, Gatineau", "exact 1.00 12 rue de l'Église, Gatineau, QC J8X 1A1"},
		{"104 Main St K7H 1A1", "exact 1.00 104 Main St, Perth, ON K7H 1A1"},
		{"104 Main St, Otawa", "exact 0.90 104 Main St, Ottawa, ON K1A 0B1 [place]"},
		{"104 Main St, Otta", "exact 0.90 104 Main St, Ottawa, ON K1A 0B1 [place]"},
		{"104 Main St, Toronto", "none"},
		{"104 Main Stret, Perth", "exact 0.98 104 Main St, Perth, ON K7H 1A1 [street_type]"},
		{"104 Main Sreet Perth", "exact 0.98 104 Main St, Perth, ON K7H 1A1 [street_type]"},
		{"1 Rideau Steret E, Ottawa", "exact 0.98 1 Rideau St E, Ottawa, ON [street_type]"},
		{"77 avneue Laurier, Ottawa", "exact 0.98 77 Laurier Ave, Ottawa, ON K1A 0B4 [street_type]"},
		{"Main Stret, Perth", "street 0.98 Main St, Perth, ON [street_type]"},
		{"250 Bank Stret, Otawa", "range 0.88 250 Bank St, Ottawa, ON [street_type place]"},
		{"250 Bank St, Otawa", "range 0.90 250 Bank St, Ottawa, ON [place]"},
		{"251 Bank St, Otawa", "street 0.81 Bank St, Ottawa, ON [number place]"},
		{"250 Bank St, Perth", "place 0.77 Perth, ON [street_name number]"},
		{"104 Main St Glebe, Ottawa", "exact 0.97 104 Main St, Ottawa, ON K1A 0B1 [other_words]"},
	} {
		find(t, table, c.line, c.want)
	}
}

// find is what a line means, which fails the test unless it is what is wanted.
func find(t *testing.T, table *Table, line, want string) (f Found, ok bool) {
	t.Helper()
	table.Find(&Query{Address: address.Read(line), Level: Place}, &f)
	got := show(f.Matches)
	if got != want {
		t.Errorf("%s\n got %s\nwant %s", line, got, want)
	}
	return f, got == want
}

// TestCorners finds corners where points of both streets are beside each other in one place, and in no other.
func TestCorners(t *testing.T) {
	var records []Record
	along := func(street, place string, east, north, toEast, toNorth float64) {
		for i := range 20 {
			records = append(records, Record{Number: fmt.Sprint(2*i + 2), Street: street, Place: place, Region: ontario,
				Point: metres(east+toEast*float64(i), north+toNorth*float64(i)), Source: "city"})
		}
	}
	along("Bank St", "Ottawa", -15, -400, 0, 40) // from south to north, by the corners of the others
	along("Somerset St W", "Ottawa", -400, 15, 40, 0)
	along("3rd Ave", "Ottawa", -400, 215, 40, 0)
	along("Back Lane", "Ottawa", 45, -400, 0, 40)      // side by side with Bank St
	along("Far Rd", "Ottawa", 3000, 3000, 40, 0)       // touches none
	along("Bank St", "Perth", 70000, -50000, 40, 0)    // in another town
	along("rue Rachel", "Perth", 70000, -50030, 0, 40) // meets it
	table := table(t, records, nil)
	for _, c := range []struct{ line, want string }{
		{"Bank St & Somerset St W, Ottawa ON", "street 1.00 Bank St & Somerset St W, Ottawa, ON"},
		{"Somerset W and Bank, Ottawa", "street 0.94 Somerset St W & Bank St, Ottawa, ON [street_type]"},
		{"corner of Somerset St W & Bnak St, Ottawa", "street 0.90 Somerset St W & Bank St, Ottawa, ON [street_name]"},
		{"Bank St at 3rd Avenue, Ottawa", "street 1.00 Bank St & 3rd Ave, Ottawa, ON"},
		{"angle Rachel et rue Bank, Perth", "street 0.97 rue Rachel & Bank St, Perth, ON [street_type]"},
		{"Bank St & rue Rachel", "street 0.96 Bank St & rue Rachel, Perth, ON"},
		{"Bank St & Back Lane, Ottawa", "none"},
		{"Bank St & Far Rd, Ottawa", "none"},
		{"Bank St & Nowhere Rd, Ottawa", "none"},
		{"Bank St & Bank St, Ottawa", "none"},
		{"Bank St & Somerset St, Toronto", "none"},
		{"Nowhere & Else, Ottawa", "place 0.85 Ottawa, ON [street_name]"},
		{"Bank St & Somerset St W, Ottawa QC", "none"},
	} {
		f, found := find(t, table, c.line, c.want)
		if !found {
			continue
		}
		if len(f.Matches) == 1 && f.Matches[0].Level == Street {
			m, at := f.Matches[0], metres(0, 0)
			if strings.Contains(m.Text, "3rd") {
				at = metres(0, 200)
			} else if strings.Contains(m.Text, "Perth") {
				at = metres(70000, -50000)
			}
			p, _ := coord.NewPoint(m.Lng, m.Lat)
			if d := geo.Distance(p.Orb(), at.Orb()); d > m.UncertaintyM || m.UncertaintyM > 200 {
				t.Errorf("%s is %.0f m off, within %.0f m", c.line, d, m.UncertaintyM)
			}
		}
		if table.Find(&Query{Address: address.Read(c.line), Level: InRange}, &f); len(f.Matches) > 0 {
			t.Errorf("%s has an address: %s", c.line, show(f.Matches))
		}
	}
}

// TestOtherCountries: towns here have names of towns elsewhere.
func TestOtherCountries(t *testing.T) {
	var records []Record
	for i, street := range []string{"Downing St", "Rivoli St", "Main St", "High St", "Avenue Anatole France"} {
		for _, place := range []string{"London", "Paris", "Sydney", "Perth"} {
			for _, number := range []string{"1", "10", "12", "104"} {
				records = append(records, Record{Number: number, Street: street, Place: place, Region: ontario,
					Point: metres(float64(100*i), float64(1000*len(place))), Source: "city"})
			}
		}
	}
	table := table(t, records, nil)
	for _, line := range []string{
		"10 Downing Street, London SW1A 2AA", "10 Downing St, London, UK", "10 Downing Street, London, England SW1A 2AA",
		"10 Downing Street\nLondon\nSW1A 2AA\nUnited Kingdom", "10 Downing St (Westminster), London, United Kingdom",
		"1 rue de Rivoli, 75001 Paris", "1 rue de Rivoli, Paris, France", "1, rue de Rivoli, F-75001 Paris", "1 rue de Rivoli, Paris 75001",
		"104 Main St, Sydney NSW 2000", "104 Main St, Sydney, Australia", "104 Main Street, Perth WA 6000", "12 High St, Perth PH1 5TJ, Scotland",
		"12 High Street, London W1, Great Britain", "5 Avenue Anatole France, 75007 Paris",
	} {
		var f Found
		if table.Find(&Query{Address: address.Read(line), Level: Street}, &f); len(f.Matches) > 0 {
			t.Errorf("%s is %s", line, show(f.Matches))
		}
	}
}

// TestFindNothing has what is no address: nothing is found, whatever level is asked for.
func TestFindNothing(t *testing.T) {
	table := table(t, first(town()), second(town()))
	for _, text := range []string{
		"' OR 1=1; DROP TABLE address; --", "<script>alert(104)</script>", "<b>104</b>", strings.Repeat("104 Main St, Ottawa ", 500),
		"10 Downing Street, London SW1A 2AA, United Kingdom", "Unter den Linden 77, 10117 Berlin", "5 Avenue Anatole France, 75007 Paris",
		"104 Main St, Sydney NSW 2000, Australia", "Rua Augusta 104, São Paulo", "〒100-8111 東京都千代田区千代田1-1", "ул. Тверская, 104, Москва",
		"\xff\xfe1\x000\x004\x00", "N/A", "unknown", "-", "NULL", "#REF!", "45.4215, -75.6972",
		"2019-05-13", "(613) 555-0104", "104", "100 %",
		"someone@example.org", "https://example.org/104", "$104.00", "St", "rue", "PO Box 104, Ottawa ON", "\x00\x00",
	} {
		var f Found
		table.Find(&Query{Address: address.Read(text), Level: Place}, &f)
		if len(f.Matches) > 0 && f.Matches[0].Level < Postal {
			t.Errorf("%.60q is %s", text, show(f.Matches))
		}
	}
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// show writes matches as a line.
func show(matches []Match) string {
	if len(matches) == 0 {
		return "none"
	}
	var lines []string
	for _, m := range matches {
		line := fmt.Sprintf("%s %.2f %s", LevelNames[m.Level], m.Score, m.Text)
		if m.Changed != 0 {
			line += " [" + strings.Join(m.Changed.Names(), " ") + "]"
		}
		lines = append(lines, line)
	}
	if len(lines) > 1 {
		lines[0] = "ambiguous " + lines[0]
	}
	return strings.Join(lines, "; ")
}
