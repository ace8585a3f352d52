package home

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
)

// sample represents a part of a block: its people, households and land.
type sample struct {
	at                          orb.Point
	people, households, landKM2 float64
	areaKM2                     float64 // of the outline, with water
	dwellings                   float64
	streetM                     float64 // metres of residential street, where nothing is counted
	lent                        bool    // by a neighbouring region
}

// spread distributes a block evenly over the points of a grid inside its outline, at least one. A block without a
// population is excluded: it counts neither as people nor as land.
func spread(b *block, c calibration.Homes, householdSize float64) []sample {
	if b.Population == nil {
		return nil
	}
	area := geo.Area(b.outline)
	n := min(max(area/(c.SampleM*c.SampleM), 1), float64(c.MaxSamples))
	points := inside(b.outline, math.Sqrt(area/n))
	if len(points) == 0 {
		p, ok := geo.InteriorPoint(b.outline)
		if !ok {
			return nil
		}
		points = []orb.Point{p}
	}
	part := 1 / float64(len(points))
	total := sample{people: count(b.Population), households: count(b.Households), landKM2: b.landM2 / 1e6, areaKM2: area / 1e6}
	if b.Households == nil {
		total.households = count(b.Dwellings)
	}
	if total.dwellings = total.households; b.Households == nil && b.Dwellings == nil {
		total.dwellings = total.people / householdSize
	}
	samples := make([]sample, len(points))
	for i, p := range points {
		samples[i] = sample{at: p, people: total.people * part, households: total.households * part, landKM2: total.landKM2 * part,
			areaKM2: total.areaKM2 * part, dwellings: total.dwellings * part, lent: b.lent}
	}
	return samples
}

func count(n *int64) float64 {
	if n == nil {
		return 0
	}
	return float64(*n)
}

// inside are the points of a grid of the given spacing in metres that are inside an outline.
func inside(outline orb.MultiPolygon, metres float64) []orb.Point {
	prepared := geo.Prepare(outline)
	bound := prepared.Bound()
	plane := geo.NewPlane(bound.Center())
	west, south := plane.XY(bound.Min)
	var points []orb.Point
	for y := south + metres/2; y < -south; y += metres {
		for x := west + metres/2; x < -west; x += metres {
			if p := plane.Point(x, y); prepared.Contains(p) {
				points = append(points, p)
			}
		}
	}
	return points
}

// Density is the population density around any point of a region. It takes 64 bytes a sample, of which there are at
// most calibration.Homes.MaxSamples a block.
type Density struct {
	radius   float64
	leastKM2 float64 // minimum area of outlines with counts in the disc
	step     float64 // height of a band in degrees
	south    float64
	bands    []int // samples of band i are samples[bands[i]:bands[i+1]], from west to east
	samples  []sample
}

func newDensity(samples []sample, c calibration.Homes) *Density {
	disc := math.Pi * c.RadiusM * c.RadiusM / 1e6
	d := &Density{radius: c.RadiusM, leastKM2: c.MinKnown * disc, step: c.RadiusM / 111_000, south: math.Inf(1), samples: samples}
	north := math.Inf(-1)
	for _, s := range samples {
		d.south, north = min(d.south, s.at[1]), max(north, s.at[1])
	}
	slices.SortStableFunc(samples, func(a, b sample) int {
		return cmp.Or(d.band(a.at[1])-d.band(b.at[1]), cmp.Compare(a.at[0], b.at[0]))
	})
	d.bands = make([]int, d.band(north)+2)
	for _, s := range samples {
		d.bands[d.band(s.at[1])+1]++
	}
	for i := 1; i < len(d.bands); i++ {
		d.bands[i] += d.bands[i-1]
	}
	return d
}

func (d *Density) band(lat float64) int { return int(math.Floor((lat - d.south) / d.step)) }

// At returns people and households per km² of land within the radius of p; false if too little land there has counts.
//
// If half of the disc is town with 5,000 people per km² and half is country with 80 people per km² of land and as much
// water as land, the result is (5,000·½ + 80·¼)/(½ + ¼) = 3,360 people per km² of land.
func (d *Density) At(p orb.Point) (people, households float64, ok bool) {
	sum := d.around(p, d.radius)
	if sum.landKM2 <= 0 || sum.areaKM2 < d.leastKM2 {
		return 0, 0, false
	}
	return sum.people / sum.landKM2, sum.households / sum.landKM2, true
}

// Counted reports whether any land with counts is within the radius of p.
func (d *Density) Counted(p orb.Point) (counted bool) {
	d.rows(p, d.radius, func(row []sample, near func(orb.Point) bool) {
		counted = counted || slices.ContainsFunc(row, func(s sample) bool { return s.landKM2 > 0 && near(s.at) })
	})
	return counted
}

// around adds up the samples within radius metres of p.
func (d *Density) around(p orb.Point, radius float64) (sum sample) {
	d.rows(p, radius, func(row []sample, near func(orb.Point) bool) {
		for i := range row {
			if s := &row[i]; near(s.at) {
				sum.people += s.people
				sum.households += s.households
				sum.landKM2 += s.landKM2
				sum.areaKM2 += s.areaKM2
				sum.dwellings += s.dwellings
				sum.streetM += s.streetM
			}
		}
	})
	return sum
}

// rows visits runs of samples that have all within radius metres of p; near reports which of them are.
func (d *Density) rows(p orb.Point, radius float64, visit func(row []sample, near func(orb.Point) bool)) {
	plane := geo.NewPlane(p)
	near := func(at orb.Point) bool {
		x, y := plane.XY(at)
		return x*x+y*y <= radius*radius
	}
	box := geo.CircleBound(p, radius)
	west := func(s sample, lng float64) int { return cmp.Compare(s.at[0], lng) }
	for band := max(0, d.band(box.Min[1])); band <= min(len(d.bands)-2, d.band(box.Max[1])); band++ {
		row := d.samples[d.bands[band]:d.bands[band+1]]
		first, _ := slices.BinarySearchFunc(row, box.Min[0], west)
		n, _ := slices.BinarySearchFunc(row[first:], math.Nextafter(box.Max[0], math.Inf(1)), west)
		visit(row[first:first+n], near)
	}
}

// Each visits the points with people of the region itself.
func (d *Density) Each(visit func(p orb.Point)) {
	for _, s := range d.samples {
		if s.people > 0 && !s.lent {
			visit(s.at)
		}
	}
}

// Fill sets the density around every node.
func (d *Density) Fill(ctx context.Context, nodes []coord.Point, q *channel.Quantities) error {
	q.DensityKM2 = make([]float32, len(nodes))
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			people, _, ok := d.At(nodes[i].Orb())
			if !ok {
				people = math.NaN()
			}
			q.DensityKM2[i] = float32(people)
		}
	})
}
