package gazetteer

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

// row is a line of GeoNames.
func row(id, name, ascii, alternates, lat, lng, class, code, country string) string {
	return strings.Join([]string{id, name, ascii, alternates, lat, lng, class, code, country, "", "10", "", "", "", "41200", "", "60",
		"America/Toronto", "2024-01-01"}, "\t") + "\n"
}

var names = row("1", "Saint-Aubin", "Saint-Aubin", "Saint-Aubin,St-Aubin,Сент-Обен,broken \xe9,,St-Aubin", "45.4", "-73.1", "P",
	"PPLA2", "CA") +
	row("2", "Les Érables", "Les Erables", "", "45.41", "-73.2", "A", "ADM2", "CA") +
	row("3", "Ancien", "Ancien", "", "45.4", "-73.1", "P", "PPLH", "CA") +
	row("4", "Mont Rond", "Mont Rond", "", "45.4", "-73.1", "T", "MT", "CA") +
	row("5", "Paris", "Paris", "Lutèce", "48.85", "2.35", "P", "PPLC", "FR") +
	row("6", "Nulle Part", "Nulle Part", "", "x", "-73.1", "P", "PPL", "CA") +
	row("7", "", "", "", "45.4", "-73.1", "P", "PPL", "CA") +
	row("8", "Loin", "Loin", "", "95", "-73.1", "P", "PPL", "CA") +
	row("9", "Township", "Township", "", "44.4", "-73.1", "A", "ADM3", "US") +
	row("10", "Canton", "Canton", "", "45.4", "-73.1", "A", "ADM3", "CA") +
	row("1", "Saint-Aubin", "Saint-Aubin", "", "45.4", "-73.1", "P", "PPL", "CA") +
	"11\tshort\n"

const divisions = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [-73.1, 45.4]}, "properties": {"subtype": "locality", "country": "CA",
 "names": {"primary": "Saint-Aubin", "common": {"en": "St. Aubin", "zh-Hant": "聖奧賓"}, "rules": [{"variant": "short", "value": "S-A"}, {"variant": "official", "language": "fr", "value": "Ville de Saint-Aubin"}]}}},
{"type": "Feature", "id": "b", "geometry": {"type": "Point", "coordinates": [-73.1, 45.4]}, "properties": {"subtype": "neighborhood", "country": "CA", "names": {"primary": "Le Noyau", "common": null, "rules": null}}},
{"type": "Feature", "id": "c", "geometry": {"type": "Point", "coordinates": [-73.1, 45.4]}, "properties": {"subtype": "dependency", "country": "CA", "names": {"primary": "Autre"}}},
{"type": "Feature", "id": "d", "geometry": {"type": "Point", "coordinates": [-73.1, 45.4]}, "properties": {"subtype": "locality"}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-73.1, 45.4]}, "properties": {"subtype": "locality", "names": {"primary": "Sans clé"}}},
{"type": "Feature", "id": "e", "geometry": {"type": "LineString", "coordinates": [[-73.1, 45.4], [-73, 45]]}, "properties": {"subtype": "locality", "names": {"primary": "Ligne"}}}
]}`

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// divisionsParquet writes a division as a release has it, in a folder.
func divisionsParquet(t testing.TB) string {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	folder := t.TempDir()
	const row = `SELECT 'a' AS id, unhex('01010000000000000000C052C00000000000804640') AS geometry, 'locality' AS subtype, 'CA' AS country,
		{'primary': 'Saint-Aubin', 'common': MAP {'en': 'St. Aubin'}, 'rules': [{'variant': 'short', 'language': NULL, 'value': 'S-A'}]} AS names`
	if _, err := db.Exec("COPY (" + row + ") TO '" + filepath.Join(folder, "part-0.zstd.parquet") + "' (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
	return folder
}

func archived(t testing.TB, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "CA.zip")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	for _, name := range []string{"readme.txt", "CA.txt", "US.txt"} {
		if text, ok := files[name]; ok {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(text))
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	places = "SELECT source_key, level, name, lng, lat FROM gazetteer_place ORDER BY rowid"
	others = "SELECT source_key, name, kind, language FROM further_name ORDER BY rowid"
)

func TestConformance(t *testing.T) {
	staged := map[string]string{
		places: "geonames:1|30|Saint-Aubin|-73.1|45.4\ngeonames:2|37|Les Érables|-73.2|45.41\ngeonames:9|35|Township|-73.1|44.4\n" +
			"geonames:10|30|Canton|-73.1|45.4",
		others: "geonames:1|St-Aubin|alternate|∅\ngeonames:1|Сент-Обен|alternate|∅\ngeonames:2|Les Erables|alternate|∅",
	}
	issues := map[string]int64{
		"further_name_removed": 1, "other_feature": 2, "other_country": 1, "invalid_coordinate": 1, "missing_name": 1,
		"coordinate_out_of_range": 1, "wrong_field_count": 1, "duplicate_key": 1,
	}
	const shorter = "every line is a place"
	sourcetest.Run(t, Kind,
		sourcetest.Case{Name: "GeoNames", Path: write(t, "CA.txt", names), Read: 12, Rows: staged, Issues: issues, AnyLength: shorter},
		sourcetest.Case{
			Name: "GeoNames, archive", Path: archived(t, map[string]string{"readme.txt": "about", "CA.txt": names}), Read: 12, Rows: staged,
			Issues: issues,
		},
		sourcetest.Case{
			Name: "GeoNames, box", Path: write(t, "CA.txt", names), Options: "bbox: [-74, 45.405, -73, 46]\ncountries: [CA]", AnyLength: shorter,
			Rows: map[string]string{places: "geonames:2|37|Les Érables|-73.2|45.41"},
			Issues: map[string]int64{
				"other_feature": 2, "other_country": 2, "invalid_coordinate": 1, "outside_bbox": 5, "wrong_field_count": 1,
			},
		},
		sourcetest.Case{
			Name: "Overture", Path: write(t, "division.geojson", divisions), Read: 6,
			Rows: map[string]string{
				places: "overture:a|30|Saint-Aubin|-73.1|45.4\noverture:b|10|Le Noyau|-73.1|45.4",
				others: "overture:a|St. Aubin|alternate|en\noverture:a|聖奧賓|translation|zh-Hant\noverture:a|S-A|short|∅\noverture:a|Ville de " +
					"Saint-Aubin|official|fr",
			},
			Issues: map[string]int64{"other_feature": 1, "missing_name": 1, "missing_key": 1, "wrong_geometry_type": 1},
		},
		sourcetest.Case{
			Name: "Overture, GeoParquet", Path: divisionsParquet(t), Read: 1,
			Rows: map[string]string{places: "overture:a|30|Saint-Aubin|-75|45", others: "overture:a|St. Aubin|alternate|en\noverture:a|S-A|short|∅"},
		},
		sourcetest.Case{
			Name: "real cities", Path: testenv.Data("formats/names/geonames-cities15000-us-ca-2013.txt"), Read: 3143, AnyLength: shorter,
			Rows: map[string]string{
				"SELECT count(*), min(level), max(level) FROM gazetteer_place":                                "3143|10|30",
				"SELECT name FROM further_name WHERE source_key = 'geonames:5746545' AND name = 'Portlandia'": "Portlandia",
			},
			Issues: map[string]int64{"further_name_removed": 1},
		},
	)
}

func TestWrongFiles(t *testing.T) {
	for name, c := range map[string]struct{ path, want string }{
		"a header":   {write(t, "a.txt", strings.Replace(names, "1\t", "geonameid\t", 1)), "the file has no header"},
		"commas":     {write(t, "a.csv", "1,Saint-Aubin,45.4\n"), "line 1 has 1 fields"},
		"two texts":  {archived(t, map[string]string{"CA.txt": names, "US.txt": names}), "2 texts"},
		"long line":  {write(t, "a.txt", names+strings.Repeat("x", maxLine+1)), "line 13 is longer"},
		"no archive": {write(t, "a.zip", names), "zip"},
	} {
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: c.path}, &sourcetest.Record{})
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzStage(f *testing.F) {
	f.Add(names, "a.txt")
	f.Add(divisions, "a.geojson")
	f.Fuzz(func(t *testing.T, text, name string) {
		if name != "a.geojson" {
			name = "a.txt"
		}
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: write(t, name, text)}, &sourcetest.Record{})
		if err != nil && utf8.ValidString(text) && !errors.Is(err, source.ErrBadFile) && name == "a.txt" {
			t.Error(err)
		}
	})
}
