package addresses

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"golang.org/x/text/encoding/charmap"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/testenv"
)

// corpus is addresses of a place from one source, and those of the same place as another one writes them.
type corpus struct {
	name     string
	language string
	records  []Record
	typed    []typed
	missed   float64 // the greatest share of the lines in the data that is not found exactly
}

func regionOf(country, code string) address.Region {
	return address.Region{Country: country, Code: code}
}

// pikesville is the house numbers of OpenStreetMap north-west of Baltimore, and the schools there as NCES has their addresses. A
// house without a town has that of the nearest before it in the file.
func pikesville(t testing.TB) corpus {
	c := corpus{name: "EDGE schools in Pikesville's OpenStreetMap", language: "en", missed: .35}
	box := newBox()
	for _, h := range houses(t, testenv.NeedData(t, "us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf")) {
		h.Region = regionOf("US", "MD")
		if h.Place == "" {
			h.Place = "Baltimore"
		}
		c.records = append(c.records, h)
		box.add(h.Point)
	}
	c.typed = edge(t, func(p coord.Point, _ map[string]string) bool { return box.has(p) })
	return c
}

// edge is the addresses of schools that NCES has, where they are wanted.
func edge(t testing.TB, wanted func(coord.Point, map[string]string) bool) (lines []typed) {
	for _, r := range read(t, "us-national/nces_edge_public_201415_subset.csv") {
		if p := pointOf(t, r["LONGCODE"], r["LATCODE"]); wanted(p, r) {
			lines = append(lines, typed{r["LSTREE"] + ", " + r["LCITY"] + ", " + r["LSTATE"] + " " + r["LZIP"], p})
		}
	}
	return lines
}

// washington is the schools of Washington as NCES has them with coordinates, and as its search of schools writes their
// addresses seven years later.
func washington(t testing.TB) corpus {
	c := corpus{name: "Washington's schools in EDGE's", language: "en", missed: .02}
	at := map[string]coord.Point{}
	for _, r := range read(t, "us-national/nces_edge_public_201415_subset.csv") {
		p := pointOf(t, r["LONGCODE"], r["LATCODE"])
		number, street, _ := strings.Cut(r["LSTREE"], " ")
		if address.ReadNumber(number) == (address.Number{}) {
			continue
		}
		at[r["NCESSCH"]] = p
		c.records = append(c.records, Record{Number: number, Street: street, Place: r["LCITY"], Region: regionOf("US", r["LSTATE"]),
			Postal: r["LZIP"], Point: p, Source: "nces"})
	}
	for _, r := range read(t, "us-national/nces_school_search_wa.csv") {
		if p, found := at[r["NCES School ID"]]; found {
			c.typed = append(c.typed, typed{r["Street Address"] + ", " + r["City"] + ", WA " + r["ZIP"], p})
		}
	}
	return c
}

// seattle is the house numbers of Seattle's shops and schools in OpenStreetMap with those of EDGE, and the schools of the city's
// lists.
func seattle(t testing.TB) corpus {
	c := corpus{name: "Seattle's lists in EDGE's and OpenStreetMap", language: "en", missed: .02}
	for _, r := range read(t, "us-national/nces_edge_public_201415_subset.csv") {
		number, street, _ := strings.Cut(r["LSTREE"], " ")
		if r["LCITY"] == "SEATTLE" && address.ReadNumber(number) != (address.Number{}) {
			c.records = append(c.records, Record{Number: number, Street: street, Place: "Seattle", Region: regionOf("US", "WA"),
				Postal: r["LZIP"], Point: pointOf(t, r["LONGCODE"], r["LATCODE"]), Source: "nces", Accuracy: Parcel})
		}
	}
	for _, name := range []string{"2", "3", "4"} {
		for _, r := range overpass(t, "us-seattle/osm/overpass-"+name+".json") {
			r.Place, r.Region = "Seattle", regionOf("US", "WA")
			c.records = append(c.records, r)
		}
	}
	for _, kind := range []string{"Public", "Private"} {
		for _, r := range read(t, "us-seattle/schools/city_"+kind+"_Schools.csv") {
			c.typed = append(c.typed, typed{r["ADDRESS"] + ", " + r["CITY"] + " WA " + r["ZIP"], pointOf(t, r["X"], r["Y"])})
		}
	}
	return c
}

// district is Washington's centres of child development, whose addresses are written 2801 STANTON RD, SE, in EDGE's addresses of
// schools, in which many of them are.
func district(t testing.TB) corpus {
	c := corpus{name: "Washington DC's centres in EDGE's", language: "en", missed: .02}
	for _, r := range read(t, "us-national/nces_edge_public_201415_subset.csv") {
		number, street, _ := strings.Cut(r["LSTREE"], " ")
		if r["LSTATE"] == "DC" && address.ReadNumber(number) != (address.Number{}) {
			c.records = append(c.records, Record{Number: number, Street: street, Place: r["LCITY"], Region: regionOf("US", "DC"), Postal: r["LZIP"],
				Point: pointOf(t, r["LONGCODE"], r["LATCODE"]), Source: "nces"})
		}
	}
	for _, r := range read(t, "us-dc/open-data/Child_Development_Centers.csv") {
		c.typed = append(c.typed, typed{r["ADDRESS"] + ", Washington, DC " + r["ZIPCODE"], pointOf(t, r["X"], r["Y"])})
	}
	return c
}

// directory is the national directory of schools of Canada, whose parts are in columns, and another edition of it, which has
// them in one line as each province writes it.
func directory(t testing.TB, region, language string) corpus {
	c := corpus{name: "ODEF's lines in its columns, " + region, language: language, missed: .03}
	towns := map[string]bool{}
	for _, r := range read(t, "ca-ottawa/odef/lode_odef_v1_like_19cols.csv") {
		if !strings.EqualFold(r["prov_terr"], region) || !strings.HasPrefix(r["longitude"], "-") || address.ReadNumber(r["street_no"]) ==
			(address.Number{}) || address.ReadStreet(r["street_name"]).Name == "" {
			continue
		}
		towns[address.Place(r["municipality_name"])], towns[address.Place(r["csdname"])] = true, true
		c.records = append(c.records, Record{Number: r["street_no"], Street: r["street_name"], Place: r["municipality_name"],
			Also: r["csdname"], Region: regionOf("CA", region), Point: pointOf(t, r["longitude"], r["latitude"]), Source: "odef"})
	}
	for _, r := range read(t, "ca-ottawa/odef/odef_v2_subset_13cols.csv") {
		if r["Prov_Terr"] == region && r["Full_Addr"] != "" && strings.HasPrefix(r["Longitude"], "-") {
			line, _ := charmap.ISO8859_1.NewDecoder().String(r["Full_Addr"])
			if city, _ := charmap.ISO8859_1.NewDecoder().String(r["City"]); !towns[address.Place(city)] {
				continue // Scarborough, which the other edition has as Toronto
			}
			c.typed = append(c.typed, typed{line, pointOf(t, r["Longitude"], r["Latitude"])})
		}
	}
	return c
}

// ottawa is the lists of the city and OpenStreetMap's places to eat, and the city's schools, whose streets are in both
// languages, as in boul. Charlemagne Blvd.
func ottawa(t testing.TB) corpus {
	c := corpus{name: "Ottawa's schools in its other lists", language: "en, fr", missed: .05}
	add := func(line, place string, p coord.Point, source string) {
		number, street, found := strings.Cut(strings.TrimSpace(line), " ")
		if found && address.ReadNumber(number) != (address.Number{}) && address.ReadStreet(street).Name != "" {
			c.records = append(c.records, Record{Number: number, Street: street, Place: place, Region: ontario, Point: p, Source: source})
		}
	}
	for _, name := range []string{"hospitals", "recreation_facilities", "libraries"} {
		for _, r := range read(t, "ca-ottawa/open-data/"+name+"_raw.csv") {
			add(r["ADDRESS"], "Ottawa", pointOf(t, r["LONGITUDE"], r["LATITUDE"]), "city")
		}
	}
	for _, r := range directory(t, "ON", "").records {
		if math.Abs(float64(r.Point.Lng)+757000000) < 6000000 && math.Abs(float64(r.Point.Lat)-453000000) < 3000000 {
			c.records = append(c.records, r)
		}
	}
	c.records = append(c.records, overpass(t, "ca-ottawa/osm/osm_overpass_ottawa_food_2023-05-19.geojson")...)
	for i := range c.records {
		c.records[i].Place, c.records[i].Region = "Ottawa", ontario
	}
	for _, r := range read(t, "ca-ottawa/open-data/schools_raw.csv") {
		if r["NUM"] != "" && r["STREET"] != "" {
			c.typed = append(c.typed, typed{r["NUM"] + " " + r["STREET"] + ", Ottawa ON", pointOf(t, r["LONGITUDE"], r["LATITUDE"])})
		}
	}
	return c
}

// parks is Ottawa's parks, whose addresses are in English and French: those in the one language in the table of the other.
func parks(t testing.TB, from, to string) corpus {
	c := corpus{name: "Ottawa's parks in " + to, language: from, missed: .01}
	column := map[string]string{"en": "ADDRESS", "fr": "ADDRESS_FR"}
	for _, r := range read(t, "ca-ottawa/open-data/parks_raw.csv") {
		written, kept := r[column[from]], r[column[to]]
		if r["LATITUDE"] == "" || written == "" {
			continue
		}
		p := pointOf(t, r["LONGITUDE"], r["LATITUDE"])
		number, rest, _ := strings.Cut(strings.Replace(kept, ", ", " ", strings.Count(kept, ",")-1), " ")
		street, town, found := strings.Cut(rest, ", ")
		if !found || address.ReadNumber(number) == (address.Number{}) || address.ReadStreet(street).Name == "" {
			continue
		}
		c.records = append(c.records, Record{Number: number, Street: street, Place: town, Region: ontario, Point: p, Source: "city"})
		c.typed = append(c.typed, typed{written, p})
	}
	return c
}

// houses is the house numbers of an extract of OpenStreetMap, with the middle of their outlines.
func houses(t testing.TB, path string) (list []Record) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scanner := osmpbf.New(context.Background(), file, 1)
	defer scanner.Close()
	at := map[osm.NodeID][2]float64{}
	var ways []*osm.Way
	add := func(tags osm.Tags, x, y float64) {
		if p, ok := coord.NewPoint(x, y); ok {
			list = appendHouse(list, tags.Map(), p)
		}
	}
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			at[o.ID] = [2]float64{o.Lon, o.Lat}
			add(o.Tags, o.Lon, o.Lat)
		case *osm.Way:
			if o.Tags.Find("addr:housenumber") != "" {
				ways = append(ways, o)
			}
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	for _, w := range ways {
		b := newBox()
		for _, n := range w.Nodes {
			p, _ := coord.NewPoint(at[n.ID][0], at[n.ID][1])
			b.add(p)
		}
		x, y := b.middle().Degrees()
		add(w.Tags, x, y)
	}
	return list
}

func appendHouse(list []Record, tags map[string]string, p coord.Point) []Record {
	number, street := tags["addr:housenumber"], tags["addr:street"]
	if address.ReadNumber(number) == (address.Number{}) || address.ReadStreet(street).Name == "" {
		return list
	}
	return append(list, Record{Number: number, Street: street, Place: tags["addr:city"], Postal: tags["addr:postcode"], Point: p,
		Source: "osm"})
}

// overpass is the house numbers of an answer of Overpass, as JSON or GeoJSON.
func overpass(t testing.TB, name string) (list []Record) {
	file, err := os.ReadFile(testenv.NeedData(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Elements []struct {
			ID       int64
			Lat, Lon float64
			Nodes    []int64
			Tags     map[string]string
		}
		Features []struct {
			Properties map[string]any
			Geometry   struct{ Coordinates any }
		}
	}
	if err := json.Unmarshal(file, &answer); err != nil {
		t.Fatal(err)
	}
	at := map[int64]coord.Point{}
	for _, e := range answer.Elements {
		if e.Lat != 0 {
			at[e.ID], _ = coord.NewPoint(e.Lon, e.Lat)
		}
	}
	for _, e := range answer.Elements {
		b := newBox()
		for _, n := range append(e.Nodes, e.ID) {
			if p, found := at[n]; found {
				b.add(p)
			}
		}
		if b.any {
			list = appendHouse(list, e.Tags, b.middle())
		}
		if n := len(list) - 1; n >= 0 && len(e.Nodes) > 0 && e.Tags["building"] == "" && list[n].Point == b.middle() {
			list[n].Accuracy = Parcel // as ingest has it
		}
	}
	for _, f := range answer.Features {
		b := newBox()
		b.addAll(f.Geometry.Coordinates)
		tags := map[string]string{}
		for k, v := range f.Properties {
			tags[k], _ = v.(string)
		}
		list = appendHouse(list, tags, b.middle())
	}
	return list
}

// box is the bounds of points.
type box struct {
	low, high coord.Point
	any       bool
}

func newBox() *box {
	const most = math.MaxInt32
	return &box{low: coord.Point{Lng: most, Lat: most}, high: coord.Point{Lng: -most, Lat: -most}}
}

func (b *box) add(p coord.Point) {
	b.low = coord.Point{Lng: min(b.low.Lng, p.Lng), Lat: min(b.low.Lat, p.Lat)}
	b.high = coord.Point{Lng: max(b.high.Lng, p.Lng), Lat: max(b.high.Lat, p.Lat)}
	b.any = true
}

// addAll adds the points of a geometry of GeoJSON.
func (b *box) addAll(coordinates any) {
	list, _ := coordinates.([]any)
	if len(list) >= 2 {
		x, isNumber := list[0].(float64)
		if y, ok := list[1].(float64); ok && isNumber {
			p, _ := coord.NewPoint(x, y)
			b.add(p)
			return
		}
	}
	for _, part := range list {
		b.addAll(part)
	}
}

func (b *box) has(p coord.Point) bool {
	return p.Lng >= b.low.Lng && p.Lng <= b.high.Lng && p.Lat >= b.low.Lat && p.Lat <= b.high.Lat
}

func (b *box) middle() coord.Point {
	return coord.Point{Lng: int32((int64(b.low.Lng) + int64(b.high.Lng)) / 2), Lat: int32((int64(b.low.Lat) + int64(b.high.Lat)) / 2)}
}
