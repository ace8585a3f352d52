package pois

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/place"
)

// TestText runs the cases of testdata/search.txt. Coordinates are metres east and north of 75.7 W 45.4 N, within 0.1 m.
//
//	pois                              a table; a line is "name x y categories [brand=ids] [tag=ids] [region=code]"
//	search x= y= radius= limit= …     hits with distances in metres, then the counts of all matches by category;
//	                                  with categories=, brands=, tags=, regions= (lists by comma)
func TestText(t *testing.T) {
	var table *Table
	datadriven.RunTest(t, "testdata/search.txt", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "pois":
			table = open(t, textRecords(t, d))
			return ""
		case "search":
			return textSearch(t, table, d)
		}
		d.Fatalf(t, "unknown command %q", d.Cmd)
		return ""
	})
}

func inMetres(x, y float64) orb.Point {
	origin := orb.Point{-75.7, 45.4}
	east, north := geo.Distance(origin, orb.Point{-75.6, 45.4})*10, geo.Distance(origin, orb.Point{-75.7, 45.5})*10
	return orb.Point{origin[0] + x/east, origin[1] + y/north}
}

func textRecords(t *testing.T, d *datadriven.TestData) (records []Record) {
	for line := range strings.Lines(d.Input) {
		fields := strings.Fields(line)
		var x, y float64
		if _, err := fmt.Sscan(fields[1]+" "+fields[2], &x, &y); err != nil {
			d.Fatalf(t, "%q: %v", line, err)
		}
		p := inMetres(x, y)
		r := Record{
			Key: fmt.Sprintf("%d", len(records)), Name: fields[0], Country: "Canada", Lng: p[0], Lat: p[1],
			Categories: strings.Split(fields[3], ","),
		}
		for _, option := range fields[4:] {
			key, value, _ := strings.Cut(option, "=")
			switch key {
			case "brand":
				r.Brands = strings.Split(value, ",")
			case "tag":
				r.Tags = strings.Split(value, ",")
			case "region":
				r.RegionCode = value
			default:
				d.Fatalf(t, "%q: unknown option %q", line, key)
			}
		}
		records = append(records, r)
	}
	return records
}

func textSearch(t *testing.T, table *Table, d *datadriven.TestData) string {
	var x, y, radius, limit int
	d.ScanArgs(t, "x", &x)
	d.ScanArgs(t, "y", &y)
	d.ScanArgs(t, "radius", &radius)
	d.ScanArgs(t, "limit", &limit)
	list := func(key string) (values []string) {
		for _, a := range d.CmdArgs {
			if a.Key == key {
				values = append(values, a.Vals...)
			}
		}
		return values
	}
	p := inMetres(float64(x), float64(y))
	q := Query{
		Shape:  Shape{Lng: p[0], Lat: p[1], RadiusM: float64(radius)},
		Filter: Filter{Brands: list("brands"), Tags: list("tags"), Regions: list("regions")},
		Limit:  limit,
	}
	for i, c := range schemas.Categories {
		for _, asked := range list("categories") {
			if c.ID == asked {
				q.Categories |= 1 << i
			}
		}
	}
	var r Result
	table.Search(&q, &r)
	var out strings.Builder
	for _, h := range r.Hits {
		var poi struct{ Name string }
		if err := json.Unmarshal(table.AppendPOI(nil, h), &poi); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %.0f m\n", poi.Name, h.Metres())
	}
	fmt.Fprintf(&out, "%d in total", r.TotalCount)
	for i, c := range schemas.Categories {
		if n := r.TotalByCategory[i]; n > 0 {
			fmt.Fprintf(&out, ", %s %d of %d", c.ID, r.ReturnedByCategory[i], n)
		}
	}
	return out.String()
}

// An attribute that is not known is no member, as in a pack of a layout before attributes.
func TestAttributes(t *testing.T) {
	known := place.Attributes{OpeningHours: "Mo-Fr 08:00-18:00", Wheelchair: "limited"}
	cafes := []string{"cafes"}
	r := Record{Key: "a", Name: "A", Country: "Canada", Lng: -75.7, Lat: 45.4, Categories: cafes, BaseCategories: cafes}
	for attributes, want := range map[place.Attributes]string{
		{}:                                 "",
		{Wheelchair: "no"}:                 `"wheelchair":"no",`,
		{OpeningHours: known.OpeningHours}: `"opening_hours":"Mo-Fr 08:00-18:00",`,
		known:                              `"opening_hours":"Mo-Fr 08:00-18:00","wheelchair":"limited",`,
	} {
		r.Attributes = attributes
		table := open(t, []Record{r})
		const enhanced = `{"name":"A",%s"lat":45.4,"lng":-75.7,"proximity":{"linear_distance_m":0},"country":"Canada",` +
			`"categories":["cafes"],"brands":[],"tags":[]}`
		if got, want := string(table.AppendPOI(nil, Hit{})), fmt.Sprintf(enhanced, want); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		more := ""
		if want != "" {
			more = "," + strings.TrimSuffix(want, ",")
		}
		const base = `{"name":"A","country":"Canada","lat":45.4,"lng":-75.7%s,"proximity":{"linear_distance":0}}`
		if got, want := string(table.AppendBasePOI(nil, Hit{})), fmt.Sprintf(base, more); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
