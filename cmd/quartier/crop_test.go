package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// The limits of TestCrop, in points of the scale 0–5: what a value may move where a source is cut.
const (
	insideM     = 1000 // farther inside than this
	mostMean    = 0.1  // in the mean
	mostP99     = 0.3  // at the 99th percentile
	besideM     = 500  // within this of the cut
	mostWrong   = 0.02 // of the values so many
	wrongBy     = 0.5  // are off by more than this
	leastValues = 200  // fewer are no percentile
)

// TestCrop builds a region from a file and from cuts of it, and compares what both report of the same nodes: a score is not to
// depend on where a file was cut.
func TestCrop(t *testing.T) {
	t.Parallel()
	t.Run("Pikesville", func(t *testing.T) {
		testenv.NeedData(t, "us-pikesville")
		testenv.NeedProgram(t, "osmium")
		region, err := os.ReadFile("../../regions/us-pikesville.yaml")
		if err != nil {
			t.Fatal(err)
		}
		const extract = "${DATA}/us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf"
		dir := t.TempDir()
		derive := func(name, pbf string) map[[2]float64][]byte {
			file := filepath.Join(dir, name+".yaml")
			if err := os.WriteFile(file, []byte(strings.Replace(string(region), extract, pbf, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			stageRegion(t, file, filepath.Join(dir, name+".duckdb"))
			return nodesOf(t, filepath.Join(dir, name+".duckdb"), "", filepath.Join(dir, name+"-derived.duckdb"))
		}
		osmium := func(args ...string) {
			t.Helper()
			if out, err := exec.Command("osmium", args...).CombinedOutput(); err != nil {
				t.Fatalf("osmium %v: %v: %s", args, err, out)
			}
		}
		sorted := filepath.Join(dir, "sorted.osm.pbf") // the extract's objects are in no order
		osmium("sort", "-o", sorted, testenv.Data("us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf"))
		whole := derive("whole", extract)
		for _, c := range []struct {
			name string
			box  orb.Bound
		}{
			{"Pikesville centre", orb.Bound{Min: orb.Point{-76.751, 39.356}, Max: orb.Point{-76.693, 39.3956}}}, // 5 by 4.4 km
			{"Reisterstown", orb.Bound{Min: orb.Point{-76.8434794, 39.42}, Max: orb.Point{-76.77, 39.4842535}}},
			{"east", orb.Bound{Min: orb.Point{-76.71, 39.3103155}, Max: orb.Point{-76.5820693, 39.4842535}}},
			{"south", orb.Bound{Min: orb.Point{-76.8434794, 39.3103155}, Max: orb.Point{-76.5820693, 39.395}}},
		} {
			pbf := filepath.Join(dir, c.name+".osm.pbf")
			b := c.box
			osmium("extract", "--bbox", fmt.Sprintf("%v,%v,%v,%v", b.Min[0], b.Min[1], b.Max[0], b.Max[1]), "--set-bounds", "-o", pbf, sorted)
			t.Run(c.name, func(t *testing.T) { compareCrop(t, whole, derive(c.name, pbf), c.box) })
		}
	})
	t.Run("Port Hollis", func(t *testing.T) {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name+".duckdb") }
		stageRegion(t, filepath.Join(townsDir(t), "sources", "regions", "us-port-hollis.yaml"), path("staged"))
		whole := nodesOf(t, path("staged"), "", path("derived"))
		town := orb.Bound{Min: orb.Point{180, 90}, Max: orb.Point{-180, -90}}
		for at := range whole {
			town = town.Extend(at)
		}
		part := func(from, to, share float64) float64 { return from + share*(to-from) }
		for _, share := range cropShares {
			most := orb.Point{part(town.Min[0], town.Max[0], share), part(town.Min[1], town.Max[1], share)}
			rest := orb.Point{part(town.Min[0], town.Max[0], 1-share), part(town.Min[1], town.Max[1], 1-share)}
			boxes := map[string]orb.Bound{
				"west":  {Min: town.Min, Max: orb.Point{most[0], town.Max[1]}},
				"east":  {Min: orb.Point{rest[0], town.Min[1]}, Max: town.Max},
				"south": {Min: town.Min, Max: orb.Point{town.Max[0], most[1]}},
				"north": {Min: orb.Point{town.Min[0], rest[1]}, Max: town.Max},
			}
			if share >= cropCentre {
				least, greatest := (1-share)/2, (1+share)/2
				boxes["centre"] = orb.Bound{Min: orb.Point{part(town.Min[0], town.Max[0], least), part(town.Min[1], town.Max[1], least)},
					Max: orb.Point{part(town.Min[0], town.Max[0], greatest), part(town.Min[1], town.Max[1], greatest)}}
			}
			for name, box := range boxes {
				t.Run(fmt.Sprintf("%s, %v of the town", name, share), func(t *testing.T) {
					file := fmt.Sprintf("%s-%v", name, share)
					cutRegion(t, path("staged"), path(file), box, nil)
					compareCrop(t, whole, nodesOf(t, path(file), "", path(file+"-derived")), box)
				})
			}
		}
	})
}

// cropShares are how much of the town of tests the cuts leave, of its width and height from cropCentre on. With less, ramps
// or errands by car are gone, and car_friendly is off by up to .14 in the mean (docs/validation.md).
var cropShares = []float64{.55, .65, .75, .85, .95}

const cropCentre = .75

// moves are how far the values of a channel that both have move by a cut, and how many are in one alone.
type moves struct {
	by                  []float64 // absolute, more than insideM inside
	wrong, beside       int       // of the values within besideM of the cut: those off by more than wrongBy, all
	gone, appeared, all int       // inside: absent in the cut alone, in the whole alone, nodes with a value in either
}

// compareCrop compares the values of a cut with those of the whole.
func compareCrop(t *testing.T, whole, cut map[[2]float64][]byte, box orb.Bound) {
	var all [schemas.ChannelCount]moves
	nodes := 0
	for at, channels := range cut {
		want, found := whole[at]
		inside := distanceInside(at, box)
		if !found || inside < 0 {
			continue
		}
		nodes++
		for c := range all {
			a, b := binary.LittleEndian.Uint16(want[2*c:]), binary.LittleEndian.Uint16(channels[2*c:])
			all[c].add(a, b, inside)
		}
	}
	wrong, beside := 0, 0
	var table strings.Builder
	for c := range all {
		m := &all[c]
		wrong, beside = wrong+m.wrong, beside+m.beside
		slices.SortFunc(m.by, cmp.Compare[float64])
		mean, p99 := meanAndP99(m.by)
		name := schemas.ChannelName(schemas.Channel(c))
		bad := len(m.by) >= leastValues && (mean > mostMean || p99 > mostP99)
		if bad {
			t.Errorf("%s: the values of %d nodes over %d m inside move by %.3f in the mean and %.2f at the 99th percentile", name, len(m.by),
				insideM, mean, p99)
		}
		if m.all+m.beside > 0 {
			fmt.Fprintf(&table, "%-45s %7d %7.3f %6.2f %7d %7d   %5d of %6d\n", name, len(m.by), mean, p99, m.gone, m.appeared, m.wrong, m.beside)
		}
	}
	t.Logf("%d nodes\n%-45s %7s %7s %6s %7s %7s   wrong beside the cut\n%s", nodes, "over 1 km inside", "values", "mean", "p99", "gone",
		"new", &table)
	if float64(wrong) > mostWrong*float64(beside) {
		t.Errorf("%d of %d values within %d m of the cut are off by more than %v", wrong, beside, besideM, wrongBy)
	}
}

func (m *moves) add(whole, cut uint16, insideBy float64) {
	known := whole != schemas.AbsentValue && cut != schemas.AbsentValue
	by := math.Abs(float64(whole)-float64(cut)) / schemas.UnitValue
	if insideBy > insideM {
		switch {
		case known:
			m.by = append(m.by, by)
		case whole != schemas.AbsentValue:
			m.gone++
		case cut != schemas.AbsentValue:
			m.appeared++
		}
		if whole != schemas.AbsentValue || cut != schemas.AbsentValue {
			m.all++
		}
	}
	if insideBy <= besideM && known {
		m.beside++
		if by > wrongBy {
			m.wrong++
		}
	}
}

// meanAndP99 are the mean and the 99th percentile of sorted values.
func meanAndP99(sorted []float64) (mean, p99 float64) {
	if len(sorted) == 0 {
		return 0, 0
	}
	for _, v := range sorted {
		mean += v
	}
	return mean / float64(len(sorted)), sorted[len(sorted)*99/100]
}

// distanceInside is how many metres a point is inside of a box; negative outside.
func distanceInside(p orb.Point, box orb.Bound) float64 {
	mLng, mLat := geo.MetresPerDegree(p[1])
	return min((p[0]-box.Min[0])*mLng, (box.Max[0]-p[0])*mLng, (p[1]-box.Min[1])*mLat, (box.Max[1]-p[1])*mLat)
}
