package smallareas

import (
	"testing"

	"quartier/internal/areal"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas/calibration"
)

func TestDamageNeverPanics(t *testing.T) {
	_, f, _ := openCounty(t)
	packtest.Damage(t, f, 60, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		addUp(table)
		return true
	})
}

// addUp calls all queries of a table.
func addUp(table *Table) {
	var estimates Estimates
	var totals Totals
	for _, shape := range []*areal.Shape{areal.Disc(0.09, 0.09, 6000), areal.Disc(0.02, 0.005, 500),
		areal.Polygons(square(0.5, -1, 12.3, 4.2))} {
		for _, scope := range []Scope{{Country: "US"}, {Country: "CA", Regions: []string{"CA_BC"}}} {
			table.Estimate(shape, scope, &estimates)
			table.Total(shape, scope, &calibration.Standard().Demographics.Parts, &totals)
			_ = table.Each(shape, scope, func(area int, w weights) error {
				for _, share := range w {
					if !(share >= 0 && share <= 1) {
						panic("a share beyond the whole")
					}
				}
				table.Value(area, 0)
				_ = table.Region(area)
				return nil
			})
		}
	}
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	good := packtest.Open(f, func(out *pack.Writer) error { return hamlet(f, out) })
	packtest.Fuzz(f, good, func(file *pack.File) {
		if table, err := Open(file); err == nil {
			addUp(table)
		}
	})
}
