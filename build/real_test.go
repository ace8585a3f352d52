package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/paulmach/orb/geojson"

	"quartier/build/compare"
	"quartier/build/verify"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// neighbourhoods reads outlines of the Ottawa Neighbourhood Study as neighbourhoods.
func neighbourhoods(t *testing.T, file, scheme, id, name string) testRegion {
	t.Helper()
	data, err := os.ReadFile(testenv.NeedData(t, "ca-ottawa/ons/"+file))
	must(t, err)
	collection, err := geojson.UnmarshalFeatureCollection(data)
	must(t, err)
	kernel, err := spatialite.NewKernel()
	must(t, err)
	defer kernel.Close()
	r := testRegion{name: "ca-ottawa"}
	for _, f := range collection.Features {
		m, _, err := kernel.MakeValid(spatialite.Polygons(f.Geometry))
		must(t, err)
		b := m.Bound()
		key, err := json.Marshal(f.Properties[id])
		must(t, err)
		r.places = append(r.places, testPlace{
			key: fmt.Sprintf("%s:%s", scheme, key), name: fmt.Sprint(f.Properties[name]), level: schemas.Neighbourhood, outline: m,
			west: b.Min[0], south: b.Min[1], east: b.Max[0], north: b.Max[1], country: "CA", states: "CA_ON",
		})
	}
	return r
}

// The second generation of the study's outlines had 111 neighbourhoods of Ottawa, the third has 116 of them and 45 of
// the country around it: hardly an outline stayed, most changed a little, some were cut in two.
func TestOttawasNeighbourhoodsChangeGeneration(t *testing.T) {
	second := neighbourhoods(t, "ons_gen2_neighbourhoods_en_fr.geojson", "ons", "ONS_ID", "Name")
	third := neighbourhoods(t, "ons_gen3_neighbourhoods.geojson", "ons", "ONS_ID", "ONS_Name")
	_, o2 := built(t, "", second)
	m3, o3 := built(t, o2.Out, third)
	c, err := compare.Releases(context.Background(), o2.Out, o3.Out)
	must(t, err)
	t.Logf("%s", c)
	kept := int64(0)
	for _, f := range c.Geographies {
		if f.Kind == "kept" {
			kept = f.Rows
		}
	}
	if m3.Counts.Superseded+kept != int64(len(second.places)) {
		t.Errorf("%d superseded and %d kept of %d", m3.Counts.Superseded, kept, len(second.places))
	}
	if n := rows(t, o3, schemas.GeographiesFile, "SELECT count(*) FROM geography_superseded WHERE replaced_by IS NULL"); !slices.Equal(n,
		[]string{"0"}) {
		t.Errorf("%s neighbourhoods have no successor although all of Ottawa is still covered", n)
	}
	got := rows(t, o3, schemas.GeographiesFile, `SELECT b.kind || ': ' || s.name_en || ' → ' || g.name_en || ' ' || round(b.area_share, 2)
		FROM geography_superseded AS s JOIN geog_bridge AS b ON b.old_geog_id = s.geog_id JOIN geography AS g ON g.geog_id = b.new_geog_id`)
	for _, want := range []string{
		"reversion: Centretown → CENTRETOWN 0.99",
		"reversion: Carp → CARP 0.64",
		"reversion: Carp → KINBURN 0.35",
		"split: Greenbelt → GREENBELT (EAST) 0.46",
		"split: Greenbelt → GREENBELT (WEST) 0.44",
		"merge: Notre-Dame Cemetery → MANOR PARK 0.64",
		"redrawn: Stittsville → STITTSVILLE 0.32",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the bridge lacks %q", want)
		}
	}
	_, err = verify.Release(context.Background(), o3.Out, "")
	must(t, err)
}
