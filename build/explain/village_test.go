package explain

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// The village: one street of two stretches of 100 m, west to east, a river 55 m north of it without a bridge.
const (
	streetLat  = 39.0
	riverLat   = 39.0005
	farBankLat = 39.0007
	west       = -75.502 // nodes are 0.001° apart
	servedAll  = 25000   // of every channel with a value
)

// spot is a place in the village: its edge, from 1, how far along and how far off.
type spot struct {
	class, key, station, name string
	edge                      int
	along, leg, hectares      float64
}

var spots = []spot{
	{"grocery", "osm:node:1", "", "Market", 2, 50, 250, 0},
	{"restaurant", "osm:node:2", "", "Inn", 1, 50, 0, 0},
	{"nightlife", "osm:node:2", "", "Inn", 1, 50, 0, 0},
	{"park", "osm:way:3", "", "Green", 1, 0, 10, 4},
	{"park", "osm:way:3", "", "Green", 2, 100, 10, 4},
	{"primary_school", "osm:way:4", "", "School", 2, 100, 850, 0},
	{"bus_stop", "gtfs:stop:1", "gtfs:stop:0", "Square, north side", 1, 60, 0, 0},
	{"bus_stop", "gtfs:stop:2", "gtfs:stop:0", "Square, south side", 1, 80, 0, 0},
	{"stop", "gtfs:stop:1", "gtfs:stop:0", "Square, north side", 1, 60, 0, 0},
	{"stop", "gtfs:stop:2", "gtfs:stop:0", "Square, south side", 1, 80, 0, 0},
}

// village writes the release and returns its folder.
func village(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, writeVillagePack(filepath.Join(dir, schemas.AccessPack)))
	writeVillageFile(t, filepath.Join(dir, schemas.AccessFile))
	writeVillagePOIs(t, filepath.Join(dir, schemas.POIsFile))
	writeVillageSchools(t, filepath.Join(dir, schemas.SchoolsFile))
	writeVillageManifest(t, dir, calibration.Digest())
	return dir
}

// writeVillagePOIs writes two corrections of the park, one of a place that was dropped.
func writeVillagePOIs(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path+"?_sync=0&_journal=OFF")
	must(t, err)
	defer db.Close()
	for _, query := range []string{bundle.POIs, `INSERT INTO poi_correction VALUES ('osm:way:3', 'r', 'fixes', 4, 'rename', 'Grene', 'Green'),
		('osm:way:3', 'r', 'fixes', 3, 'move', '45.000000 -75.000000', '45.100000 -75.000000'), ('osm:way:9', 'r', 'fixes', 5, 'drop', 'Gone', '')`} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
}

// writeVillageSchools writes a school of two records.
func writeVillageSchools(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(bundle.Schools)
	must(t, err)
	near, alike := 12.4, 1.0
	must(t, sqlrow.Insert(t.Context(), db, "school_source",
		release.SchoolSource{Region: "village", SchoolSource: derived.SchoolSource{SchoolKey: "osm:way:1", SourceID: "osm",
			SourceKey: "osm:way:1", Reason: "kept"}},
		release.SchoolSource{Region: "village", SchoolSource: derived.SchoolSource{SchoolKey: "osm:way:1", SourceID: "list", SourceKey: "list:7",
			Reason:    "similar_name",
			DistanceM: &near, NameSimilarity: &alike}}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func stretch(edge int) orb.LineString {
	return orb.LineString{{west + 0.001*float64(edge-1), streetLat}, {west + 0.001*float64(edge), streetLat}}
}

func river() orb.LineString { return orb.LineString{{west - 0.1, riverLat}, {west + 0.1, riverLat}} }

func writeVillagePack(path string) error {
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	w := access.NewWriter(out, 250)
	for range 3 {
		var values [schemas.ChannelCount]uint16
		for c := range values {
			values[c] = servedAll
			if name := schemas.ChannelName(schemas.Channel(c)); name == "daycares" || name == "historic" || name == "train_service_access" {
				values[c] = schemas.AbsentValue
			}
		}
		if err := w.AddNode(&values); err != nil {
			return err
		}
	}
	packed := func(line orb.LineString) (points []coord.Point) {
		for _, v := range line {
			p, _ := coord.NewPoint(v[0], v[1])
			points = append(points, p)
		}
		return points
	}
	for edge := 1; edge <= 2; edge++ {
		if err := w.AddEdge(access.Edge{A: uint32(edge - 1), B: uint32(edge), LengthM: 100}, packed(stretch(edge))); err != nil {
			return err
		}
	}
	if err := w.AddBarrier(packed(river())); err != nil {
		return err
	}
	if err := w.Finish(); err != nil {
		return err
	}
	return out.Close()
}

func writeVillageFile(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path+"?_sync=0&_journal=OFF")
	must(t, err)
	defer db.Close()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	exec(bundle.Access)
	index := func(table string, fid int, b orb.Bound) {
		t.Helper()
		exec("INSERT INTO idx_"+table+"_geometry VALUES (?, ?, ?, ?, ?)", fid, b.Min[0], b.Max[0], b.Min[1], b.Max[1])
	}
	for _, table := range []string{"street_edge", "destination", "lent_edge", "lent_destination"} {
		exec("CREATE VIRTUAL TABLE idx_" + table + "_geometry USING rtree(pkid, xmin, xmax, ymin, ymax)")
	}
	for edge := 1; edge <= 2; edge++ {
		exec("INSERT INTO street_edge VALUES (?, 'village', ?, ?, 100, 'residential', 'Long Lane', NULL, 'osm', 'osm:way:9', 90, NULL, ?)", edge,
			edge, edge+1, released.LineBlob(stretch(edge)))
		index("street_edge", edge, stretch(edge).Bound())
	}
	exec("INSERT INTO barrier VALUES (1, 'village', 'water', ?)", released.LineBlob(river()))
	for i, s := range spots {
		at := orb.Point{west + 0.001*(float64(s.edge-1)+s.along/100), streetLat}
		station := s.station
		if station == "" {
			station = s.key
		}
		exec("INSERT INTO destination VALUES (?, 'village', ?, ?, ?, ?, ?, nullif(?, 0), ?, ?, ?, ?)", i+1, s.class, s.key, station,
			strings.SplitN(s.key, ":", 2)[0], s.name, s.hectares, s.edge, s.along, s.leg, released.PointBlob(at))
		index("destination", i+1, at.Bound())
		if s.class == "stop" {
			exec("INSERT INTO transit_service VALUES (?, 'gtfs:route:7', 'Line 7', 'bus', 0, 0, 'Harbour', ?, 'timetable', NULL)", i+1,
				int(200-s.along))
		}
	}
}

func writeVillageManifest(t *testing.T, dir, digest string) {
	t.Helper()
	source := func(id string) schemas.ReleaseSource {
		return schemas.ReleaseSource{Region: "village", ID: id, Kind: id, Path: id + ".file", SHA256: strings.Repeat("0", 64), AsOf: "2024-01-01",
			Licence: "CC0-1.0", Attribution: "the villagers"}
	}
	m := &schemas.Manifest{
		Schema: schemas.ManifestSchema, History: schemas.HistorySchema, Component: schemas.Places, Release: "village", AsOf: "2024-01-01",
		ToolVersion: "test", Regions: []string{"village"},
		Parameters: []schemas.Parameter{{Name: "calibration_sha256", Value: digest}},
		Sources:    []schemas.ReleaseSource{source("osm"), source("gtfs"), source("other")},
		Files:      []schemas.ReleaseFile{{Name: schemas.AccessPack, SHA256: strings.Repeat("0", 64)}},
	}
	for _, class := range schemas.KnownClasses {
		c := schemas.RegionClass{Region: "village", Class: class, Places: 1, People: 5000, Rate: 0.2, Usual: 0.2, Verdict: schemas.ClassUsual}
		if class == "library" || class == "daycare" {
			c.Places, c.Rate, c.Verdict = 0, 0, schemas.ClassUnlisted
		}
		m.Classes = append(m.Classes, c)
	}
	var err error
	m.Digest, err = m.ComputeDigest()
	must(t, err)
	data, err := m.Encode()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), data, 0o644))
}
