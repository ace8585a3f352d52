package addresses

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// way is a way to type an address, and the least share of addresses that are found so.
type way struct {
	name  string
	write func(r Record, k int) string
	found float64
}

// line writes an address as an envelope has it.
func line(r Record) string {
	text := r.Number + " " + r.Street
	if r.Unit != "" {
		text += " #" + r.Unit
	}
	return text + ", " + r.Place + ", " + r.Region.Code + " " + r.Postal
}

// with writes an address after a change of it; "": the address does not have what is changed.
func with(change func(r *Record, k int) bool) func(Record, int) string {
	return func(r Record, k int) string {
		if !change(&r, k) {
			return ""
		}
		return strings.TrimSpace(line(r))
	}
}

// inStreet makes a change of a street's words.
func inStreet(change func(words []string, k int) []string) func(Record, int) string {
	return with(func(r *Record, k int) bool {
		words := change(strings.Fields(r.Street), k)
		r.Street = strings.Join(words, " ")
		return words != nil
	})
}

// longForms are words of streets written out.
var longForms = map[string]string{"ST": "Street", "AVE": "Avenue", "RD": "Road", "DR": "Drive", "CT": "Court", "LN": "Lane",
	"PL": "Place", "BLVD": "Boulevard", "CIR": "Circle", "N": "North", "S": "South", "E": "East", "W": "West",
	"TER": "Terrace", "PKWY": "Parkway", "CV": "Cove"}

var ordinals = map[string]string{"1ST": "First", "2ND": "Second", "3RD": "Third", "4TH": "Fourth", "5TH": "Fifth", "6TH": "Sixth",
	"7TH": "Seventh", "8TH": "Eighth", "9TH": "Ninth", "10TH": "Tenth", "12TH": "Twelfth"}

// longest is the index of the longest word; −1 where none has so many letters.
func longest(words []string, letters int) int {
	best := -1
	for i, w := range words {
		if len(w) >= letters && !isDirection(w) && (best < 0 || len(w) > len(words[best])) && address.ReadNumber(w) == (address.Number{}) {
			best = i
		}
	}
	return best
}

// mistype is a word with the kth typing error: a letter that is missing, doubled, another one, or two that changed places.
func mistype(w string, k int) string {
	at := 1 + k%(len(w)-2)
	switch k % 4 {
	case 0:
		return w[:at] + w[at+1:]
	case 1:
		return w[:at] + w[at:at+1] + w[at:]
	case 2:
		return w[:at] + string(rune('A'+(k*7)%26)) + w[at+1:]
	}
	return w[:at] + w[at+1:at+2] + w[at:at+1] + w[at+2:]
}

func isDirection(w string) bool {
	return strings.Contains(" N S E W NE NW SE SW NORTH SOUTH EAST WEST ", " "+strings.ToUpper(w)+" ")
}

// ways are what people do, and what the addresses of these places do not show.
var ways = []way{
	{"as it is", with(func(*Record, int) bool { return true }), .995},
	{"capitals without commas", func(r Record, _ int) string { return strings.ToUpper(strings.ReplaceAll(line(r), ",", "")) }, .985},
	{"written out", inStreet(func(words []string, _ int) []string {
		for i, w := range words {
			if long := longForms[strings.ToUpper(w)]; long != "" && (i == 0 || i >= len(words)-2) && len(words) > 1 {
				words[i] = long
			}
		}
		return words
	}), .985},
	{"ordinals as words", inStreet(func(words []string, _ int) []string {
		for i, w := range words {
			if word := ordinals[strings.ToUpper(w)]; word != "" {
				words[i] = word
				return words
			}
		}
		return nil
	}), .99},
	{"without the type", inStreet(func(words []string, _ int) []string {
		if n := len(words) - 1; n > 0 && longForms[strings.ToUpper(words[n])] != "" && !isDirection(words[n]) {
			return words[:n]
		}
		return nil
	}), .90},
	{"another type", inStreet(func(words []string, _ int) []string {
		n := len(words) - 1
		if was := strings.ToUpper(words[n]); n > 0 && longForms[was] != "" && !isDirection(was) {
			words[n] = map[bool]string{true: "DR", false: "AVE"}[was == "AVE"]
			return words
		}
		return nil
	}), .80},
	{"without the direction", inStreet(func(words []string, _ int) []string {
		if len(words) > 2 && isDirection(words[0]) {
			return words[1:]
		}
		return nil
	}), 0}, // many are other streets then
	{"direction on the other side", inStreet(func(words []string, _ int) []string {
		if len(words) > 2 && isDirection(words[0]) && !isDirection(words[len(words)-1]) {
			return append(words[1:], words[0])
		}
		return nil
	}), .97},
	{"ZIP+4", with(func(r *Record, k int) bool { r.Postal += fmt.Sprintf("-%04d", 1000+k%9000); return len(r.Postal) > 5 }), .995},
	{"without a postal code", with(func(r *Record, _ int) bool { r.Postal = ""; return true }), .97},
	{"without a town", func(r Record, _ int) string { return r.Number + " " + r.Street + ", " + r.Postal }, .98},
	{"another postal code", with(func(r *Record, _ int) bool { r.Postal = r.Postal[:max(0, len(r.Postal)-1)] + "9"; return true }), .97},
	{"town with an error", with(func(r *Record, k int) bool {
		i := longest([]string{r.Place}, 6)
		if i == 0 {
			r.Place = mistype(r.Place, k)
		}
		return i == 0
	}), .97},
	{"one error in the street", inStreet(func(words []string, k int) []string {
		if i := longest(words, 5); i >= 0 {
			words[i] = mistype(words[i], k)
			return words
		}
		return nil
	}), .93},
	{"two errors in the street", inStreet(func(words []string, k int) []string {
		if i := longest(words, 7); i >= 0 {
			words[i] = mistype(mistype(words[i], k), k+k/4+3)
			return words
		}
		return nil
	}), .85},
	{"unit first", func(r Record, k int) string {
		r.Unit = ""
		return fmt.Sprintf([]string{"Apt %d, %s", "#%d - %s", "%d-%s", "Unit %d %s"}[k%4], 1+k%19, line(r))
	}, .97},
	{"unit after", func(r Record, k int) string {
		unit := fmt.Sprintf([]string{"Apt %d", "Suite %d", "# %d", "Unit %dB", "Fl %d"}[k%5], 1+k%19)
		return r.Number + " " + r.Street + ", " + unit + ", " + r.Place + " " + r.Region.Code + " " + r.Postal
	}, .985},
	{"two lines with the country", func(r Record, _ int) string {
		return r.Number + " " + r.Street + "\n" + r.Place + ", " + r.Region.Code + "  " + r.Postal + "\nUSA"
	}, .985},
}

// utah is the addresses of Utah's schools, half of them on a grid, as in 525 N 400 E.
func utah(t testing.TB) (records []Record) {
	for _, r := range read(t, "us-national/nces_edge_public_201415_subset.csv") {
		number, street, _ := strings.Cut(r["LSTREE"], " ")
		if r["LSTATE"] == "UT" && address.ReadNumber(number) != (address.Number{}) && street != "" && !strings.ContainsAny(street, "#(") &&
			!strings.Contains(street, "SUITE") {
			records = append(records, Record{Number: number, Street: street, Place: r["LCITY"], Region: regionOf("US", "UT"), Postal: r["LZIP"],
				Point: pointOf(t, r["LONGCODE"], r["LATCODE"]), Source: "nces"})
		}
	}
	return records
}

// TestTyping types real addresses in many ways and looks them up where all streets are, and where every tenth name is missing, so
// that an answer for one of these is another street.
func TestTyping(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []Record
		looser  float64
	}{{"Hamilton County", first(hamilton(t)), 0}, {"San Francisco", first(franciscan(t)), 0}, {"Utah", utah(t), .09}} {
		var kept, missing []Record
		for _, r := range c.records {
			if name := address.ReadStreet(r.Street).Name; spot(name)%10 == 0 {
				missing = append(missing, r)
			} else {
				kept = append(kept, r)
			}
		}
		whole, part := table(t, c.records, nil), table(t, kept, nil)
		for _, w := range ways {
			all := count(whole, c.records, w)
			other := count(part, missing, w)
			t.Logf("%-16s %-28s %5d typed, %5.1f %% found, %2d ambiguous, %2d elsewhere; of %4d missing ones %d answered, %d along streets",
				c.name, w.name, all.asked, 100*all.share(), all.ambiguous, all.wrong, other.asked, other.right+other.wrong, other.aside)
			if all.asked > 20 && all.share() < w.found-c.looser {
				t.Errorf("%s, %s: %.3f found, want %.3f", c.name, w.name, all.share(), w.found-c.looser)
			}
			if wrong := float64(all.wrong); wrong > .003*float64(all.asked)+2 {
				t.Errorf("%s, %s: %.0f of %d elsewhere", c.name, w.name, wrong, all.asked)
			}
		}
	}
}

// counts are what becomes of addresses that are typed in a way.
type counts struct{ asked, right, ambiguous, wrong, aside int }

func (c counts) share() float64 { return float64(c.right) / float64(max(1, c.asked)) }

func count(table *Table, records []Record, w way) (c counts) {
	var f Found
	for k, r := range records {
		text := w.write(r, k)
		if text == "" {
			continue
		}
		c.asked++
		table.Find(&Query{Address: address.Read(text), Level: Street}, &f)
		if len(f.Matches) == 0 {
			continue
		}
		near := slices.ContainsFunc(f.Matches, func(m Match) bool {
			p, _ := coord.NewPoint(m.Lng, m.Lat)
			return coord.NewPlane(r.Point).Square(p) < 100*100
		})
		switch {
		case near && !f.Ambiguous():
			c.right++
		case f.Ambiguous():
			c.ambiguous++
		case f.Matches[0].Level == Exact:
			c.wrong++
		default:
			c.aside++
		}
	}
	return c
}
