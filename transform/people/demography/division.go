package demography

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/transform/people/settlement"
)

// divideZones divides the small areas without blocks into cells by where their people live, where anything shows it.
func (d *deriver) divideZones(ctx context.Context) error {
	tally := map[string]*zones{}
	for _, a := range d.kept {
		if a.isZone {
			if tally[a.country] == nil {
				tally[a.country] = &zones{}
			}
			tally[a.country].all++
		}
	}
	if len(tally) == 0 {
		return nil
	}
	evidence, err := settlement.Read(ctx, d.staged, d.c.Settlement)
	if err != nil {
		return fmt.Errorf("settlement: %w", err)
	}
	if evidence.Any() {
		err = d.eachPartOf(ctx, func(a *smallArea, _ bool, p *partRow) error {
			if !a.isZone {
				return nil
			}
			outline, err := geo.MultiPolygon(p.Geom)
			if err != nil {
				return err
			}
			if a.division = evidence.Divide(outline, a.people); a.division == nil {
				return nil
			}
			a.weights = a.weights[:0]
			for _, share := range a.division.Shares() {
				a.weights = append(a.weights, weights{share, share, share})
			}
			tally[a.country].by[a.division.Basis]++
			return nil
		})
	}
	for country, z := range tally {
		d.result.Notes["settlement "+country] = z.note()
	}
	return err
}

// zones counts the small areas without blocks of a country, by what their people are apportioned by.
type zones struct {
	all int
	by  [settlement.Bases]int
}

func (z *zones) note() string {
	streets, buildings, crowded := z.by[settlement.Streets], z.by[settlement.Buildings], z.by[settlement.Crowded]
	return fmt.Sprintf("of %d small areas without blocks, people are apportioned to parts by streets with houses in %d, by buildings in %d, "+
		"and by ground in %d crowded ones and in %d others",
		z.all, streets, buildings, crowded, z.all-streets-buildings-crowded)
}

// cutter cuts zones into the parts of their divisions.
type cutter struct {
	kernel *spatialite.Kernel // nil before the first zone
}

// cut is the outlines of the parts of a row: itself, or the parts of its division.
func (c *cutter) cut(a *smallArea, p *partRow) (parts [][]byte, err error) {
	if len(a.weights) == 1 || a.division == nil {
		return [][]byte{p.Geom}, nil
	}
	if c.kernel == nil {
		if c.kernel, err = spatialite.NewKernel(); err != nil {
			return nil, err
		}
	}
	outline, err := geo.MultiPolygon(p.Geom)
	var outlines []orb.MultiPolygon
	if err == nil {
		outlines, err = a.division.Outlines(c.kernel, outline)
	}
	for i := 0; i < len(outlines) && err == nil; i++ {
		var geom []byte
		geom, err = geo.WKB(outlines[i])
		parts = append(parts, geom)
	}
	return parts, err
}

func (c *cutter) close() {
	if c.kernel != nil {
		c.kernel.Close()
	}
}
