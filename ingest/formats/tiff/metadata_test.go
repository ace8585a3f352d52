package tiff

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// scaled is what gdal_translate -a_scale 0.1 -a_offset 100 writes.
const scaled = `<GDALMetadata>
  <Item name="OFFSET" sample="0" role="offset">100</Item>
  <Item name="SCALE" sample="0" role="scale">0.1</Item>
</GDALMetadata>
`

func TestScaling(t *testing.T) {
	item := func(inner string) string { return "<GDALMetadata>" + inner + "</GDALMetadata>" }
	for name, test := range map[string]struct {
		metadata string
		want     []float64 // of 12, 1000, -9999 (nodata), -10
	}{
		"none":            {"", []float64{12, 1000, math.NaN(), -10}},
		"both":            {scaled, []float64{101.2, 200, math.NaN(), 99}},
		"scale alone":     {item(`<Item name="SCALE" sample="0" role="scale"> 1e-1 </Item>`), []float64{1.2, 100, math.NaN(), -1}},
		"depths":          {item(`<Item name="SCALE" sample="0" role="scale">-1</Item>`), []float64{-12, -1000, math.NaN(), 10}},
		"of another band": {item(`<Item name="SCALE" sample="1" role="scale">0.1</Item>`), []float64{12, 1000, math.NaN(), -10}},
		"of no role":      {item(`<Item name="SCALE" sample="0">0.1</Item><Item name="SCALE">0.1</Item>`), []float64{12, 1000, math.NaN(), -10}},
		"Latin text": {`<?xml version="1.0" encoding="ISO-8859-1"?>` +
			item("<Item name=\"A\">\xe9&lt;</Item><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">1</Item>"),
			[]float64{13, 1001, math.NaN(), -9}},
	} {
		w := standard(2, 2, []float64{12, 1000, -9999, -10})
		w.bits, w.format, w.nodata, w.metadata = 16, formatSigned, "-9999", test.metadata
		_, got, err := readAll(w.write(t), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, want := range test.want {
			if got[i] != float32(want) && !(math.IsNaN(want) && got[i] != got[i]) {
				t.Errorf("%s: cell %d is %v, want %v", name, i, got[i], want)
			}
		}
	}
}

// nodata is compared with stored values: one that is nodata after scaling is known.
func TestScalingOrder(t *testing.T) {
	w := standard(2, 2, []float64{12, 1000, 200, -10})
	w.nodata, w.metadata = "200", scaled
	_, cells, err := readAll(w.write(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{101.2, 200, math.NaN(), 99} {
		if got := float64(cells[i]); math.Abs(got-want) > 1e-4 || math.IsNaN(want) != math.IsNaN(got) {
			t.Errorf("cell %d is %v, want %v", i, got, want)
		}
	}
}

func TestScalingRefused(t *testing.T) {
	item := func(role, value string) string {
		return `<GDALMetadata><Item name="X" sample="0" role="` + role + `">` + value + `</Item></GDALMetadata>`
	}
	for _, test := range []struct{ metadata, want string }{
		{item("scale", "0"), "invalid scale"}, {item("scale", "NaN"), "invalid scale"}, {item("scale", "1e7"), "invalid scale"},
		{item("scale", ""), "invalid scale"},
		{item("offset", "Inf"), "invalid offset"}, {item("Offset", "-1000001"), "invalid offset"}, {item("offset", "much"), "invalid offset"},
		{"<GDALMetadata><Item", "cannot be read"}, {"scale 0.1", "no element"}, {strings.Repeat("<", maxMetadata), "too long"},
	} {
		w := standard(2, 2, []float64{1, 2, 3, 4})
		w.metadata = test.metadata
		path := filepath.Join(t.TempDir(), "a.tif")
		if err := os.WriteFile(path, w.write(t), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Options{}); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), "a.tif") {
			t.Errorf("%.60s: %v, want %q", test.metadata, err, test.want)
		}
	}
}

// Scaled values are those of gdal_translate -unscale.
func TestScalingAgreesWithGDAL(t *testing.T) {
	testenv.NeedProgram(t, "gdal_translate")
	dir := t.TempDir()
	plain, path, back := filepath.Join(dir, "plain.tif"), filepath.Join(dir, "scaled.tif"), filepath.Join(dir, "back.tif")
	if err := os.WriteFile(plain, standard(20, 10, terrain(20, 10)).write(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{
		{"-q", "-a_scale", "0.1", "-a_offset", "100", plain, path},
		{"-q", "-unscale", "-ot", "Float32", path, back},
	} {
		if text, err := exec.CommandContext(t.Context(), "gdal_translate", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", arguments, err, text)
		}
	}
	var cells [2][]float32
	for i, file := range []string{path, back} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, cells[i], err = readAll(data, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, got := range cells[0] {
		if want := cells[1][i]; math.Abs(float64(got-want)) > 1e-4 || got < 100 {
			t.Fatalf("cell %d is %v, want %v", i, got, want)
		}
	}
}
