// Package home locates the households of a region: points on streets with the number of households that each represents,
// over which the medians of geographies are taken, and the population density around a point. Input: staged.block and
// staged.home, or streets where there are no counts. Output: derived.home and densities.
package home

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/network/street"
)

// Reasons are those of this package.
var Reasons reason.List

var (
	noWeight     = Reasons.Skipped("block_without_weight", "The block has no count of households, dwellings or people.")
	unknownBlock = Reasons.Skipped("home_of_unknown_block", "The points of homes are of a block that the region does not have.")
)

// Bases of the weights in derived.home.
const (
	Households = "households"
	Street     = "street"
)

// Home is a point that represents households.
type Home struct {
	Basis  string
	Weight float64 // households, or metres of street
	At     orb.Point
	Place  network.Place
}

// Result is the output of Derive.
type Result struct {
	Homes   []Home
	Counted float64  // people of blocks that have a home; of blocks without a count of people, by their households
	Assumed float64  // people of the homes of basis Street, by its length
	Around  float64  // people on streets that neighbours lend, counted or assumed
	Density *Density // nil if no block has a population
	Setting *Setting
	Notes   map[string]string // rows of derived.note, text by topic
}

// Derive locates the homes of a region whose network has streets for pedestrians.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, c *calibration.Calibration) (*Result, []issue.Issue, error) {
	d := &deriver{net: net, c: c, issues: issue.NewCounter("home"), result: &Result{Notes: map[string]string{}}}
	points, err := readHomes(ctx, staged)
	if err != nil {
		return nil, nil, err
	}
	var samples []sample
	if err := eachBlock(ctx, staged, func(b *block) {
		samples = append(samples, spread(b, c.Homes, c.Demographics.Ground.HouseholdSize)...)
		if b.lent {
			d.addAround(b) // people, not homes of the region
			return
		}
		d.addBlock(b, points[b.SourceKey])
		delete(points, b.SourceKey)
	}); err != nil {
		return nil, nil, err
	}
	for key := range points {
		d.issues.Add(unknownBlock, key)
	}
	if len(samples) > 0 {
		d.result.Density = newDensity(samples, c.Homes)
	}
	edges, at := d.uncounted()
	d.addStreetHomes(edges, at)
	if d.result.Setting, err = d.newSetting(ctx, edges, at); err != nil {
		return nil, nil, err
	}
	d.addNotes()
	return d.result, d.issues.Issues(), nil
}

// deriver collects homes.
type deriver struct {
	net    *street.Network
	c      *calibration.Calibration
	issues *issue.Counter
	result *Result

	blocks, blocksByDwellings, blocksByPeople int
	streetHomes                               int
}

// addBlock adds the homes of a block at its staged points, else at an interior point. Their weights are households, else
// dwellings, else people.
//
// For example, a block of 40 households with two points of weights 1 and 3 becomes homes of 10 and 30 households.
func (d *deriver) addBlock(b *block, points []staged.Home) {
	d.blocks++
	weight := b.Households
	switch {
	case weight != nil:
	case b.Dwellings != nil:
		weight = b.Dwellings
		d.blocksByDwellings++
	case b.Population != nil:
		weight = b.Population
		d.blocksByPeople++
	}
	if weight == nil {
		d.issues.Add(noWeight, b.SourceKey)
		return
	}
	if *weight == 0 {
		return
	}
	if len(points) == 0 {
		inside, ok := geo.InteriorPoint(b.outline)
		if !ok {
			d.issues.Add(issue.NoInteriorPoint, b.SourceKey)
			return
		}
		points = []staged.Home{{Weight: 1, Lng: inside[0], Lat: inside[1]}}
	}
	people := float64(*weight) * d.c.Demographics.Ground.HouseholdSize
	if b.Population != nil {
		people = float64(*b.Population)
	}
	total := 0.0
	for _, p := range points {
		total += p.Weight
	}
	for _, p := range points {
		if d.add(float64(*weight)*p.Weight/total, orb.Point{p.Lng, p.Lat}, b.SourceKey) {
			d.result.Counted += people * p.Weight / total
		}
	}
}

// addAround adds the people of a lent block that is at a street.
func (d *deriver) addAround(b *block) {
	if b.Population == nil {
		return
	}
	inside, ok := geo.InteriorPoint(b.outline)
	if !ok {
		return
	}
	if p, ok := coord.NewPoint(inside[0], inside[1]); ok {
		if _, near := d.net.Snapper.Snap(p, d.c.Walking.SnapM); near {
			d.result.Around += float64(*b.Population)
		}
	}
}

// add adds a home; false where no street is near.
func (d *deriver) add(households float64, at orb.Point, block string) bool {
	p, ok := coord.NewPoint(at[0], at[1])
	place, near := network.Place{}, false
	if ok {
		place, near = d.net.Snapper.Snap(p, d.c.Walking.SnapM)
	}
	if !near {
		d.issues.Add(issue.NoStreet, block)
		return false
	}
	d.result.Homes = append(d.result.Homes, Home{Households, households, at, place})
	return true
}

// uncounted are the residential edges, lent ones too, without counts of people around, and their midpoints.
func (d *deriver) uncounted() (edges []uint32, at []orb.Point) {
	walk := d.net.Walk
	for e, edge := range walk.Edges {
		if !slices.Contains(d.c.Homes.StreetClasses, d.net.Street(uint32(e)).Class) {
			continue
		}
		middle := d.net.Snapper.Point(network.Place{Edge: uint32(e), Along: edge.Length / 2}).Orb()
		if d.result.Density == nil || !d.result.Density.Counted(middle) {
			edges, at = append(edges, uint32(e)), append(at, middle)
		}
	}
	return edges, at
}

// addStreetHomes adds the middles of residential edges, weighted by length, where there are no counts: everywhere, or at
// points that are farther from all blocks than the radius of densities.
func (d *deriver) addStreetHomes(edges []uint32, at []orb.Point) {
	if d.blocks > 0 && d.result.Density == nil {
		return // the blocks have no counts
	}
	for i, e := range edges {
		length := d.net.Walk.Edges[e].Length
		people := length.Metres() / 10_000 * d.c.Known.PeoplePer10KM
		if staged.Lent(d.net.Street(e).Source) {
			d.result.Around += people
			continue
		}
		d.streetHomes++
		d.result.Assumed += people
		d.result.Homes = append(d.result.Homes, Home{Basis: Street, Weight: length.Metres(), At: at[i],
			Place: network.Place{Edge: e, Along: length / 2}})
	}
}

// addNotes notes what is used in place of missing counts.
func (d *deriver) addNotes() {
	notes := d.result.Notes
	switch {
	case d.blocks == 0:
		notes["medians"] = "no counts of households: scores of geographies are medians over residential streets by length"
	case d.streetHomes > 0:
		notes["medians beyond blocks"] = "where there are no blocks, scores of geographies are medians over residential streets by length"
	}
	if d.result.Density == nil {
		notes["typologies"] = "no counts of people: there are no typologies"
	}
	if d.blocksByDwellings > 0 {
		notes["medians"] = fmt.Sprintf("%d of %d blocks have no count of households: dwellings are used instead", d.blocksByDwellings, d.blocks)
	}
	if d.blocksByPeople > 0 {
		notes["medians by people"] = fmt.Sprintf("%d of %d blocks have no count of households or dwellings: people are used instead",
			d.blocksByPeople, d.blocks)
	}
}

// Write writes derived.home: the homes on the region's own streets.
func (r *Result) Write(ctx context.Context, db *duck.DB, own *street.Own) error {
	homes := slices.DeleteFunc(slices.Clone(r.Homes), func(h Home) bool {
		_, on := own.Edge(h.Place.Edge)
		return !on
	})
	return duck.WriteEach(ctx, db, "home", homes, func(i int, h Home) (derived.Home, error) {
		edge, _ := own.Edge(h.Place.Edge)
		return derived.Home{Home: int32(i), Basis: h.Basis, Weight: h.Weight, Lng: h.At[0], Lat: h.At[1],
			Edge: edge, AlongM: h.Place.Along.Metres()}, nil
	})
}
