package geojson

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// all reads all features; unreadable ones are errors in the list.
func all(text string) (list []string, crs string, err error) {
	r := NewReader(strings.NewReader(text), source.Limits{})
	for {
		f, err := r.Next()
		var single *FeatureError
		switch {
		case err == io.EOF:
			return list, r.CRS, nil
		case errors.As(err, &single):
			list = append(list, err.Error())
		case err != nil:
			return list, r.CRS, err
		default:
			list = append(list, fmt.Sprintf("%d %s %s %v", f.Number, f.ID, f.Properties, f.Geometry))
		}
	}
}

func TestNext(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain",
			`{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"x":1},"geometry":{"type":"Point","coordinates":[1,` +
				`2,3]}}]}`,
			`1 a {"x":1} [1 2]`},
		{"mark, crs, no properties, number as id",
			"\ufeff" + `{"crs":{"type":"name","properties":{"name":"EPSG:2950"}},"features":[{"id":7,"geometry":null}],"more":[1]}`,
			`1 7  <nil>`},
		{"lines", `{"type":"Feature","id":"a","geometry":null}` + "\n" + `{"type":"Feature","id":"b","properties":null}` + "\n",
			`1 a  <nil>|2 b  <nil>`},
		{"one line", `{"type":"Feature","id":"a"}`, `1 a  <nil>`},
		{"bad ones between",
			`{"features":[1,{"id":"b"},{"geometry":{"type":"Point","coordinates":[null,1]}},{"geometry":{"type":"Circle"}},{"id":"\u00e9"}, ` +
				`{"id":"` + "\xe9" + `"}]}`,
			`feature 1: malformed_record|2 b  <nil>|feature 3: invalid_coordinate|feature 4: unsupported_geometry_type|5 é  <nil>|feature 6: ` +
				`invalid_utf8`},
		{"empty", `{"type":"FeatureCollection","features":[]}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, _, err := all(tt.text)
			if got := strings.Join(list, "|"); err != nil || got != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
	if _, crs, _ := all(tests[1].text); crs != "EPSG:2950" {
		t.Errorf("crs %q", crs)
	}
}

func TestNextBadFile(t *testing.T) {
	complete := `{"type":"FeatureCollection","features":[{"id":"a"},{"id":"b"}]}`
	texts := []string{"", "[]", "{}", "null", "PAR1", `{"type":"Topology","features":[]}`, `{"features":{}}`, complete + "x",
		complete + complete}
	for i := range len(complete) {
		texts = append(texts, complete[:i])
	}
	for _, text := range texts {
		if _, _, err := all(text); !errors.Is(err, source.ErrBadFile) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestGeometryRefuses(t *testing.T) {
	for _, text := range []string{
		`{"type":"Point"}`, `{"type":"Point","coordinates":null}`, `{"type":"Point","coordinates":[1]}`,
		`{"type":"Point","coordinates":["1","2"]}`, `{"type":"Point","coordinates":[1e999,2]}`,
		`{"type":"LineString","coordinates":[[1,2],null]}`, `{"type":"Polygon","coordinates":[[[1,2],[null,2]]]}`,
		`{"type":"Polygon","coordinates":[1,2]}`, `{"type":"MultiPolygon","coordinates":[[[[]]]]}`, `[]`, `5`,
		strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 20) + strings.Repeat("]}", 20),
	} {
		if g, err := Geometry([]byte(text)); err == nil {
			t.Errorf("%s gives %v", text, g)
		}
	}
}

func TestGeometryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rings []orb.Ring
		for range rapid.IntRange(0, 3).Draw(t, "rings") {
			var ring orb.Ring
			for range rapid.IntRange(0, 5).Draw(t, "points") {
				ring = append(ring, orb.Point{rapid.Float64Range(-180, 180).Draw(t, "x"), rapid.Float64Range(-90, 90).Draw(t, "y")})
			}
			rings = append(rings, ring)
		}
		want := orb.MultiPolygon{orb.Polygon(rings)}
		var text strings.Builder
		text.WriteString(`{"type":"MultiPolygon","coordinates":[[`)
		for i, ring := range rings {
			text.WriteString(strings.Repeat(",", min(i, 1)) + "[")
			for j, p := range ring {
				fmt.Fprintf(&text, "%s[%v,%v]", strings.Repeat(",", min(j, 1)), p[0], p[1])
			}
			text.WriteString("]")
		}
		text.WriteString("]]}")
		got, err := Geometry([]byte(text.String()))
		if err != nil || !orb.Equal(got, want) {
			t.Fatalf("%s gives %v, %v", text.String(), got, err)
		}
	})
}

func TestRealFiles(t *testing.T) {
	for path, want := range map[string]int{
		"us-seattle/osm/seattle-parks-osm.geojson":                  545,
		"us-seattle/boundaries/city-limits.geojson":                 29,
		"us-national/overture/places-sample-nl.geojson":             2049,
		"ca-ottawa/osm/osm_overpass_ottawa_food_2023-05-19.geojson": 4561,
	} {
		file, err := os.Open(testenv.NeedData(t, path))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r := NewReader(file, source.Limits{})
		n := 0
		for {
			f, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil || f.Geometry == nil {
				t.Fatalf("%s: %v", path, err)
			}
			n++
		}
		if n != want {
			t.Errorf("%s: %d features, want %d", path, n, want)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add(`{"type":"FeatureCollection","features":[{"id":1,"properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}]}`)
	f.Add(`{"type":"Feature"}` + "\n" + `{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[null]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(strings.NewReader(text), source.Limits{})
		for number := 0; ; {
			feature, err := r.Next()
			var single *FeatureError
			if errors.As(err, &single) {
				number++
				continue
			}
			if err != nil {
				if err != io.EOF && !errors.Is(err, source.ErrBadFile) {
					t.Errorf("error %v", err)
				}
				return
			}
			if number++; feature.Number != number {
				t.Errorf("feature %d after %d", feature.Number, number-1)
			}
			if p, ok := feature.Geometry.(orb.Point); ok && (math.IsNaN(p[0]) || math.IsInf(p[1], 0)) {
				t.Errorf("point %v", p)
			}
		}
	})
}
