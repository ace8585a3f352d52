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
	"quartier/schemas/demographics"
	"quartier/transform/issue"
)

// part is a piece of a small area as it is staged: a block, or the zone.
type part struct {
	area, key string
	zone      bool
	counts    counts
	geom      []byte
}

// smallArea is a block group or dissemination area.
type smallArea struct {
	key, country string
	region       string // "" outside every known state
	place        uint64 // on the Hilbert curve
	number       int32  // of derived.small_area; −1 where it is left out

	weights []weights // of its parts
	size    weights   // what the weights add up to; NaN where nobody counted
	told    counts    // of its blocks
	m2      float64
	surveys []int // that tell of it

	tellings []telling // by survey
}

// eachPart visits the parts of all small areas, area by area and in the order of their keys.
func (d *deriver) eachPart(ctx context.Context, visit func(*part) error) error {
	rows, err := d.staged.QueryContext(ctx, query("parts.sql", true))
	if err != nil {
		return fmt.Errorf("read small areas: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p part
		var n [demographics.Universes]*int64
		if err := rows.Scan(&p.area, &p.key, &p.zone, &n[people], &n[households], &n[dwellings], &p.geom); err != nil {
			return fmt.Errorf("read small areas: %w", err)
		}
		for c := range n {
			p.counts[c] = math.NaN()
			if n[c] != nil {
				p.counts[c] = float64(*n[c])
			}
		}
		if err := visit(&p); err != nil {
			return fmt.Errorf("%s of %s: %w", p.key, p.area, err)
		}
	}
	return rows.Err()
}

// findAreas measures all small areas and numbers those that lie in a known state.
func (d *deriver) findAreas(ctx context.Context) error {
	var parts []*part
	var outlines []orb.MultiPolygon
	flush := func() {
		if len(parts) > 0 {
			d.areas = append(d.areas, d.measure(parts, outlines))
		}
		parts, outlines = parts[:0], outlines[:0]
	}
	err := d.eachPart(ctx, func(p *part) error {
		if len(parts) > 0 && parts[0].area != p.area {
			flush()
		}
		outline, err := geo.MultiPolygon(p.geom)
		parts, outlines = append(parts, p), append(outlines, outline)
		return err
	})
	if err != nil {
		return err
	}
	flush()
	return nil
}

// measure weighs the parts of a small area and finds its state.
func (d *deriver) measure(parts []*part, outlines []orb.MultiPolygon) *smallArea {
	a := &smallArea{key: parts[0].area, country: countryOf(parts[0].area), number: -1}
	m2, told := make([]float64, len(parts)), make([]counts, len(parts))
	largest := 0
	for i, p := range parts {
		m2[i], told[i] = geo.Area(outlines[i]), p.counts
		a.m2 += m2[i]
		if m2[i] > m2[largest] {
			largest = i
		}
	}
	a.weights, a.size, a.told = weigh(told, m2)
	if parts[0].zone {
		a.weights = []weights{{1, 1, 1}}
	}
	at, inside := geo.InteriorPoint(outlines[largest])
	if !inside {
		d.issues.Add(issue.Uncoded("small area without a point inside"), a.key)
		return a
	}
	a.place = geo.Hilbert(at)
	cover := d.coverage.At(at)
	if cover == nil {
		d.issues.Add(issue.Uncoded("small area outside every known state"), a.key)
		return a
	}
	a.region = cover.Code()
	return a
}

// writeAreas numbers the small areas along the curve and writes them, and their parts as they come.
func (d *deriver) writeAreas(ctx context.Context) error {
	var kept []*smallArea
	for _, a := range d.areas {
		if a.region != "" {
			kept = append(kept, a)
		}
	}
	slices.SortFunc(kept, func(a, b *smallArea) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.key, b.key)) })
	first := make([]int32, len(kept)) // part of each
	err := fill(ctx, d.derived, "small_area", func(rows *duck.Appender) error {
		for i, a := range kept {
			a.number = int32(i)
			first[i] = int32(d.result.Parts)
			d.result.Parts += len(a.weights)
			if err := rows.Row(a.number, a.key, a.region); err != nil {
				return err
			}
		}
		return nil
	})
	d.result.Areas = len(kept)
	if err != nil {
		return err
	}
	return fill(ctx, d.derived, "small_area_part", func(rows *duck.Appender) error {
		at, place := -1, 0 // the area of the part, and its place there
		return d.eachPart(ctx, func(p *part) error {
			if at < 0 || d.areas[at].key != p.area {
				at, place = at+1, 0
			}
			a, n := d.areas[at], place
			place++
			if a.number < 0 {
				return nil
			}
			w := a.weights[n]
			return rows.Row(first[a.number]+int32(n), a.number, p.key, w[people], w[households], w[dwellings], p.geom)
		})
	})
}

// fill appends rows to a derived table.
func fill(ctx context.Context, derived *duck.DB, table string, write func(*duck.Appender) error) error {
	rows, err := derived.Append(ctx, table)
	if err != nil {
		return fmt.Errorf("write %s: %w", table, err)
	}
	if err := write(rows); err != nil {
		rows.Close()
		return fmt.Errorf("write %s: %w", table, err)
	}
	return rows.Close()
}
