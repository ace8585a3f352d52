package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkt"

	"quartier/build/assembly"
	"quartier/build/private"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/owners"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// customTowns are the custom geographies of two customers in the towns, through general updates.
type customTowns struct {
	t        *testing.T
	dir      string
	requests map[string]*schemas.Request // by name of the test
	update   int64
	last     string // folder of the component that was built last
	log      bytes.Buffer
}

// customID is the id of a request.
func customID(n int) string { return fmt.Sprintf("6f1ed002-ab59-4c0f-8a6e-%012d", n) }

func newCustomTowns(t *testing.T) *customTowns {
	w := &customTowns{t: t, dir: townsDir(t), requests: map[string]*schemas.Request{}}
	for i, r := range []struct{ name, customer, kind, boundaries string }{
		{"harbour", "acme", "NEIGHBORHOOD", w.outlineOf("port-hollis:neighborhood:101")}, // as a neighbourhood of the release
		{"old town", "bell", "COMMUNITY", w.outlineOf("saint-aubin:quartier:Q01")},
		{"middle", "acme", "SECTOR", w.around("port-hollis:neighborhood:102", 0.012, 0.009)},
		{"both banks", "bell", "TOWNSHIP", w.around("census:place:5056350", 0.06, 0.04)}, // in two states
		{"canton", "acme", "TOWNSHIP", w.around("saint-aubin:quartier:Q03", 0.02, 0.015)},
		{"ocean", "acme", "CITY", customSquare(-40, 40, 0.05)},
		{"mountains", "bell", "REGION", customSquare(-73.4, 43.9, 0.1)}, // in a state of the release, far from its regions
		{"bow tie", "acme", "VILLAGE", "POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))"},
	} {
		w.requests[r.name] = &schemas.Request{
			ID: customID(i + 1), Customer: r.customer, Version: 1, Action: schemas.PublishRequest, NameEN: "Hidden " + r.name, Type: r.kind,
			Boundaries: r.boundaries,
		}
	}
	w.requests["old town"].NameFR = "Vieux caché"
	return w
}

func customSquare(lng, lat, size float64) string {
	return wkt.MarshalString(orb.Bound{Min: orb.Point{lng - size, lat - size}, Max: orb.Point{lng + size, lat + size}}.ToPolygon())
}

// outline is the outline of a geography of the first release.
func (w *customTowns) outline(key string) orb.MultiPolygon {
	w.t.Helper()
	db, err := released.Open(filepath.Join(w.dir, "first", schemas.GeographiesFile))
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	var blob []byte
	if err := db.QueryRow("SELECT geometry FROM geography WHERE source_key = ?", key).Scan(&blob); err != nil {
		w.t.Fatal(key, err)
	}
	m, err := released.ReadMultiPolygon(blob)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

func (w *customTowns) outlineOf(key string) string { return wkt.MarshalString(w.outline(key)[0]) }

// around is a rectangle around the centre of a geography.
func (w *customTowns) around(key string, width, height float64) string {
	c := w.outline(key).Bound().Center()
	return wkt.MarshalString(orb.Bound{Min: orb.Point{c[0] - width, c[1] - height}, Max: orb.Point{c[0] + width, c[1] + height}}.ToPolygon())
}

// file is the requests file of the next general update.
func (w *customTowns) file() *schemas.Requests {
	f := &schemas.Requests{Schema: schemas.RequestsSchema, Update: w.update + 1, AsOf: "2025-03-02"}
	for _, name := range slices.Sorted(maps.Keys(w.requests)) {
		f.Requests = append(f.Requests, *w.requests[name])
	}
	return f
}

// options are those of the component of the next update beside a release of the towns, "first" or "next".
func (w *customTowns) options(places string, requests *schemas.Requests) private.Options {
	work := map[string]string{"first": "work", "next": "work-next"}[places]
	var regions []assembly.Region
	for _, name := range []string{"ca-saint-aubin", "us-port-hollis"} {
		regions = append(regions, assembly.Region{
			Name: name, Staged: filepath.Join(w.dir, work, name+".staged.duckdb"), Derived: filepath.Join(w.dir, work, name+".derived.duckdb"),
		})
	}
	return private.Options{
		Regions: regions, Places: filepath.Join(w.dir, places), Requests: requests, SHA256: strings.Repeat("0", 64), Previous: w.last,
		ToolVersion: "v0-test", Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	}
}

// writePrivate writes and verifies a component in a new folder.
func writePrivate(t *testing.T, o private.Options) (folder string, m *schemas.PrivateManifest, outcomes *schemas.Outcomes, err error) {
	t.Helper()
	scratch := t.TempDir()
	folder, o.Assembly = t.TempDir(), filepath.Join(scratch, "assembly.duckdb")
	if err = assembly.Create(t.Context(), o.Assembly, o.Regions); err != nil {
		t.Fatal(err)
	}
	if err = private.Write(t.Context(), o, folder, scratch); err != nil {
		return folder, nil, nil, err
	}
	if _, err = verify.Private(t.Context(), folder, scratch); err != nil {
		t.Fatal(err)
	}
	if m, err = schemas.ReadPrivateManifest(folder); err == nil {
		outcomes, err = schemas.ReadOutcomes(filepath.Join(folder, schemas.OutcomesFile))
	}
	return folder, m, outcomes, err
}

// build is a general update: what was built is published.
func (w *customTowns) build(places string) (*schemas.PrivateManifest, map[string]schemas.Outcome) {
	w.t.Helper()
	folder, m, outcomes, err := writePrivate(w.t, w.options(places, w.file()))
	if err != nil {
		w.t.Fatal(err)
	}
	w.update, w.last = m.Update, folder
	byName := map[string]schemas.Outcome{}
	for i, name := range slices.Sorted(maps.Keys(w.requests)) {
		r, out := w.requests[name], outcomes.Outcomes[i]
		if byName[name] = out; out.ID != r.ID || out.Version != r.Version {
			w.t.Errorf("%s: outcome of %s version %d", name, out.ID, out.Version)
		}
		switch {
		case out.Problem == "":
			r.GeogID = out.GeogID
			if r.Action == schemas.PublishRequest {
				r.Action = schemas.KeepRequest
			}
		case out.GeogID != "":
			w.t.Errorf("%s: an id and a problem: %+v", name, out)
		}
	}
	return m, byName
}

// figures are the rows of a geography in a table of a component, without its id.
func (w *customTowns) figures(dir, file, table, id, condition string) []string {
	w.t.Helper()
	var list []string
	for _, row := range rows(w.t, filepath.Join(dir, file), "SELECT * FROM "+table+" WHERE geog_id = ? "+condition, id) {
		list = append(list, strings.ReplaceAll(strings.Join(row, "|"), id, "ID"))
	}
	slices.Sort(list)
	return list
}

// products are the tables with what is computed for geographies.
var products = []struct{ file, table string }{
	{schemas.AccessFile, "geography_score"}, {schemas.DemographicsFile, "geography_variable"}, {schemas.DemographicsFile, "geography_vintage"},
	{schemas.ProfilesFile, "profile_fact"}, {schemas.ProfilesFile, "profile_text"},
}

// TestCustomGeographies builds the custom geographies of two customers, and follows them through two more general updates.
func TestCustomGeographies(t *testing.T) {
	w := newCustomTowns(t)
	m, first := w.build("first")
	if c := m.Counts; c.Customers != 2 || c.Geographies != 5 || c.Unbuildable != 3 || c.Superseded+c.Deprecated != 0 ||
		c.ScoredGeographies != 5 || c.DescribedGeographies != 5 || c.Profiles != 5 {
		t.Errorf("counts %+v", c)
	}
	for name, problem := range map[string]string{"ocean": "Its centroid, longitude -40 latitude 40, is outside",
		"mountains": "cover 0.0 % of it", "bow tie": "not simple"} {
		if out := first[name]; !strings.Contains(out.Problem, problem) || out.GeogID != "" {
			t.Errorf("%s: %+v, want %q", name, out, problem)
		}
	}
	if len(m.Steps) != 3 {
		t.Errorf("issues %+v", m.Steps)
	}
	for name, level := range map[string]string{"harbour": "g10_", "old town": "g10_", "middle": "g10_", "both banks": "g35_",
		"canton": "g30_"} {
		out := first[name]
		if !strings.HasPrefix(out.GeogID, level) || out.Problem != "" {
			t.Errorf("%s: %+v, want level %s", name, out, level)
		}
		for _, p := range products {
			if len(w.figures(w.last, p.file, p.table, out.GeogID, "")) == 0 {
				t.Errorf("%s has no %s", name, p.table)
			}
		}
	}
	w.compareWithRelease("port-hollis:neighborhood:101", first["harbour"].GeogID)
	w.compareWithRelease("saint-aubin:quartier:Q01", first["old town"].GeogID)
	if got := rows(t, filepath.Join(w.last, schemas.GeographiesFile), "SELECT state_codes FROM geography WHERE geog_id = ?",
		first["both banks"].GeogID); got[0][0] != "US_VT,US_NY" {
		t.Errorf("both banks are in %s", got[0][0])
	}
	w.checkTypes(first)
	w.checkOwners()
	w.checkSecrecy()
	before := w.last

	// The release is another one. A name and a boundary change, a place is given up, one is drawn wrongly, one on land at last.
	edit := func(name string, change func(*schemas.Request)) {
		r := w.requests[name]
		r.Version, r.Action = r.Version+1, schemas.PublishRequest
		change(r)
	}
	edit("harbour", func(r *schemas.Request) { r.NameEN = "Hidden Haven" })
	edit("middle", func(r *schemas.Request) { r.Boundaries = w.around("port-hollis:neighborhood:102", 0.016, 0.009) })
	edit("canton", func(r *schemas.Request) { r.Boundaries = w.requests["bow tie"].Boundaries })
	edit("ocean", func(r *schemas.Request) { r.Boundaries = w.outlineOf("census:place:5025150") })
	edit("both banks", func(r *schemas.Request) { r.Action = schemas.DeprecateRequest })
	m, second := w.build("next")
	if c := m.Counts; c.Geographies != 5 || c.Deprecated != 1 || c.Superseded != 1 || c.Unbuildable != 3 || m.Previous == "" {
		t.Errorf("counts %+v, previous %q", c, m.Previous)
	}
	if second["harbour"].GeogID != first["harbour"].GeogID || second["old town"].GeogID != first["old town"].GeogID ||
		second["both banks"].GeogID != first["both banks"].GeogID {
		t.Error("an id changed whose outline did not")
	}
	if id := second["middle"].GeogID; id == first["middle"].GeogID || !strings.HasPrefix(id, "g10_") {
		t.Errorf("the middle was redrawn and is %s", id)
	}
	if second["canton"].Problem == "" || second["ocean"].GeogID == "" {
		t.Errorf("%+v", second)
	}
	w.wantVersions(map[string][3]string{
		first["harbour"].GeogID: {"current", "", "Hidden Haven"}, second["middle"].GeogID: {"current", "", "Hidden middle"},
		first["middle"].GeogID:     {"superseded", second["middle"].GeogID, "Hidden middle"},
		first["canton"].GeogID:     {"current", "", "Hidden canton"},
		first["both banks"].GeogID: {"deprecated", "", "Hidden both banks"},
	})
	for _, name := range []string{"middle", "both banks", "canton"} { // last data
		for _, p := range products {
			id := first[name].GeogID
			if then, now := w.figures(before, p.file, p.table, id, ""), w.figures(w.last, p.file, p.table, id, ""); !slices.Equal(then, now) {
				t.Errorf("%s of %s was\n%s\nand is\n%s", p.table, name, strings.Join(then, "\n"), strings.Join(now, "\n"))
			}
		}
	}
	w.checkOwners()

	// Drawn a third time; and what was drawn wrongly is withdrawn.
	edit("middle", func(r *schemas.Request) { r.Boundaries = w.around("port-hollis:neighborhood:102", 0.016, 0.012) })
	edit("canton", func(r *schemas.Request) { r.Boundaries = w.around("saint-aubin:quartier:Q03", 0.02, 0.015) })
	m, third := w.build("next")
	w.wantVersions(map[string][3]string{
		third["middle"].GeogID:     {"current", "", "Hidden middle"},
		second["middle"].GeogID:    {"superseded", third["middle"].GeogID, "Hidden middle"},
		first["middle"].GeogID:     {"superseded", third["middle"].GeogID, "Hidden middle"},
		first["canton"].GeogID:     {"current", "", "Hidden canton"},
		first["both banks"].GeogID: {"deprecated", "", "Hidden both banks"},
	})
	if third["canton"].GeogID != first["canton"].GeogID || m.Counts.Superseded != 2 || m.Counts.Deprecated != 1 {
		t.Errorf("%+v %+v", third, m.Counts)
	}
	w.checkOwners()
	t.Run("in SpatiaLite and GDAL", func(t *testing.T) { checkSpatial(t, w.last, m) })
	w.checkRefusals()
}

// checkTypes reads the texts of custom geographies: they are called by the types of their requests, not by the nouns of their levels.
func (w *customTowns) checkTypes(built map[string]schemas.Outcome) {
	w.t.Helper()
	for _, c := range []struct{ name, locale, said, unsaid string }{
		{"old town", "en", "the community", "the neighbourhood"}, {"old town", "fr", "la communauté", "le quartier"},
		{"middle", "en", "the sector", "the neighborhood"},
		{"both banks", "en", "the township", "the county subdivision"}, {"canton", "en", "the township", "the municipality"},
		{"canton", "fr", "le canton", "la municipalité"},
	} {
		path, id := filepath.Join(w.last, schemas.ProfilesFile), built[c.name].GeogID
		if kind := rows(w.t, path, "SELECT type FROM profile_place WHERE geog_id = ?", id)[0][0]; kind != w.requests[c.name].Type {
			w.t.Errorf("%s: type %q, want %q", c.name, kind, w.requests[c.name].Type)
		}
		text := ""
		for _, row := range rows(w.t, path, "SELECT text FROM profile_text WHERE geog_id = ? AND locale = ? ORDER BY ordinal", id, c.locale) {
			text += row[0] + " "
		}
		if lower := strings.ToLower(text); !strings.Contains(lower, c.said) || strings.Contains(lower, c.unsaid) {
			w.t.Errorf("%s: %q is not said, or %q is: %s", c.name, c.said, c.unsaid, text)
		}
	}
}

// checkSpatial opens the files of a component private with other programs: tables of geometries are registered, their R-trees and
// geometries valid.
func checkSpatial(t *testing.T, dir string, m *schemas.PrivateManifest) {
	testenv.NeedProgram(t, "spatialite")
	testenv.NeedProgram(t, "ogrinfo")
	copied := t.TempDir() // spatialite writes to files that it checks
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	dir = copied
	output := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for file, indexed := range map[string]string{
		schemas.PrivateFile: "custom_geography", schemas.GeographiesFile: "coverage geography",
		schemas.AccessFile:       "destination lent_destination lent_edge street_edge",
		schemas.DemographicsFile: "ground small_area_part", schemas.ProfilesFile: "landmark",
	} {
		path := filepath.Join(dir, file)
		got := output("spatialite", "-silent", "-bail", path,
			"SELECT CheckSpatialMetaData(); SELECT group_concat(f_table_name, ' ') FROM (SELECT * FROM geometry_columns WHERE "+
				"spatial_index_enabled = 1 ORDER BY 1);"+
				"SELECT min(CheckSpatialIndex(f_table_name, f_geometry_column)), min(srid), max(srid) FROM geometry_columns WHERE "+
				"spatial_index_enabled = 1; PRAGMA integrity_check;")
		if want := "3\n" + indexed + "\n1|4326|4326\nok"; got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	path, all := filepath.Join(dir, schemas.PrivateFile), m.Counts.Geographies+m.Counts.Superseded+m.Counts.Deprecated
	if got, want := output("spatialite", "-silent", "-bail", path,
		"SELECT count(*), sum(ST_IsValid(geometry)), min(ST_GeometryType(geometry)) FROM custom_geography;"),
		fmt.Sprintf("%d|%d|MULTIPOLYGON", all, all); got != want {
		t.Errorf("geometries %s, want %s", got, want)
	}
	info := output("ogrinfo", "-ro", "-so", path, "custom_geography")
	for _, want := range []string{"Geometry: Multi Polygon", fmt.Sprintf("Feature Count: %d", all), `ID["EPSG",4326]`, "owner: String",
		"FID Column = fid"} {
		if !strings.Contains(info, want) || strings.Contains(info, "Warning") {
			t.Errorf("no %q in\n%s", want, info)
		}
	}
}

// compareWithRelease compares a custom geography with a geography of the first release that has its outline. What is published
// for the latter by its own key, its home values, the other one does not have; texts are worded by id.
func (w *customTowns) compareWithRelease(key, id string) {
	w.t.Helper()
	release := filepath.Join(w.dir, "first")
	other := rows(w.t, filepath.Join(release, schemas.GeographiesFile), "SELECT geog_id FROM geography WHERE source_key = ?", key)[0][0]
	for _, p := range products[:4] {
		condition := ""
		if p.table == "geography_variable" {
			condition = "AND category <> 'housing_affordability'"
		}
		want, got := w.figures(release, p.file, p.table, other, condition), w.figures(w.last, p.file, p.table, id, condition)
		if len(want) == 0 || !slices.Equal(want, got) {
			w.t.Errorf("%s of %s:\n%s\nwant, as %s:\n%s", p.table, id, strings.Join(got, "\n"), key, strings.Join(want, "\n"))
		}
	}
}

// wantVersions compares status, successor and English name of geographies by id.
func (w *customTowns) wantVersions(want map[string][3]string) {
	w.t.Helper()
	for id, state := range want {
		got := rows(w.t, filepath.Join(w.last, schemas.PrivateFile),
			"SELECT status, coalesce(replaced_by, ''), name_en FROM custom_geography WHERE geog_id = ?", id)
		if len(got) != 1 || [3]string(got[0]) != state {
			w.t.Errorf("%s is %v, want %v", id, got, state)
		}
	}
}

// checkOwners compares the packs with private.sqlite: every geography has its customer, and is found only if it is current.
func (w *customTowns) checkOwners() {
	w.t.Helper()
	open := func(name string) *pack.File {
		f, err := pack.Open(filepath.Join(w.last, name))
		if err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { f.Close() })
		return f
	}
	table, err := geographies.Open(open(schemas.GeographiesPack))
	if err != nil {
		w.t.Fatal(err)
	}
	owned, err := owners.Open(open(schemas.OwnersPack))
	if err != nil {
		w.t.Fatal(err)
	}
	all := rows(w.t, filepath.Join(w.last, schemas.PrivateFile), "SELECT geog_id, owner, status FROM custom_geography")
	if table.Len() != len(all) || owned.Len() != len(all) {
		w.t.Fatalf("%d geographies, %d with an owner, want %d", table.Len(), owned.Len(), len(all))
	}
	for _, row := range all {
		i, ok := table.ByID(row[0])
		if !ok || owned.Customer(i) != row[1] || owned.Deprecated(i) != (row[2] == "deprecated") ||
			!slices.Contains(owned.Of(row[1]), uint32(i)) {
			w.t.Fatalf("%v is not so in the packs", row)
		}
		c := table.Centroid(i)
		if found := slices.Contains(table.At(nil, c[0], c[1], 0), i); found != (row[2] == "current") {
			w.t.Errorf("%v is found at its place: %v", row, found)
		}
	}
}

// checkSecrecy checks that names, boundaries and customers are not logged.
func (w *customTowns) checkSecrecy() {
	w.t.Helper()
	log := w.log.String()
	if !strings.Contains(log, customID(6)) {
		w.t.Errorf("the log does not name what was not built: %s", log)
	}
	for _, r := range w.requests {
		for _, secret := range []string{r.NameEN, r.Customer, r.Boundaries[:20]} {
			if strings.Contains(log, secret) {
				w.t.Errorf("the log says %q", secret)
			}
		}
	}
}

// checkRefusals checks requests that do not continue the component.
func (w *customTowns) checkRefusals() {
	w.t.Helper()
	for _, c := range []struct {
		name, want string
		change     func(*private.Options)
	}{
		{"a request is missing", "lacks 1 of its requests: " + w.requests["middle"].ID, func(o *private.Options) {
			o.Requests.Requests = slices.DeleteFunc(o.Requests.Requests, func(r schemas.Request) bool { return r.ID == w.requests["middle"].ID })
		}},
		{"without the previous component", "were published with other ids than it has: ", func(o *private.Options) { o.Previous = "" }},
		{"places as previous component", "private", func(o *private.Options) { o.Previous = o.Places }},
		{"twice the same", "the same geo_entity_id",
			func(o *private.Options) { o.Requests.Requests = append(o.Requests.Requests, o.Requests.Requests[0]) }},
	} {
		o := w.options("next", w.file())
		c.change(&o)
		if _, _, _, err := writePrivate(w.t, o); err == nil || !strings.Contains(err.Error(), c.want) {
			w.t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCustomGeographiesAreDeterministic builds the same requests twice, and in another order.
func TestCustomGeographiesAreDeterministic(t *testing.T) {
	w := newCustomTowns(t)
	build := func(requests *schemas.Requests) *schemas.PrivateManifest {
		_, m, _, err := writePrivate(t, w.options("first", requests))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	one, again := build(w.file()), build(w.file())
	if one.Digest != again.Digest {
		t.Error("the same requests give other bytes")
	}
	turned := w.file()
	slices.Reverse(turned.Requests)
	for i, f := range build(turned).Files {
		if ordered := f.Name == schemas.OutcomesFile || f.Name == schemas.PrivateFile; !ordered && f.SHA256 != one.Files[i].SHA256 {
			t.Errorf("%s depends on the order of requests", f.Name)
		}
	}
}

// TestBuildWithRequests runs the commands: the release is the same with and without requests, and verify finds damage.
func TestBuildWithRequests(t *testing.T) {
	w := newCustomTowns(t)
	dir := t.TempDir()
	data, err := w.file().Encode()
	if err != nil {
		t.Fatal(err)
	}
	requests, out := filepath.Join(dir, "requests.json"), filepath.Join(dir, "spring")
	if err := os.WriteFile(requests, data, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "--release", filepath.Join(w.dir, "sources", "release.yaml"), "--out", out, "--work",
		filepath.Join(w.dir, "work")}
	_, screen := mustRun(t, append(args, "--requests", requests)...)
	if digestOf(t, out) != digestOf(t, filepath.Join(w.dir, "first")) {
		t.Error("the release depends on the requests")
	}
	report, err := os.ReadFile(filepath.Join(w.dir, "work", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{screen, string(report)} {
		for _, secret := range []string{"Hidden", "acme", "bell", "POLYGON"} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in\n%s", secret, text)
			}
		}
	}
	component := out + "-private"
	if said, _ := mustRun(t, "verify", component); !strings.Contains(said, "release private of 2025-03-02 verified: 12 files") {
		t.Error(said)
	}
	m, err := schemas.ReadPrivateManifest(component)
	if err != nil || m.Places != digestOf(t, out) || m.Update != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	w.checkMarket(component, m)
	w.checkDamage(component)
	w.checkBadFiles(args, requests, data)
}

// checkMarket computes the market statistics of the custom geographies: those of an outline of the release are the same.
func (w *customTowns) checkMarket(component string, m *schemas.PrivateManifest) {
	w.t.Helper()
	out, listings := filepath.Join(w.t.TempDir(), "market"), filepath.Join(w.dir, "sources", "listings.yaml")
	run := []string{"market", "--listings", listings, "--as-of", "2025-03-01", "--work", filepath.Join(w.t.TempDir(), "work")}
	mustRun(w.t, append(run, "--release", component, "--out", out)...)
	market, err := schemas.ReadMarketManifest(out)
	if err != nil || market.Component != schemas.PrivateMarket || market.Places != m.Digest || market.Counts.Geographies == 0 {
		w.t.Fatalf("%+v, %v", market, err)
	}
	mustRun(w.t, "verify", out)
	public := filepath.Join(w.t.TempDir(), "public")
	mustRun(w.t, append(run, "--release", filepath.Join(w.dir, "first"), "--out", public)...)
	id := rows(w.t, filepath.Join(w.dir, "first", schemas.GeographiesFile),
		"SELECT geog_id FROM geography WHERE source_key = 'port-hollis:neighborhood:101'")[0][0]
	own := rows(w.t, filepath.Join(component, schemas.PrivateFile), "SELECT geog_id FROM request WHERE geo_entity_id = ?", customID(1))[0][0]
	for _, year := range append(market.Years(), 0) {
		file := schemas.MarketYear(schemas.MarketFile, year)
		want, got := w.figures(public, file, "market_stat", id, ""), w.figures(out, file, "market_stat", own, "")
		if len(want) == 0 || !slices.Equal(want, got) {
			w.t.Errorf("%s: %d statistics, want the %d of %s", file, len(got), len(want), id)
		}
	}
	if code, _, errs := quartier(append(run, "--release", component, "--out", public)...); code != exitFailure ||
		!strings.Contains(errs, "is not a component private-market") {
		w.t.Errorf("over a component market: exit code %d: %s", code, errs)
	}
}

// checkDamage changes one byte of each file, and takes one away.
func (w *customTowns) checkDamage(component string) {
	w.t.Helper()
	damaged := filepath.Join(w.t.TempDir(), "damaged")
	for _, name := range append(slices.Clone(released.PrivateFiles), schemas.ManifestFile) {
		for _, harm := range []func(path string) error{
			os.Remove,
			func(path string) error {
				data, err := os.ReadFile(path)
				data[len(data)/2] ^= 1
				return firstError(err, os.WriteFile(path, data, 0o600))
			},
		} {
			os.RemoveAll(damaged)
			if err := firstError(os.CopyFS(damaged, os.DirFS(component)), harm(filepath.Join(damaged, name))); err != nil {
				w.t.Fatal(err)
			}
			if code, _, errs := quartier("verify", damaged); code == exitOK ||
				code == exitNotVerified && !strings.Contains(errs, "does not verify") {
				w.t.Errorf("damaged %s: exit code %d: %s", name, code, errs)
			}
		}
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBadFiles checks files that are refused before anything is built.
func (w *customTowns) checkBadFiles(args []string, path string, good []byte) {
	w.t.Helper()
	var file map[string]any
	if err := json.Unmarshal(good, &file); err != nil {
		w.t.Fatal(err)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"cut off", string(good[len(good)/2:]), "", "not a requests file"},
		{"unknown type", `"SECTOR"`, `"PLANET"`, `unknown type "PLANET"`},
		{"unknown action", `"publish"`, `"forget"`, `unknown action "forget"`},
		{"no update", `"update": 1`, `"update": 0`, "update 0"},
		{"another layout", `"schema": 1`, `"schema": 7`, "schema 7"},
		{"more members", `"as_of"`, `"more": 1, "as_of"`, "unknown field"},
	} {
		if err := os.WriteFile(path, bytes.Replace(good, []byte(c.from), []byte(c.to), 1), 0o600); err != nil {
			w.t.Fatal(err)
		}
		code, _, errs := quartier(append(args, "--requests", path, "--force")...)
		if code != exitBadInput || !strings.Contains(errs, c.want) || strings.Contains(errs, "Hidden") || strings.Contains(errs, "acme") {
			w.t.Errorf("%s: exit code %d, want %q: %s", c.name, code, c.want, errs)
		}
	}
	if code, _, errs := quartier(append(args, "--previous-private", w.dir)...); code != exitUsage {
		w.t.Errorf("--previous-private alone: exit code %d: %s", code, errs)
	}
}
