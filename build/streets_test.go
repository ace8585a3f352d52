package build

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/build/homes"
	"quartier/build/verify"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

func TestStreetsOfTwoRegions(t *testing.T) {
	m, o := built(t, "", northBank(), southBank())
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	c := m.Counts
	if c.StreetNodes != 6 || c.StreetEdges != 3 || c.Barriers != 1 || c.Destinations != 3 || c.TransitServices != 3 || c.Typologies != 3 ||
		c.ScoredGeographies != 0 {
		t.Errorf("counts %+v", c)
	}
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"SELECT fid || ' ' || region || ' ' || ifnull(historic, '–') || ' ' || ifnull(airport_noise, '–') || ' ' || bus_service_access FROM " +
			"street_node ORDER BY fid", []string{
			"1 us-delaware 10058 – 10000", "2 us-delaware – – 20000", "3 us-delaware 30058 30036 30000", "4 us-delaware 30058 30036 30000",
			"5 us-south 1058 1036 1000", "6 us-south 2058 2036 2000"}},
		{"SELECT fid || ' ' || a || ' ' || b || ' ' || class || ' ' || length_m || ' ' || name || ' ' || source_key FROM street_edge ORDER BY " +
			"fid", []string{
			"1 1 2 residential 100.0 Quay osm:way:7", "2 4 3 footway 100.0 Quay osm:way:7", "3 5 6 residential 100.0 Quay osm:way:7"}},
		{"SELECT d.fid || ' ' || d.region || ' ' || d.class || ' ' || d.edge || ' ' || d.along_m FROM destination AS d ORDER BY fid", []string{
			"1 us-delaware cafe 1 40.0", "2 us-delaware stop 2 100.0", "3 us-south stop 3 1.0"}},
		{"SELECT destination || ' ' || route_key || ' ' || mode || ' ' || rapid || ' ' || trips_week FROM transit_service ORDER BY 1", []string{
			"2 r1 bus 0 140", "2 r2 bus 0 7", "3 r1 ferry 0 3"}},
		{"SELECT geohash || ' ' || typology || ' ' || population_km2 || ' ' || households_km2 FROM typology ORDER BY 1", []string{
			"dqcm0zz main street hub 2000.0 1000.0", "dqcm100 rural / other 10.0 5.0", "dqcm200 transit friendly 50.0 25.0"}},
		{"SELECT version || ' ' || sha256 FROM calibration WHERE snap_m > 0",
			[]string{calibration.Standard().Version + " " + calibration.Digest()}},
		{"SELECT bus_service_access || ' ' || ifnull(historic, '–') FROM street_node_values WHERE fid IN (1, 2)",
			[]string{"1.0 1.0058", "2.0 –"}},
	} {
		if got := rows(t, o, schemas.AccessFile, tt.query); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q, want\n%q", tt.query, got, tt.want)
		}
	}
	notes := strings.Join(m.Notes, "\n")
	for _, want := range []string{
		"us-delaware: elevation is of one tile\nus-delaware: the timetable is of 2019",
		"typology cells that several regions have: 1",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
}

// openAccess opens access.pack of a release.
func openAccess(t *testing.T, o Options) *access.Table {
	t.Helper()
	f, err := pack.Open(filepath.Join(o.Out, schemas.AccessPack))
	must(t, err)
	t.Cleanup(func() { f.Close() })
	table, err := access.Open(f)
	must(t, err)
	return table
}

func TestSnappingDoesNotCrossARiver(t *testing.T) {
	_, o := built(t, "", northBank(), southBank())
	table := openAccess(t, o)
	var values [schemas.ChannelCount]uint16
	for _, tt := range []struct {
		name     string
		lng, lat float64
		edge     uint32
		first    uint16 // the first channel there
	}{
		{"on the north bank, nearer to the southern quay", -75.5595, 39.15005, 0, 15000},
		{"on the south bank", -75.5595, 39.14995, 2, 1500},
		{"at an end", -75.560, 39.1505, 0, 10000},
		{"in the other town, whose edge runs westward", -75.4492, 39.1504, 1, 30000},
	} {
		spot, ok := table.Locate(tt.lng, tt.lat)
		if !ok || spot.Edge != tt.edge {
			t.Errorf("%s: %+v %v", tt.name, spot, ok)
			continue
		}
		table.Values(spot, &values)
		if values[0] != tt.first {
			t.Errorf("%s: %d at %+v", tt.name, values[0], spot)
		}
	}
	spot, _ := table.Locate(-75.5595, 39.1504)
	table.Values(spot, &values)
	historic, _ := schemas.ChannelOf("historic")
	noise, _ := schemas.ChannelOf("airport_noise")
	if values[historic] != 10058 || values[noise] != schemas.AbsentValue {
		t.Errorf("known at one end: %d, at neither: %d", values[historic], values[noise])
	}
	if cell, ok := table.Typology("dqcm0zz"); !ok || cell != (access.Typology{Class: 1, PopulationKM2: 2000, HouseholdsKM2: 1000}) {
		t.Errorf("typology %+v %v", cell, ok)
	}
}

func TestStreetsAreReproducible(t *testing.T) {
	north := withHomes(homesOfDover)
	_, first := built(t, "", north, southBank())
	_, second := built(t, "", north, southBank())
	for _, name := range []string{schemas.ManifestFile, schemas.AccessFile, schemas.AccessPack} {
		a, err := os.ReadFile(filepath.Join(first.Out, name))
		must(t, err)
		b, err := os.ReadFile(filepath.Join(second.Out, name))
		must(t, err)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestRegionWithoutStreets(t *testing.T) {
	m, o := built(t, "", delaware())
	table := openAccess(t, o)
	if m.Counts.StreetNodes != 0 || table.Nodes() != 0 || table.Edges() != 0 || table.Scored() != 0 || table.Cells() != 0 {
		t.Errorf("counts %+v", m.Counts)
	}
	if spot, ok := table.Locate(-75.5, 39.15); ok {
		t.Errorf("a street where there is none: %+v", spot)
	}
}

func TestInvalidStreets(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(s *testStreets)
		want  string
	}{
		{"a node with invalid coordinates", func(s *testStreets) { s.nodes[1].lat = 91 }, "street_node 1: is at"},
		{"truncated channels", func(s *testStreets) { s.nodes[1].channels = s.nodes[1].encode()[:124] },
			"street_node 1: is at -75.559, 39.1504 with 124 bytes"},
		{"a value above the scale", func(s *testStreets) { s.nodes[2].value = 49990 }, "street_node 2: park_access is 50001"},
		{"an edge to an unknown node", func(s *testStreets) { s.edges[1].b = 4 }, "street_edge 1: is from node 3 to node 4 of 4"},
		{"an implausible length", func(s *testStreets) { s.edges[1].lengthM = 2e6 }, "street_edge 1: is 2e+06 metres long"},
		{"an unknown class", func(s *testStreets) { s.edges[0].class = "canal" }, `street_edge 0: has class "canal"`},
		{"an undeclared source", func(s *testStreets) { s.edges[0].source = "ghost" }, `street_edge 0: has source "ghost"`},
		{"a barrier of one point", func(s *testStreets) { s.barriers[0] = s.barriers[0][:1] }, "barrier 0: is a line of fewer than two points"},
		{"a destination of an unknown class", func(s *testStreets) { s.destinations[0].class = "zoo" },
			`destination 0: osm:node:1 has class "zoo"`},
		{"a destination on an unknown edge", func(s *testStreets) { s.destinations[0].edge = 2 }, "destination 0: osm:node:1 is on edge 2 of 2"},
		{"a destination before its edge", func(s *testStreets) { s.destinations[0].alongM = -1 }, "destination 0: osm:node:1 is -1 metres along"},
		{"a destination after its edge", func(s *testStreets) { s.destinations[0].alongM = 101 },
			"destinations are on streets of their region: not so for"},
		{"a route at an unknown stop", func(s *testStreets) { s.services[0].destination = 2 }, "transit_service of destination 2 of 2"},
		{"a route that serves a café", func(s *testStreets) { s.services[0].destination = 0 }, "routes serve stops: not so for r1"},
		{"a route without trips", func(s *testStreets) { s.services[0].trips = 0 },
			`route r1 with mode "bus" runs 0 times a week by "timetable", kind ""`},
		{"an unknown mode", func(s *testStreets) { s.services[0].mode = "sled" }, `with mode "sled"`},
		{"an unknown kind of a line", func(s *testStreets) { s.services[0].kind = "night" }, `kind "night"`},
		{"an unknown typology", func(s *testStreets) { s.cells[0].typology = "dense" }, `cell dqcm0zz has "dense"`},
		{"an invalid geohash", func(s *testStreets) { s.cells[0].geohash = "dqcm0za" }, `typology of "dqcm0za": not a geohash`},
		{"a home on an unknown edge", func(s *testStreets) { s.homes = []testHome{{homes.Streets, 1, -75.5, 39.15, 9, 0}} },
			"home 0: is on edge 9"},
		{"a home without weight", func(s *testStreets) { s.homes = []testHome{{homes.Streets, 0, -75.5, 39.15, 0, 0}} }, "home 0: has weight 0"},
		{"a home with an unknown basis", func(s *testStreets) { s.homes = []testHome{{"votes", 1, -75.5, 39.15, 0, 0}} },
			`home 0: has basis "votes"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := northBank()
			tt.spoil(r.streets)
			o := options(t, r)
			_, err := Release(context.Background(), o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestVerifyFindsDamagedStreets(t *testing.T) {
	north := withHomes(homesOfDover)
	_, o := built(t, "", north, southBank())
	for _, tt := range []struct{ name, statement, want string }{
		{"a value of a node", "UPDATE street_node SET cafes = 1 WHERE fid = 2", "access.pack is not what"},
		{"a value that is not a number", "UPDATE street_node SET cafes = 'x' WHERE fid = 2", `("x") to a float64`},
		{"a value that is not an integer", "UPDATE street_node SET cafes = 1.5 WHERE fid = 2", "not an integer"},
		{"a value above the scale", "UPDATE street_node SET cafes = 50001 WHERE fid = 2", "beyond the scale"},
		{"a score", "UPDATE geography_score SET value = value + 1 WHERE score = 'cafes'", "access.pack is not what"},
		{"a score above the scale", "UPDATE geography_score SET value = 50001 WHERE score = 'cafes'", "scores are between 0 and 5"},
		{"a score of an unknown geography",
			"UPDATE geography_score SET geog_id = 'g10_unknown' WHERE geog_id = (SELECT min(geog_id) FROM geography_score)",
			"scores of geography g10_unknown"},
		{"missing scores", "DELETE FROM geography_score WHERE geog_id = (SELECT min(geog_id) FROM geography_score)",
			"scored geographies, the manifest has"},
		{"a street to another region", "UPDATE street_edge SET b = 9 WHERE fid = 1", "streets connect nodes of their region"},
		{"a missing street", "DELETE FROM street_edge WHERE fid = 2", "rows are numbered"},
		{"a missing barrier", "DELETE FROM barrier", "0 barriers, the manifest has 1"},
		{"a destination in another region", "UPDATE destination SET edge = 3 WHERE fid = 1", "destinations are on streets"},
		{"a source", "UPDATE destination SET source_id = 'x' WHERE fid = 1", "every street and destination has a source"},
		{"another calibration", "UPDATE calibration SET sha256 = 'x'", "calibration_sha256 is"},
		{"no calibration", "DELETE FROM calibration", "there is one calibration"},
		{"two calibrations", "INSERT INTO calibration SELECT * FROM calibration", "there is one calibration"},
		{"a typology", "UPDATE typology SET typology = 'x' WHERE geohash = 'dqcm100'", `typology "x"`},
		{"the spatial index", "DELETE FROM idx_street_edge_geometry WHERE pkid = 1", "every street is in the spatial index"},
		{"a truncated line", "UPDATE street_edge SET geometry = substr(geometry, 1, 60) WHERE fid = 1", "read spatialite line"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyRelease(t, o.Out)
			// The triggers that keep geometry as declared are not the ones that are tried here.
			alter(t, filepath.Join(dir, schemas.AccessFile),
				"DROP TRIGGER IF EXISTS ggu_street_edge_geometry", "DROP TRIGGER IF EXISTS giu_street_edge_geometry", tt.statement)
			updateManifest(t, dir)
			_, err := verify.Release(context.Background(), dir, "")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestGISReadsTheStreets(t *testing.T) {
	_, o := built(t, "", northBank(), southBank())
	path := filepath.Join(o.Out, schemas.AccessFile)
	for _, tt := range []struct{ query, want string }{
		{"SELECT CheckSpatialMetaData(), CheckSpatialIndex('street_edge', 'geometry'), CheckSpatialIndex('destination', 'geometry')", "3|1|1"},
		{"SELECT min(ST_IsValid(geometry)), min(ST_SRID(geometry)), min(ST_GeometryType(geometry)), round(sum(ST_Length(geometry, 1))) FROM " +
			"street_edge", "1|4326|LINESTRING|259.0"},
		{"SELECT min(ST_GeometryType(geometry)), round(min(ST_Y(geometry)), 4) FROM street_node", "POINT|39.1499"},
		{"SELECT min(ST_GeometryType(geometry)), max(ST_NumPoints(geometry)) FROM barrier", "LINESTRING|3"},
	} {
		out := tool(t, "spatialite", "-silent", "-bail", path, tt.query+";")
		if got := strings.TrimSpace(out); got != tt.want {
			t.Errorf("%s\n%q, want %q", tt.query, got, tt.want)
		}
	}
	for layer, want := range map[string]string{"street_node": "Feature Count: 6", "street_edge": "Geometry: Line String",
		"destination": "Geometry: Point", "street_node_values": "Feature Count: 6"} {
		if out := tool(t, "ogrinfo", "-ro", "-so", path, layer); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", layer, want, out)
		}
	}
}
