package profile

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"quartier/ingest/source"
)

var block35 = profileArea{dguid: "2021S051235060018", code: "35060018", name: "35060018"}

// comprehensive is a comprehensive download: a file for each region, those that say in which line an area begins, notes.
func comprehensive() map[string]string {
	ontario := profileArea{dguid: "2021A000235", code: "35", name: "Ontario"}
	return map[string]string{
		"98-401-X2021006_English_CSV_data_Ontario.csv": profileText(false, ontario, block35),
		"98-401-X2021006_English_CSV_data_Quebec.csv":  profileText(false, quebec.with(map[int]string{1415: "300||280|330"}), block24),
		"98-401-X2021006_Geo_starting_row_Ontario.CSV": "Geo Code,Geo Name,Line Number\n35,Ontario,2\n",
		"98-401-X2021006_Geo_starting_row_Quebec.CSV":  "Geo Code,Geo Name,Line Number\n24,Québec,2\n",
		"98-401-X2021006_English_meta.txt":             "Census Profile\n",
		"other.csv":                                    "a,b\n1,2\n",
	}
}

// A comprehensive download, as a folder or as a .zip, gives what its files give.
func TestComprehensiveDownload(t *testing.T) {
	var want []string
	for _, name := range []string{"98-401-X2021006_English_CSV_data_Ontario.csv", "98-401-X2021006_English_CSV_data_Quebec.csv"} {
		out, err := stage(t, profileFile(t, comprehensive()[name]), "layout: statcan-profile")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, texts(out.Statistics)...)
	}
	for _, zipped := range []bool{false, true} {
		path := download(t, comprehensive(), zipped)
		out, err := stage(t, path, "layout: statcan-profile")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, texts(out.Statistics)); diff != "" || len(want) < 100 {
			t.Errorf("zip %t: %d rows\n%s", zipped, len(want), diff)
		}
		if diff := cmp.Diff([]string{"file_without_profile @ other.csv"}, out.Issues); diff != "" || len(out.Surveys) != 1 {
			t.Errorf("zip %t: %d surveys, %s", zipped, len(out.Surveys), diff)
		}
		out, err = stage(t, path, "layout: statcan-profile\nareas: da:35")
		if err != nil || out.Statistics[0].AreaKey != "statcan:da:35060018" {
			t.Errorf("zip %t: one province: %v", zipped, err)
		}
	}
}

func TestBadDownloads(t *testing.T) {
	twice := comprehensive()
	twice["98-401-X2021006_English_CSV_data_Territories.csv"] = profileText(false, block35)
	out, err := stage(t, download(t, twice, true), "layout: statcan-profile")
	if err != nil || !strings.Contains(strings.Join(out.Issues, "\n"), "duplicate_key @ 2021S051235060018") {
		t.Errorf("an area of two files: %v, %v", out.Issues, err)
	}
	cut := comprehensive()
	const ontario = "98-401-X2021006_English_CSV_data_Ontario.csv"
	cut[ontario] = cut[ontario][:len(cut[ontario])*3/4]
	for says, files := range map[string]map[string]string{
		"none of its files has the columns DGUID": {"a.csv": "a,b\n", "b.csv": "a,b\n"},
		"no .zip or .csv file":                    {"notes.txt": "x"},
		ontario:                                   cut,
	} {
		if _, err := stage(t, download(t, files, false), "layout: statcan-profile"); !errors.Is(err, source.ErrBadFile) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// download writes files to a folder, or to a zip in one, in windows-1252.
func download(t *testing.T, files map[string]string, zipped bool) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "98-401-X2021006_eng_CSV.zip")
	var z *zip.Writer
	if zipped {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z = zip.NewWriter(f)
	}
	for name, text := range files {
		body, err := charmap.Windows1252.NewEncoder().String(text)
		if err == nil && zipped {
			var w io.Writer
			if w, err = z.Create(name); err == nil {
				_, err = io.WriteString(w, body)
			}
		} else if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !zipped {
		return dir
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
