package addresses

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// badly is an address that somebody typed badly, from the tests of British Columbia's geocoder.
type badly struct {
	line, want string // as it is typed, and as it is in the lists of the province
	precision  string // what the province's geocoder finds: CIVIC_NUMBER …
	faults     []string
}

// comma puts a comma before towns that are written without one.
var comma = strings.NewReplacer(" Vancouver, BC", ", Vancouver, BC", " Kelowna, BC", ", Kelowna, BC", "West, Kelowna", "West Kelowna",
	" Victoria BC", ", Victoria, BC", " Victoria, BC", ", Victoria, BC", ",,", ",",
	"West, Vancouver", "West Vancouver", "North, Vancouver", "North Vancouver",
	"UNIT 15 31235", "31235")

var penalty = regexp.MustCompile(`:\d+`)

// faults is the addresses typed badly. Those that the province's own program fails, and those of no place, are left out.
func faults(t testing.TB) (list []badly) {
	for _, r := range read(t, "formats/addresses/bc-geocoder/atp_addresses.csv") {
		if r["status"] != "R" {
			continue
		}
		text := penalty.ReplaceAllString(strings.Trim(r["expectedFaults"], "[]"), "")
		names := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' })
		list = append(list, badly{strings.TrimSpace(r["addressString"]), r["expectedFullAddress"], r["expectedMatchPrecision"], names})
	}
	return list
}

// british is the addresses that are meant, each with its neighbours on the street, so that a wrong number, suffix or street has
// somewhere to go. Points are invented: towns lie 40 km and more from each other.
func british(list []badly) (records []Record, at map[string]coord.Point) {
	columbia := regionOf("CA", "BC")
	at = map[string]coord.Point{}
	also := map[string]string{} // the town of the post, which the lists of Statistics Canada have as well
	for _, l := range list {
		if words := strings.Split(l.line, ","); slices.Contains(l.faults, "LOCALITY.isAlias") && len(words) > 2 {
			also[l.want] = words[len(words)-2]
		}
	}
	for _, l := range list {
		number, street, place := parted(l.want, l.precision)
		if town, _, _ := strings.Cut(l.want, ","); l.precision == "LOCALITY" && (number == (address.Number{}) || strings.Contains(town, "Mile")) {
			number, street, place = address.Number{}, "Town Hall Rd", strings.TrimSpace(town)
		}
		if _, seen := at[l.want]; seen || street == "" {
			continue
		}
		p := invented(place, street)
		at[l.want] = p
		n := number
		if n == (address.Number{}) {
			n.Value = 100
		}
		for _, k := range []int32{-20, -2, 0, 2, 20} {
			if near := int32(n.Value) + k; near > 0 {
				other := address.Number{Value: uint32(near)}
				if k == 0 {
					other = n
				}
				records = append(records, Record{Number: other.String(), Street: street, Place: place, Region: columbia,
					Also: also[l.want], Point: coord.Point{Lng: p.Lng + 700*k, Lat: p.Lat}, Source: "bc"})
			}
		}
	}
	return records, at
}

// parted are the parts of an address as the province writes it: "UNIT 12 -- 345 Main St, Victoria, BC".
func parted(full, precision string) (n address.Number, street, place string) {
	if _, after, found := strings.Cut(full, " -- "); found {
		full = after
	}
	full = comma.Replace(full)
	line, rest, _ := strings.Cut(full, ",")
	place = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(rest), "BC"), ", "))
	number, name, _ := strings.Cut(line, " ")
	if half, after, found := strings.Cut(name, " "); found && half == "1/2" {
		number, name = number+" "+half, after
	}
	if n = address.ReadNumber(number); precision == "STREET" || n == (address.Number{}) || address.ReadStreet(name).Name == "" {
		return address.Number{}, line, place
	}
	return n, name, strings.TrimSuffix(place, ",")
}

// invented is the place of a street, within 4 km of its town's.
func invented(place, street string) coord.Point {
	town, way := spot(address.Place(place)), spot(street)
	return coord.Point{Lng: -1250000000 + int32(town%200)*500000 + int32(way%50000),
		Lat: 490000000 + int32(town/200%24)*400000 + int32(way/50000%50000)}
}

func spot(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

// TestFaults looks the addresses typed badly up among those that are meant.
func TestFaults(t *testing.T) {
	list := faults(t)
	records, at := british(list)
	table := table(t, records, nil)
	var f Found
	asked, found, wrong, ambiguous := map[string]int{}, map[string]int{}, 0, 0
	for _, l := range list {
		want, meant := at[l.want]
		if !meant || l.precision == "SITE" || l.precision == "INTERSECTION" || l.precision == "PROVINCE" {
			continue
		}
		a := address.Read(l.line)
		if a.Kind == address.Box || l.precision == "LOCALITY" && a.Number != (address.Number{}) && !strings.Contains(l.want, "Mile") {
			continue // boxes have no place here; streets that are not in the lists
		}
		level, within := Street, 250.0
		if l.precision == "LOCALITY" {
			level, within = Place, 4000
		}
		table.Find(&Query{Address: a, Level: level}, &f)
		right := false
		if len(f.Matches) == 1 {
			p, _ := coord.NewPoint(f.Matches[0].Lng, f.Matches[0].Lat)
			right = coord.NewPlane(want).Square(p) < within*within && (f.Matches[0].Level == Place) == (level == Place)
			if !right {
				wrong++
			}
		} else if len(f.Matches) > 1 {
			ambiguous++
		}
		names := l.faults
		if len(names) == 0 {
			names = []string{"none named"}
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
			asked[name]++
			if right {
				found[name]++
			}
		}
		asked["all"]++
		if right {
			found["all"]++
		} else {
			t.Logf("%s: %s, want %s %v", l.line, show(f.Matches), l.want, l.faults)
		}
	}
	for _, name := range slices.Sorted(keys(asked)) {
		t.Logf("%-40s %4d %4d", name, asked[name], found[name])
	}
	if t.Logf("%d wrong, %d ambiguous", wrong, ambiguous); found["all"]*100 < asked["all"]*93 || wrong*300 > asked["all"] {
		t.Errorf("%d of %d found, %d wrong", found["all"], asked["all"], wrong)
	}
}
