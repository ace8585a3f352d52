package main

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/schemas"
)

// checkWeights compares our weights with the overlay of the same outlines, and their sum in a block group with the share of
// it that is in several neighbourhoods. The weights of the block groups that settlement
// divides, a tenth of all, differ by its houses.
// It returns the block groups that settlement divides.
func (p *portland) checkWeights(t *testing.T, weights map[held]float64) (settled map[string]bool) {
	pairs := maps.Clone(p.overlap)
	maps.Copy(pairs, weights)
	farthest := 0.0
	settled = map[string]bool{}
	for _, pair := range inOrder(pairs) {
		off := math.Abs(weights[pair] - p.overlap[pair])
		farthest = max(farthest, off)
		if off > 0.001 {
			settled[pair.group] = true
		}
	}
	if all := len(byGroup(p.overlap)); farthest > 0.3 || 8*len(settled) > all {
		t.Errorf("weights differ by up to %.5f in %d of %d block groups", farthest, len(settled), all)
	}
	t.Logf("%d weights of block groups in neighbourhoods: the largest difference from the overlay of the same outlines is %.3f points",
		len(weights), 100*farthest)
	laid := byGroup(p.overlap)
	for group, sum := range byGroup(weights) {
		if twice := laid[group] - p.covered[group]; sum > 1+twice+0.001 {
			t.Errorf("%s: the weights add up to %.5f, and %.5f of it is in more than one neighbourhood", group, sum, twice)
		}
	}
	return settled
}

// groupsOf is the number of block groups in a neighbourhood; 0 if some of them are among others.
func (p *portland) groupsOf(name string, others map[string]bool) (n int) {
	for pair := range p.overlap {
		if pair.hood != name {
			continue
		}
		if others[pair.group] {
			return 0
		}
		n++
	}
	return n
}

// checkCrosswalk compares weights with the published crosswalk: pairs in either of them, of neighbourhoods in both. Of the
// outlines of the crosswalk only the areas are known.
func (p *portland) checkCrosswalk(t *testing.T, weights map[held]float64) {
	var lost []string
	for _, name := range slices.Sorted(maps.Keys(p.areas)) {
		if p.extents[name] == 0 {
			lost = append(lost, name)
		}
	}
	t.Logf("only in our list: %s", strings.Join(lost, ", "))
	lost = nil
	for _, name := range slices.Sorted(maps.Keys(p.extents)) {
		if sum := 0.0; p.areas[name] == 0 && !strings.HasSuffix(name, " beyond Portland") {
			for group := range p.middle {
				sum += p.theirs[held{group, name}]
			}
			if lost = append(lost, name); sum > 0.05 {
				lost[len(lost)-1] += fmt.Sprintf(" (%.1f block groups in the middle)", sum)
			}
		}
	}
	t.Logf("only in the crosswalk: %s", strings.Join(lost, ", "))
	extents := map[string]float64{}
	for _, pair := range inOrder(p.theirs) {
		extents[pair.hood] += p.theirs[pair] * p.ground[pair.group]
	}
	for name := range p.areas { // the crosswalk has the areas of its outlines
		if off := math.Abs(extents[name]/p.extents[name] - 1); p.extents[name] > 0 && off > 0.0005 && name != "maplewood ashcreek" {
			t.Errorf("%s: the shares of the crosswalk add up to %.0f m², its outline has %.0f", name, extents[name], p.extents[name])
		}
	}
	middle := func(pair held) bool { return p.middle[pair.group] }
	t.Logf("%4d block groups in the middle %s", len(p.middle), p.spread(weights, middle))
	t.Logf("%4d block groups               %s", len(p.ground), p.spread(weights, func(held) bool { return true }))
	t.Logf("the middle, outlines moved by 27 m  %s", p.spread(p.moved, middle))
	here, moved := quantile(p.differences(weights, middle), 0.5), quantile(p.differences(p.moved, middle), 0.5)
	if here > 2 || moved > 1 {
		t.Errorf("half of the weights are over %.2f points off the crosswalk, %.2f where the outlines are moved", here, moved)
	}
	p.checkCauses(t, weights)
}

// differences returns the differences of weights from the crosswalk in points, sorted.
func (p *portland) differences(weights map[held]float64, asked func(held) bool) []float64 {
	pairs := maps.Clone(p.theirs)
	maps.Copy(pairs, weights)
	var points []float64
	for pair := range pairs {
		if p.areas[pair.hood] > 0 && p.extents[pair.hood] > 0 && asked(pair) {
			points = append(points, 100*math.Abs(weights[pair]-p.theirs[pair]))
		}
	}
	slices.Sort(points)
	return points
}

// quantile interpolates a quantile of sorted values.
func quantile(values []float64, share float64) float64 {
	at := share * float64(len(values)-1)
	low := int(at)
	return values[low] + (at-float64(low))*(values[min(low+1, len(values)-1)]-values[low])
}

// spread formats the distribution of differences.
func (p *portland) spread(weights map[held]float64, asked func(held) bool) string {
	points := p.differences(weights, asked)
	text := fmt.Sprintf("%4d pairs, points off:", len(points))
	for _, q := range []struct {
		name string
		at   float64
	}{{"quartile", 0.25}, {"median", 0.5}, {"quartile", 0.75}, {"90th", 0.9}} {
		text += fmt.Sprintf(" %s %.2f,", q.name, quantile(points, q.at))
	}
	for _, limit := range []float64{1, 2, 5} {
		under, _ := slices.BinarySearch(points, limit)
		text += fmt.Sprintf(" under %g: %.0f %%", limit, 100*float64(under)/float64(len(points)))
	}
	return text
}

// checkCauses finds the cause of every difference over five points in the centre. The area is attributed to the neighbourhood
// with the largest opposite difference.
func (p *portland) checkCauses(t *testing.T, weights map[held]float64) {
	pairs := maps.Clone(p.theirs)
	maps.Copy(pairs, weights)
	differ := func(name string) bool {
		return p.areas[name] > 0 && p.extents[name] > 0 && math.Abs(p.areas[name]/p.extents[name]-1) > 0.05
	}
	causes := map[string]int{}
	for _, pair := range inOrder(pairs) {
		off := weights[pair] - p.theirs[pair]
		if !p.middle[pair.group] || p.areas[pair.hood] == 0 || p.extents[pair.hood] == 0 || math.Abs(off) <= 0.05 {
			continue
		}
		other, most := "", 0.0
		for _, o := range inOrder(pairs) {
			if d := weights[o] - p.theirs[o]; o.group == pair.group && d*off < 0 && math.Abs(d) > most {
				other, most = o.hood, math.Abs(d)
			}
		}
		cause := ""
		switch {
		case other != "" && p.areas[other] == 0:
			cause = "the crosswalk has a neighbourhood there that our list has not"
		case differ(pair.hood) || differ(other):
			cause = "the outlines differ by over 5 % in area"
		default:
			t.Errorf("%v: our weight is %.4f, that of the crosswalk %.4f, for no known cause", pair, weights[pair], p.theirs[pair])
		}
		causes[cause]++
		t.Logf("%s %-30s %6.2f here, %6.2f there; %6.2f are of %s: %s", pair.group, pair.hood, 100*weights[pair], 100*p.theirs[pair], 100*most,
			other, cause)
	}
	for _, cause := range slices.Sorted(maps.Keys(causes)) {
		t.Logf("over five points, %d pairs: %s", causes[cause], cause)
	}
}

// checkStreets finds which of two sets of outlines is displaced: the distance of their vertices from the nearest street.
func (p *portland) checkStreets(t *testing.T, release string) {
	plane := geo.NewPlane(orb.Point{-122.67, 45.52})
	const cell = 100 // metres; nothing is looked for farther
	near := map[[2]int][]orb.Point{}
	at := func(x, y float64) [2]int { return [2]int{int(math.Floor(x / cell)), int(math.Floor(y / cell))} }
	for _, row := range rows(t, filepath.Join(release, schemas.AccessFile),
		"SELECT hex(geometry) FROM street_edge WHERE region = 'us-portland'") {
		line, err := released.ReadLine(blobOf(t, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(line); i++ {
			x, y := plane.XY(line[i-1])
			toX, toY := plane.XY(line[i])
			for n, steps := 0.0, math.Ceil(math.Hypot(toX-x, toY-y)/2); n <= steps; n++ {
				f := n / max(steps, 1)
				point := orb.Point{x + f*(toX-x), y + f*(toY-y)}
				near[at(point[0], point[1])] = append(near[at(point[0], point[1])], point)
			}
		}
	}
	median := func(file, query string, east, north float64) float64 {
		var metres []float64
		box := orb.Bound{Min: orb.Point{-122.7, 45.495}, Max: orb.Point{-122.63, 45.55}}
		for _, row := range rows(t, filepath.Join(release, file), query) {
			for _, polygon := range outlineOf(t, row[0]) {
				for _, corner := range polygon[0] {
					if !box.Contains(corner) {
						continue
					}
					x, y := plane.XY(corner)
					x, y = x+east, y+north
					here, least := at(x, y), float64(cell)
					for i := range 9 {
						for _, point := range near[[2]int{here[0] + i%3 - 1, here[1] + i/3 - 1}] {
							least = min(least, math.Hypot(point[0]-x, point[1]-y))
						}
					}
					metres = append(metres, least)
				}
			}
		}
		slices.Sort(metres)
		return metres[len(metres)/2]
	}
	groups := median(schemas.DemographicsFile,
		"SELECT hex(p.geometry) FROM small_area a JOIN small_area_part p ON p.area = a.fid WHERE a.region = 'us-portland'", 0, 0)
	const hoods = "SELECT hex(geometry) FROM geography WHERE source_key LIKE 'portland:neighbourhood:%'"
	here, moved := median(schemas.GeographiesFile, hoods, 0, 0), median(schemas.GeographiesFile, hoods, -25, 10)
	t.Logf("median distance of corners from the nearest street: block groups %.1f m, neighbourhoods %.1f m, and %.1f m where moved by 27 m",
		groups, here, moved)
	if groups > 2 || here < 10 || moved > here/2 {
		t.Error("the outlines of neighbourhoods are not the displaced ones")
	}
}
