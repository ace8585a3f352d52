package ground

import (
	"encoding/csv"
	"os"
	"regexp"
	"strconv"
	"testing"

	"quartier/internal/testenv"
)

// The layers and kinds are those of Shortbread, at its zooms.
func TestGroundIsShortbreads(t *testing.T) {
	file, err := os.Open(testenv.NeedData(t, "formats/basemap/shortbread-1.1-features.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string]string{"polygon": "area", "line": "line", "point": "point"}
	zoom := regexp.MustCompile(`^(\d+)|not below (\d+)`)
	compared := 0
	seen := map[[2]string]bool{}
	for _, row := range rows[1:] {
		layer, kind := row[1], row[2]
		l, k, known := Find(layer, kind)
		if !known || seen[[2]string{layer, kind}] {
			continue
		}
		seen[[2]string{layer, kind}] = true
		compared++
		if shape := shapes[row[5]]; shape != "" && shape != l.Shape {
			t.Errorf("%s is a layer of shape %s, want %s", layer, l.Shape, shape)
		}
		found := zoom.FindStringSubmatch(row[6])
		if want, _ := strconv.Atoi(found[1] + found[2]); want != k.MinZoom {
			t.Errorf("%s %s is from zoom %d on, want %d", layer, kind, k.MinZoom, want)
		}
	}
	all := 0
	for _, l := range Layers {
		all += len(l.Kinds)
	}
	if ours := 4; compared != all-ours { // ocean, building, country, state
		t.Errorf("%d kinds are Shortbread's, want %d", compared, all-ours)
	}
}

func TestFind(t *testing.T) {
	if l, k, ok := Find("streets", "rail"); !ok || l.Shape != "line" || k.MinZoom != 8 {
		t.Errorf("a railway is %+v %+v %t", l, k, ok)
	}
	for _, unknown := range [][2]string{{"streets", "river"}, {"water_lines", ""}, {"", ""}, {"pois", "cafe"}} {
		if _, _, ok := Find(unknown[0], unknown[1]); ok {
			t.Errorf("%v is a layer and kind", unknown)
		}
	}
}
