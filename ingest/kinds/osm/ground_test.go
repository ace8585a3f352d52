package osm_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/kinds/osm"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

// All other tables are the same with and without the ground.
func TestGroundChangesNothingElse(t *testing.T) {
	pikesville := testenv.Data("us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf")
	for _, path := range []string{"testdata/ville.osm", "testdata/rues.osm", pikesville} {
		testenv.SkipWithoutData(t, path)
		digests := map[string][]duck.TableDigest{}
		read := map[string]int64{}
		for _, options := range []string{"ground: true", "ground: false"} {
			in := source.Input{Source: "osm", Path: path, Country: "CA", State: "QC", Options: sourcetest.Options(t, options)}
			summary, db, err := sourcetest.Stage(t, osm.Kind, in)
			if err != nil {
				t.Fatal(err)
			}
			if has := sourcetest.Ask(t, db, "SELECT count(*) > 0 FROM ground"); "ground: "+has != options {
				t.Errorf("%s, %s: there is ground: %s", path, options, has)
			}
			tables, err := duck.Digest(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			digests[options] = slices.DeleteFunc(tables, func(d duck.TableDigest) bool { // source and issue count the ground
				return d.Table == "ground" || d.Table == "source" || d.Table == "issue" || d.Table == "source_issue"
			})
			read[options] = summary.Read
		}
		if diff := cmp.Diff(digests["ground: false"], digests["ground: true"]); diff != "" || read["ground: true"] != read["ground: false"] {
			t.Errorf("%s: %v rows read, tables (-without +with the ground):\n%s", path, read, diff)
		}
	}
}

// The sea is right of a coast; a coast that leaves the extract is cut there, and one that is known in part makes no sea.
func TestSeaOfAnExtract(t *testing.T) {
	const header = `<osm version="0.6"><bounds minlat="43" minlon="-66" maxlat="44" maxlon="-65"/>`
	const rest = `<node id="1" lat="42.5" lon="-65.5"/>
<node id="2" lat="43.2" lon="-65.5"/><node id="3" lat="43.8" lon="-65.5"/><node id="4" lat="44.5" lon="-65.5"/></osm>`
	for _, c := range []struct{ ways, want string }{
		{`<way id="1"><nd ref="4"/><nd ref="3"/><nd ref="2"/><nd ref="1"/><tag k="natural" v="coastline"/></way>`, "ocean/1"},
		{`<way id="1"><nd ref="4"/><nd ref="3"/><tag k="natural" v="coastline"/></way>
<way id="2"><nd ref="3"/><nd ref="2"/><nd ref="1"/><tag k="natural" v="coastline"/></way>`, "ocean/1"},
		{`<way id="1"><nd ref="4"/><nd ref="3"/><nd ref="2"/><tag k="natural" v="coastline"/></way>`, ""},
		{`<way id="1"><nd ref="4"/><nd ref="3"/><nd ref="2"/><nd ref="99"/><tag k="natural" v="coastline"/></way>`, ""},
	} {
		in := source.Input{Source: "osm", Path: sourcetest.File(t, "coast.osm", header+c.ways+rest), Options: sourcetest.Options(t, "{}")}
		_, db, err := sourcetest.Stage(t, osm.Kind, in)
		if err != nil {
			t.Fatal(err)
		}
		if got := sourcetest.Ask(t, db, "SELECT source_key FROM ground WHERE layer = 'ocean'"); got != c.want {
			t.Errorf("%s makes %q, want %q", c.ways, got, c.want)
		}
	}
}
