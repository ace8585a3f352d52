package demography

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/demographics"
	"quartier/schemas/derived"
	"quartier/transform/issue"
	"quartier/transform/people/settlement"
)

// partRow is a row of parts.sql: a block, or a zone without blocks.
type partRow struct {
	AreaKey    string `col:"area_key"`
	SourceKey  string `col:"source_key"`
	IsZone     bool   `col:"is_zone"`
	Population *int64 `col:"population"`
	Households *int64 `col:"households"`
	Dwellings  *int64 `col:"dwellings"`
	Geom       []byte `col:"geom"`
}

// counts are those of the part.
func (p *partRow) counts() (c counts) {
	for u, n := range [demographics.Universes]*int64{people: p.Population, households: p.Households, dwellings: p.Dwellings} {
		if c[u] = math.NaN(); n != nil {
			c[u] = float64(*n)
		}
	}
	return c
}

// smallArea is a block group, dissemination area, or tract without block groups.
type smallArea struct {
	key, country string
	region       string // "" outside every known state
	hilbert      uint64 // position on the Hilbert curve
	number       int32  // in derived.small_area; −1 if it is skipped

	people     float64 // by its tables, else its blocks, else by households; NaN if unknown
	households float64 // by its tables, else its blocks; NaN if unknown
	spread     spread  // of its people over its ground

	isZone   bool                 // no blocks are known
	division *settlement.Division // of a zone into cells; nil: none

	weights []weights // of its parts
	size    weights   // sum of the weights; NaN without counts
	counts  counts    // of its blocks
	m2      float64

	surveys []int          // that have data for it
	tables  []surveyTables // by survey
}

// eachPart visits the parts of all small areas without their water, ordered by area and key.
func (d *deriver) eachPart(ctx context.Context, visit func(*partRow) error) error {
	for p, err := range sqlrow.Select[partRow](ctx, d.staged, query("parts.sql", true)) {
		if err != nil {
			return fmt.Errorf("read small areas: %w", err)
		}
		if p.Geom, err = d.water.dry(p.AreaKey+" "+p.SourceKey, p.Geom); err == nil {
			err = visit(p)
		}
		if err != nil {
			return fmt.Errorf("%s of %s: %w", p.SourceKey, p.AreaKey, err)
		}
	}
	return nil
}

// measureAreas computes the weights, area, position and state of all small areas.
func (d *deriver) measureAreas(ctx context.Context) error {
	var parts []partRow
	var outlines []orb.MultiPolygon
	flush := func() {
		if len(parts) > 0 {
			d.areas = append(d.areas, d.measure(parts, outlines))
		}
		parts, outlines = parts[:0], outlines[:0]
	}
	err := d.eachPart(ctx, func(p *partRow) error {
		if len(parts) > 0 && parts[0].AreaKey != p.AreaKey {
			flush()
		}
		outline, err := geo.MultiPolygon(p.Geom)
		parts, outlines = append(parts, *p), append(outlines, outline)
		return err
	})
	if err != nil {
		return err
	}
	flush()
	return nil
}

func (d *deriver) measure(parts []partRow, outlines []orb.MultiPolygon) *smallArea {
	key := parts[0].AreaKey
	a := &smallArea{key: key, country: countryOf(key), number: -1, people: math.NaN(), households: math.NaN()}
	m2, known := make([]float64, len(parts)), make([]counts, len(parts))
	largest := 0
	for i := range parts {
		m2[i], known[i] = geo.Area(outlines[i]), parts[i].counts()
		a.m2 += m2[i]
		if m2[i] > m2[largest] {
			largest = i
		}
	}
	a.weights, a.size, a.counts = weigh(known, m2)
	if parts[0].IsZone {
		a.isZone, a.weights = true, []weights{{1, 1, 1}}
	}
	a.people = a.counts[people]
	at, inside := geo.InteriorPoint(outlines[largest])
	if !inside {
		d.issues.Add(issue.NoInteriorPoint, a.key)
		return a
	}
	a.hilbert = geo.Hilbert(at)
	cover := d.coverage.At(at)
	if cover == nil {
		d.issues.Add(issue.OutsideCoverage, a.key)
		return a
	}
	a.region = cover.Code()
	return a
}

// numberAreas numbers the small areas along the Hilbert curve.
func (d *deriver) numberAreas(context.Context) error {
	for _, a := range d.areas {
		if a.region != "" {
			d.kept = append(d.kept, a)
		}
	}
	slices.SortFunc(d.kept, func(a, b *smallArea) int {
		return cmp.Or(cmp.Compare(a.hilbert, b.hilbert), cmp.Compare(a.key, b.key))
	})
	for i, a := range d.kept {
		a.number = int32(i)
	}
	d.result.Areas = len(d.kept)
	return nil
}

// writeAreas writes the small areas and their parts.
func (d *deriver) writeAreas(ctx context.Context) error {
	d.measureSpread()
	first := make([]int32, len(d.kept)) // part of each area
	err := duck.WriteEach(ctx, d.derived, "small_area", d.kept, func(i int, a *smallArea) (derived.SmallArea, error) {
		first[i] = int32(d.result.Parts)
		d.result.Parts += len(a.weights)
		return derived.SmallArea{Area: a.number, SourceKey: a.key, RegionCode: a.region, SigmaWithin: a.spread.within,
			SigmaBetween: a.spread.between}, nil
	})
	if err != nil {
		return err
	}
	cutter := &cutter{}
	defer cutter.close()
	return duck.Fill(ctx, d.derived, "small_area_part", func(write func(derived.SmallAreaPart) error) error {
		next := 0 // part of the area
		return d.eachPartOf(ctx, func(a *smallArea, isFirst bool, p *partRow) error {
			if isFirst {
				next = 0
			}
			outlines, err := cutter.cut(a, p)
			if err != nil {
				return err
			}
			for _, geom := range outlines {
				w := a.weights[next]
				if err := write(derived.SmallAreaPart{Part: first[a.number] + int32(next), Area: a.number, SourceKey: p.SourceKey,
					Persons: w[people], Households: w[households], Dwellings: w[dwellings], Geom: geom}); err != nil {
					return err
				}
				next++
			}
			return nil
		})
	})
}

// eachPartOf visits the parts of the small areas that are written, as eachPart does, with the area and whether a part is its
// first one.
func (d *deriver) eachPartOf(ctx context.Context, visit func(a *smallArea, isFirst bool, p *partRow) error) error {
	at := -1 // index of the area
	return d.eachPart(ctx, func(p *partRow) error {
		isFirst := at < 0 || d.areas[at].key != p.AreaKey
		if isFirst {
			at++
		}
		if d.areas[at].number < 0 {
			return nil
		}
		return visit(d.areas[at], isFirst, p)
	})
}
