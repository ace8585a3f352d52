package addresses

import (
	"bytes"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/testenv"
)

// read returns the rows of a CSV file of the real data, by column.
func read(t testing.TB, name string) (rows []map[string]string) {
	t.Helper()
	file, err := os.ReadFile(testenv.NeedData(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(file, []byte("\n")) { // lines that end in a carriage return
		file = bytes.ReplaceAll(file, []byte("\r"), []byte("\n"))
	}
	all, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[strings.TrimPrefix(name, "\ufeff")] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func pointOf(t testing.TB, lng, lat string) coord.Point {
	x, err1 := strconv.ParseFloat(lng, 64)
	y, err2 := strconv.ParseFloat(lat, 64)
	p, ok := coord.NewPoint(x, y)
	if err1 != nil || err2 != nil || !ok {
		t.Fatal(lng, lat)
	}
	return p
}

// typed is an address as somebody types it, and where it is.
type typed struct {
	line string
	at   coord.Point
}

// hamilton is 5,000 addresses of Hamilton County, Ohio.
func hamilton(t testing.TB) (records []Record, lines []typed) {
	ohio := address.Region{Country: "US", Code: "OH"}
	for _, r := range read(t, "formats/addresses/nad/nad_hamilton_oh_r22_sample.csv") {
		street := ""
		for _, part := range []string{"predirectional", "premodifier", "pretype", "name", "posttype", "postdirectional"} {
			street = strings.TrimSpace(street + " " + r["street_"+part])
		}
		number := strings.TrimSpace(r["number_prefix"] + r["number_digits"] + " " + r["number_suffix"])
		p := pointOf(t, r["lon"], r["lat"])
		records = append(records, Record{Number: number, Street: street, Unit: r["subaddress"], Place: r["place_name"], Region: ohio,
			Postal: r["place_zipcode"], Point: p, Source: "nad"})
		lines = append(lines, typed{strings.Join([]string{number + " " + street, r["place_name"], "OH " + r["place_zipcode"]}, ", "), p})
	}
	return records, lines
}

// franciscan is the addresses of a part of San Francisco, with units.
func franciscan(t testing.TB) (records []Record, lines []typed) {
	california := address.Region{Country: "US", Code: "CA"}
	for _, r := range read(t, "formats/addresses/openaddresses/us-ca-san_francisco.csv") {
		if r["ST_NAME"] == "UNKNOWN" { // with number 0
			continue
		}
		p := pointOf(t, r["LONGITUDE"], r["LATITUDE"])
		number, street := r["ADDR_NUM"]+r["ADDR_N_SFX"], r["ST_NAME"]+" "+r["ST_TYPE"]
		records = append(records, Record{Number: number, Street: street, Unit: r["UNIT_NUM"], Place: "San Francisco", Region: california,
			Postal: r["ZIPCODE"], Point: p, Source: "city"})
		line := number + " " + street
		if r["UNIT_NUM"] != "" {
			line += " #" + r["UNIT_NUM"]
		}
		lines = append(lines, typed{line + ", San Francisco CA", p})
	}
	return records, lines
}

// TestRealAddressesAreFound looks real addresses up in the table of them, as written, without commas, and with two letters
// of the street that changed places.
func TestRealAddressesAreFound(t *testing.T) {
	for _, c := range []struct {
		name string
		data func(testing.TB) ([]Record, []typed)
	}{{"Hamilton County", hamilton}, {"San Francisco", franciscan}} {
		records, lines := c.data(t)
		table := table(t, records, nil)
		for _, way := range []struct {
			name   string
			write  func(string) string
			answer float64 // share that has to be answered
		}{
			{"as written", func(s string) string { return s }, .995},
			{"without commas", func(s string) string { return strings.ReplaceAll(s, ",", "") }, .99},
			{"one error", misspelled, .90},
		} {
			var f Found
			exact, ambiguous, wrong, far := 0, 0, 0, 0
			begin := time.Now()
			for _, l := range lines {
				line := way.write(l.line)
				table.Find(&Query{Address: address.Read(line), Level: InRange}, &f)
				switch {
				case len(f.Matches) == 0:
				case f.Ambiguous():
					ambiguous++
				default:
					exact++
					p, _ := coord.NewPoint(f.Matches[0].Lng, f.Matches[0].Lat)
					if d := geo.Distance(p.Orb(), l.at.Orb()); d > 60 {
						far++
						if d > 300 {
							wrong++
						}
						if far < 8 {
							t.Logf("%s: %.0f m from %s", line, d, show(f.Matches))
						}
					}
				}
				if way.name != "one error" && len(f.Matches) == 0 {
					t.Logf("nothing: %s", line)
				}
			}
			took := time.Since(begin)
			t.Logf("%s %s: %d of %d answered, %d ambiguous, %d over 60 m, %d over 300 m; %.0f a second", c.name, way.name, exact,
				len(lines), ambiguous, far, wrong, float64(len(lines))/took.Seconds())
			if float64(exact+ambiguous) < way.answer*float64(len(lines)) || float64(wrong) > .003*float64(exact) {
				t.Errorf("%s %s: %d of %d answered, %d ambiguous, %d wrong", c.name, way.name, exact, len(lines), ambiguous, wrong)
			}
		}
	}
}

// misspelled exchanges the second and the third letter of the longest word before the first comma.
func misspelled(line string) string {
	street, rest, _ := strings.Cut(line, ",")
	words := strings.Fields(street)
	longest := 0
	for i, w := range words {
		if len(w) > len(words[longest]) {
			longest = i
		}
	}
	if w := words[longest]; len(w) > 4 {
		words[longest] = w[:1] + w[2:3] + w[1:2] + w[3:]
	}
	return strings.Join(words, " ") + "," + rest
}
