package placement

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/schemas"
)

// box is a ground of one state.
type box orb.Bound

func (b box) Empty() bool               { return orb.Bound(b) == orb.Bound{} }
func (b box) Contains(p orb.Point) bool { return orb.Bound(b).Contains(p) }
func (b box) Touches(o orb.Bound) bool  { return orb.Bound(b).Intersects(o) }
func (b box) Names() []string           { return []string{"US_MD"} }

func TestCheck(t *testing.T) {
	maryland := box{Min: orb.Point{-80, 38}, Max: orb.Point{-75, 40}}
	poi := func(source string, number int, lng, lat float64) string {
		return fmt.Sprintf("INSERT INTO poi (source_id, source_key, lng, lat, scheme, classes) VALUES ('%s', '%d', %v, %v, 'quartier', '[]')",
			source, number, lng, lat)
	}
	line, err := geo.WKB(orb.LineString{{-76, 39}, {-76.1, 39.1}})
	if err != nil {
		t.Fatal(err)
	}
	street := fmt.Sprintf(`INSERT INTO street (source_id, source_key, class, foot, bicycle, car, bridge, tunnel, geom) VALUES ('s', 'k', `+
		`'residential', true, true, 'both', false, false, '%s'::BLOB)`, hex(line))
	tile := func(west, north float64) string {
		return fmt.Sprintf(`INSERT INTO elevation_tile (source_id, tile, west, north, step_lng, step_lat, "columns", "rows", cells) VALUES `+
			`('s', 0, %v, %v, 0.01, 0.01, 100, 100, ''::BLOB)`, west, north)
	}
	swapped := make([]string, 0, 1500)
	for i := range 1500 {
		swapped = append(swapped, poi("s", i, 39, -76))
	}
	for _, tt := range []struct {
		name   string
		rows   []string
		ground Ground
		want   string
	}{
		{"one is inside", []string{poi("s", 1, 2, 48), poi("s", 2, -76, 39)}, maryland, ""},
		{"inside after many that are not", append(swapped[:1200:1200], poi("s", 2000, -76, 39)), maryland, ""},
		{"none is", []string{poi("s", 1, 2, 48), poi("s", 2, 3, 48)}, maryland, "source s, file s.csv: none of its 2 places is in US_MD"},
		{"swapped", swapped, maryland, "none of its 1500 places is in US_MD; with longitude and latitude swapped, 1500 would be"},
		{"places are not, streets are", []string{poi("s", 1, 2, 48), street}, maryland, ""},
		{"a tile that reaches inside", []string{tile(-80.9, 38.5)}, maryland, ""},
		{"a tile that does not", []string{tile(-82, 38.5)}, maryland, "none of its 1 elevation tiles is in US_MD"},
		{"rows without a position", nil, maryland, ""},
		{"no state is known", []string{poi("s", 1, 2, 48)}, box{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, err := duck.Create(filepath.Join(t.TempDir(), "staged.duckdb"), schemas.Staged)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			const source = "INSERT INTO source (source_id, priority, kind, path, sha256, bytes, as_of, licence, attribution, rows_read, " +
				"rows_staged) VALUES ('s', 0, 'places', 's.csv', '', 0, '2021-01-01', '', '', 1, 1)"
			if _, err := db.Exec(strings.Join(append([]string{source}, tt.rows...), ";")); err != nil {
				t.Fatal(err)
			}
			err = Check(t.Context(), db, tt.ground)
			if (err == nil) != (tt.want == "") || err != nil && (!errors.Is(err, ErrOutside) || !strings.HasSuffix(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// hex is bytes as a literal of DuckDB.
func hex(data []byte) string {
	var text strings.Builder
	for _, b := range data {
		fmt.Fprintf(&text, `\x%02X`, b)
	}
	return text.String()
}
