package demographics

import (
	"math"
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	if len(Cells) != CellCount {
		t.Errorf("%d cells, CellCount is %d", len(Cells), CellCount)
	}
	units := map[int]bool{}
	for i := range Cells {
		units[Cells[i].CoverageUnit] = true
	}
	if len(units) != CoverageUnitCount || CoverageUnitCount > 64 {
		t.Errorf("%d units, CoverageUnitCount is %d", len(units), CoverageUnitCount)
	}
	for _, country := range []string{"CA", "US"} {
		upper := map[int]float64{}
		for i := range Cells {
			c := &Cells[i]
			if at, ok := CellOf(c.ID); !ok || at != i {
				t.Errorf("duplicate cell %s", c.ID)
			}
			if !c.Bin() || !c.Has(country) {
				continue
			}
			if c.Lower != upper[c.Table] {
				t.Errorf("%s: %s begins at %v, the bin before it ends at %v", country, c.ID, c.Lower, upper[c.Table])
			}
			upper[c.Table] = c.Upper
		}
		for table, top := range upper {
			if !math.IsInf(top, 1) {
				t.Errorf("%s: the bins of %s end at %v", country, Tables[table].ID, top)
			}
		}
	}
}

func TestVariables(t *testing.T) {
	for _, list := range [][]Category{Around, ByGeography} {
		last := ""
		for _, c := range list {
			if c.ID <= last {
				t.Errorf("category %s is not after %s", c.ID, last)
			}
			last = c.ID
			for _, v := range c.Variables {
				for _, country := range []string{"CA", "US"} {
					en, fr := v.Label(country, "en"), v.Label(country, "fr")
					if en == "" || fr == "" || strings.TrimSpace(en) != en || strings.TrimSpace(fr) != fr {
						t.Errorf("%s: labels %q and %q", v.ID, en, fr)
					}
				}
			}
		}
	}
}

// TestIncomeLevels checks that the bins of either country are distributed completely among the income levels of the
// API.
func TestIncomeLevels(t *testing.T) {
	for _, list := range [][]Category{Around, ByGeography} {
		for _, c := range list {
			if c.ID != "income_level" {
				continue
			}
			covered := map[int]float64{}
			for _, v := range c.Variables {
				for _, term := range v.Terms {
					covered[term.Cell] += term.Share
				}
			}
			for i := range Cells {
				if cell := &Cells[i]; cell.Bin() && Tables[cell.Table].ID == "household_income" && covered[i] != 1 {
					t.Errorf("%s: %v of it is covered", cell.ID, covered[i])
				}
			}
		}
	}
}
