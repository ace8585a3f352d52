package facts

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
)

// The places in a box are those that are, of any number of blocks, with all that is known of them.
func TestPlacesInABox(t *testing.T) {
	dir := t.TempDir()
	degrees := rapid.Float64Range(-1, 1)
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) poi {
			return poi{
				at: orb.Point{degrees.Draw(t, "lng"), degrees.Draw(t, "lat")}, categories: rapid.Uint64().Draw(t, "categories"),
				fid: rapid.Int64().Draw(t, "fid"), brand: rapid.Uint32().Draw(t, "brand"), street: rapid.Uint32().Draw(t, "street"),
			}
		}), 0, 3*blockPOIs).Draw(t, "places")
		file, err := newPOIFile(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer file.close()
		if err := file.add(places...); err != nil {
			t.Fatal(err)
		}
		var all []poi
		if err := file.each(func(block []poi) error { all = append(all, block...); return nil }); err != nil || !slices.Equal(all, places) {
			t.Fatalf("%v, %v, want %v", all, err, places)
		}
		box := orb.MultiPoint{{degrees.Draw(t, "west"), degrees.Draw(t, "south")}, {degrees.Draw(t, "east"), degrees.Draw(t, "north")}}.Bound()
		c := &collector{world: &world{pois: &poiIndex{file: file, boxes: coord.NewBoxIndex(file.boxes)}}}
		found := map[poi]int{}
		c.eachPOI(box, func(p *poi) { found[*p]++ })
		for _, p := range places {
			if in := box.Contains(p.at); in != (found[p] > 0) {
				t.Errorf("in %v: %v, found %v", box, p, !in)
			}
		}
		if c.err != nil {
			t.Error(c.err)
		}
	})
}

// A file that cannot be read ends the search.
func TestPlacesThatCannotBeRead(t *testing.T) {
	file, err := newPOIFile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer file.close()
	if err := file.add(poi{fid: 1}); err != nil { // which is not flushed
		t.Fatal(err)
	}
	c := &collector{world: &world{pois: &poiIndex{file: file, boxes: coord.NewBoxIndex(file.boxes)}}}
	c.eachPOI(orb.Bound{}, func(p *poi) { t.Errorf("found %v", p) })
	if c.err == nil {
		t.Error("no error")
	}
}
