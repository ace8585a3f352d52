package enrich

import (
	"slices"
	"sync"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/pack/access"
	"quartier/internal/pointindex"
	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/serve/scope"
)

// homes are those of a release, found by place.
type homes struct {
	table *access.Table
	index *pointindex.Index // of their numbers, in the order of the table
	hulls household.Hulls
}

func openHomes(t *access.Table) *homes {
	points := make([]coord.Point, t.Homes())
	for i := range points {
		p := t.HomePoint(i)
		points[i], _ = coord.NewPoint(p[0], p[1])
	}
	h := &homes{table: t}
	h.index, _ = pointindex.New(points, access.HomeStripM)
	for _, ring := range t.Hulls() {
		h.hulls = append(h.hulls, geo.Prepare(orb.MultiPolygon{{ring}}))
	}
	return h
}

// medianFiller fills the scores of the median household of the shape, as those of a geography are computed.
type medianFiller struct {
	homes   *homes
	scores  []int // by column, as access.ScoreCount numbers them
	release *scope.Release
	limited bool // to the regions of an agreement
	found   household.Index
	order   []int32
	weights household.Quantiles
}

// openShapeMedians has the scores that were chosen.
func openShapeMedians(e *Enricher) (part, error) {
	chosen, err := subset("scores", e.choice.Scores, schemas.ScoreIDs())
	if err != nil {
		return part{}, err
	}
	p := part{places: true}
	var scores []int
	for i, s := range schemas.Scores {
		if chosen[i] && (e.client.Scores == nil || slices.Contains(e.client.Scores, s.ID)) {
			scores = append(scores, i)
			p.columns = append(p.columns, e.choice.decimal("median_"+s.ID, "scores.median_"+s.ID))
		}
	}
	for _, name := range []string{"basis", "homes"} {
		p.columns = append(p.columns, e.choice.column("median_"+name, column.Of("scores."+name)))
	}
	open := sync.OnceValue(func() *homes { return openHomes(e.release.Access) })
	p.filler = func() filler {
		f := &medianFiller{homes: open(), scores: scores, release: new(scope.Release), limited: e.client.Regions != nil}
		f.release.Open(e.release, e.client.Customer, e.client.Regions)
		return f
	}
	return p, nil
}

func (f *medianFiller) fill(at *place, k int, out []vector) bool {
	polygons := at.shape.polygons
	outline := geo.Prepare(polygons)
	f.collect(outline)
	medians := f.weights.Medians(&f.found, f.order)
	if medians.Basis == "" || household.CoverageOf(&f.found, f.order, f.homes.hulls, outline, len(polygons),
		at.shape.centroid) != household.Sufficient {
		return false
	}
	for i, s := range f.scores {
		if v := medians.Values[s]; v != schemas.AbsentValue {
			out[i].numbers[k] = int64(v)
		}
	}
	out[len(f.scores)].texts[k], out[len(f.scores)+1].numbers[k] = medians.Basis, int64(len(f.order))
	return true
}

// collect finds the homes in an outline: those with household counts, otherwise those along streets.
func (f *medianFiller) collect(outline *geo.Prepared) {
	t := f.homes.table
	f.found.Homes, f.order = f.found.Homes[:0], f.order[:0]
	counted := false
	f.homes.index.SearchBox(outline.Bound(), func(first, last int) {
		for i := first; i < last; i++ {
			street, p := t.HomeOnStreet(i), t.HomePoint(i)
			if counted && street || !outline.Contains(p) || f.limited && f.release.CheckPlace(p[0], p[1]) != nil {
				continue
			}
			if !counted && !street { // the first one: those along streets no longer count
				counted, f.found.Homes = true, f.found.Homes[:0]
			}
			h := household.Home{Point: p, Weight: t.HomeWeight(i), Street: street, Steepness: schemas.AbsentValue}
			t.HomeScores(i, (*[access.ScoreCount]uint16)(&h.Values))
			f.found.Homes = append(f.found.Homes, h)
		}
	})
	for i := range f.found.Homes {
		f.order = append(f.order, int32(i))
	}
}
