package private

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/containment"
	"quartier/build/files"
	"quartier/build/released"
	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/smallareas"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Shares of outlines, as in the regions' own hierarchy of geographies.
const (
	sliver         = 0.01 // shares below are due to differences between two publishers' borders
	stateParallels = 128  // along which shares of states are measured
	half           = 0.5
)

// describe sets the geography of each request that is to be built, or why it cannot be.
func (b *builder) describe(ctx context.Context) error {
	l, err := newLocator(ctx, b)
	if err != nil {
		return err
	}
	line := &antimeridian{}
	defer line.close()
	centroids := make([]orb.Point, len(b.requests))
	for i, q := range b.requests {
		if q.Action == schemas.DeprecateRequest {
			continue
		}
		if centroids[i], err = line.read(q); err != nil {
			return fmt.Errorf("boundary of request %s: %w", q.ID, err)
		}
	}
	newShape := func() *areal.Shape { return new(areal.Shape) }
	return parallel.EachWith(ctx, len(b.requests), newShape, func(shape *areal.Shape, i int) error {
		q := b.requests[i]
		if q.Action == schemas.DeprecateRequest || q.problem != "" {
			return nil
		}
		if q.measure(); q.problem != "" {
			return nil
		}
		if err := l.place(q, centroids[i]); err != nil {
			return fmt.Errorf("request %s: %w", q.ID, err)
		}
		if q.problem == "" {
			shape.SetPolygons(q.outline)
			b.checkKnown(q, shape)
		}
		return nil
	})
}

// checkKnown refuses a geography without land, or of which hardly anything can be known.
func (b *builder) checkKnown(q *request, shape *areal.Shape) {
	c, g := calibration.Standard(), &q.geography
	land, covered := b.areas.Ground(shape, smallareas.Scope{Country: g.Country})
	if land == 0 && slices.ContainsFunc(strings.Split(g.States, ","), b.areas.KnowsGround) {
		q.refuse(noLand, "It has no land in %s.", g.States)
		return
	}
	streets, people := b.hulls.ShareOf(q.outline, g.Centroid), 0.0
	if land > 0 {
		people = covered / land
	}
	if streets < c.Homes.MinCoverage && people < c.Demographics.MinCoverage {
		q.refuse(notCovered,
			"The streets of the release cover %.1f %% of it, and its small areas %.1f %% of its land; one of them must be at least %.0f %%.",
			100*streets, 100*people, 100*min(c.Homes.MinCoverage, c.Demographics.MinCoverage))
	}
}

// cover is an area whose state is known: an outline of a state, or the extent of a source.
type cover struct {
	code, region string
	outline      *geo.Prepared
	extent       bool
}

// locator finds what custom geographies are in. It is safe for concurrent use.
type locator struct {
	*builder
	numbers map[string]int32 // of regions
	covers  []cover
	levels  map[schemas.Level]*level
	states  map[string]string // keys of states and countries by code
}

// level is the geographies of a level.
type level struct {
	list     []*assembly.Geography
	index    []int // of the list, in the outlines
	boxes    *coord.BoxIndex
	outlines []func() (*geo.Prepared, error) // of the list, read once
	parents  *containment.Parents
}

func newLocator(ctx context.Context, b *builder) (*locator, error) {
	l := &locator{builder: b, numbers: map[string]int32{}, levels: map[schemas.Level]*level{}, states: map[string]string{}}
	for i, region := range b.rows.Regions() {
		l.numbers[region.Name] = int32(i)
	}
	for row, err := range b.rows.Coverage(ctx) {
		if err != nil {
			return nil, fmt.Errorf("read coverage: %w", err)
		}
		m, err := assembly.DecodeOutline(row.Geom)
		if err != nil {
			return nil, fmt.Errorf("coverage of %s by %s: %w", row.RegionCode, row.SourceKey, err)
		}
		l.covers = append(l.covers, cover{row.RegionCode, row.Region, geo.Prepare(m), strings.HasPrefix(row.SourceKey, "extent:")})
	}
	boxes := map[schemas.Level][]orb.Bound{}
	for i := range b.public {
		g := &b.public[i]
		switch g.Level {
		case schemas.State:
			l.states[g.States] = g.Key
		case schemas.Country:
			l.states[g.Country] = g.Key
		}
		at := l.levels[g.Level]
		if at == nil {
			at = &level{}
			l.levels[g.Level] = at
		}
		at.list, at.index, boxes[g.Level] = append(at.list, g), append(at.index, i), append(boxes[g.Level], g.Bound)
		at.outlines = append(at.outlines, sync.OnceValues(func() (*geo.Prepared, error) {
			m, err := b.rows.Outlines.Get(i)
			return geo.Prepare(m), err
		}))
	}
	for number, at := range l.levels {
		at.boxes = coord.NewBoxIndex(boxes[number])
		at.parents = containment.NewParents(boxes[number], func(i int) (*geo.Prepared, error) { return at.outlines[i]() })
	}
	return l, nil
}

// place sets where the geography of a request is: country, states, level, parents and regions. centroid is that of its area.
func (l *locator) place(q *request, centroid orb.Point) error {
	g := &q.geography
	outline := geo.Prepare(q.outline)
	if !slices.ContainsFunc(l.covers, func(c cover) bool { return c.outline.Contains(centroid) }) {
		q.refuse(outsideRelease, "Its centroid, longitude %.7g latitude %.7g, is outside of the states and provinces of the release.",
			centroid[0], centroid[1])
		return nil
	}
	states := l.statesOf(outline, g.Bound)
	if len(states) == 0 {
		q.refuse(outsideRelease, "No part of it is in a state or province of the release.")
		return nil
	}
	g.Key, g.SourceID, g.Name = files.CustomKey(q.ID), released.RequestsSource, schemas.Text{EN: q.NameEN, FR: cmp.Or(q.NameFR, q.NameEN)}
	g.Country, g.States = states[0][:2], strings.Join(states, ",")
	g.Level = schemas.CustomLevel(q.Type, g.Country)
	g.Parents[assembly.Country] = l.states[g.Country]
	if len(states) == 1 {
		g.Parents[assembly.State] = l.states[states[0]]
	}
	for link, level := range assembly.ParentLevel {
		if g.Parents[link] != "" {
			continue
		}
		var err error
		if g.Parents[link], err = l.parent(level, g, outline); err != nil {
			return err
		}
	}
	return l.setRegions(g, outline, centroid)
}

// statesOf lists the states that contain a part of an outline, the largest share first; if all parts are slivers, none. Extents
// count only where it is for the most part outside of the outlines of states: their borders are coarse.
func (l *locator) statesOf(outline *geo.Prepared, box orb.Bound) (states []string) {
	shares, extents, inOutlines := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for i := range l.covers {
		c := &l.covers[i]
		if !c.outline.Bound().Intersects(box) {
			continue
		}
		share := geo.Overlap(outline, c.outline, stateParallels)
		if c.extent {
			extents[c.code] = max(extents[c.code], share)
			continue
		}
		inOutlines[c.code] = max(inOutlines[c.code], share)
	}
	sum := 0.0
	for code, share := range inOutlines {
		shares[code] = share
		sum += share
	}
	if sum < half {
		for code, share := range extents {
			shares[code] = max(shares[code], share)
		}
	}
	for code, share := range shares {
		if share >= sliver {
			states = append(states, code)
		}
	}
	slices.SortFunc(states, func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b)) })
	return states
}

// parent is the key of the geography of a level that contains g, as assembly finds those of the regions' geographies.
func (l *locator) parent(of schemas.Level, g *assembly.Geography, outline *geo.Prepared) (string, error) {
	at := l.levels[of]
	if at == nil || !assembly.MayContain(of, g.Level) {
		return "", nil
	}
	i, err := at.parents.Of(outline, calibration.Standard().Containment)
	if i < 0 || err != nil {
		return "", err
	}
	return at.list[i].Key, nil
}

func smaller(a, b *assembly.Geography) bool {
	return cmp.Or(cmp.Compare(a.AreaM2, b.AreaM2), cmp.Compare(a.Key, b.Key)) < 0
}

// near visits the geographies of a level whose boxes touch a box, in their order.
func (l *locator) near(of schemas.Level, box orb.Bound, visit func(*assembly.Geography, *geo.Prepared)) error {
	at := l.levels[of]
	if at == nil {
		return nil
	}
	var found []int
	at.boxes.Search(box, func(i int) bool {
		found = append(found, i)
		return true
	})
	slices.Sort(found)
	for _, i := range found {
		outline, err := at.outlines[i]()
		if err != nil {
			return err
		}
		visit(at.list[i], outline)
	}
	return nil
}

// setRegions sets the regions of a geography: that of the smallest geography around its centroid, and those of its homes.
func (l *locator) setRegions(g *assembly.Geography, outline *geo.Prepared, centroid orb.Point) error {
	var around *assembly.Geography
	for _, of := range schemas.Levels {
		err := l.near(of, orb.Bound{Min: g.Centroid, Max: g.Centroid}, func(candidate *assembly.Geography, whole *geo.Prepared) {
			if whole.Contains(g.Centroid) && (around == nil || smaller(candidate, around)) {
				around = candidate
			}
		})
		if err != nil {
			return err
		}
	}
	if around != nil {
		g.Region, g.Regions = around.Region, slices.Clone(around.Regions)
	} else {
		i := slices.IndexFunc(l.covers, func(c cover) bool { return c.outline.Contains(centroid) })
		g.Region, g.Regions = l.covers[i].region, []int32{l.numbers[l.covers[i].region]}
	}
	for _, i := range l.lived.In(nil, l.lived.InBox(nil, g.Bound), outline) {
		if number := int32(l.lived.Homes[i].Region); !slices.Contains(g.Regions, number) {
			g.Regions = append(g.Regions, number)
		}
	}
	slices.Sort(g.Regions)
	return nil
}
