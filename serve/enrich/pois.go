package enrich

import (
	"fmt"
	"slices"

	table "quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/serve/product/pois"
)

// poiFiller fills counts by radius and category.
type poiFiller struct {
	radii      []float64
	categories []int // indexes in schemas.Categories
	total      bool  // a column with all POIs precedes those of the categories
	found      table.Result
}

// openPOIs has counts within radii, of all POIs too unless categories were chosen.
func openPOIs(e *Enricher) (part, error) {
	var p part
	f, err := e.counts()
	if err != nil {
		return p, err
	}
	if f.radii, err = e.choice.radii("pois", pois.DefaultRadiusM, pois.MaxRadiusM); err != nil {
		return p, err
	}
	for _, radius := range f.radii {
		p.columns = append(p.columns, f.countColumns(&e.choice, fmt.Sprintf("_%gm", radius), within(radius))...)
	}
	p.filler = func() filler {
		of := f
		return &of
	}
	return p, nil
}

// counts has the categories that were chosen.
func (e *Enricher) counts() (f poiFiller, err error) {
	ids := schemas.CategoryIDs(schemas.Categories)
	chosen, err := subset("categories", e.choice.Categories, ids)
	f.total = len(e.choice.Categories) == 0
	for i := range chosen {
		if chosen[i] {
			f.categories = append(f.categories, i)
		}
	}
	return f, err
}

// countColumns are those of a radius or shape: pois_total_5000m, pois_cafes_5000m …
func (f *poiFiller) countColumns(choice *Choice, suffix string, where schemas.Text) (columns []Column) {
	var ids []string
	if f.total {
		ids = append(ids, "total")
	}
	for _, c := range f.categories {
		ids = append(ids, schemas.Categories[c].ID)
	}
	for _, id := range ids {
		columns = append(columns, choice.column("pois_"+id+suffix, column.Of("pois.count_"+id).With("where", where)))
	}
	return columns
}

func (f *poiFiller) fill(at *place, k int, out []vector) bool {
	for _, radius := range f.radii {
		at.release.POIs(&table.Query{Shape: table.Shape{Lng: at.lng, Lat: at.lat, RadiusM: radius}}, &f.found)
		out = f.fillCounts(k, out)
	}
	return true
}

// fillCounts fills the columns of what was found, and returns those that follow.
func (f *poiFiller) fillCounts(k int, out []vector) []vector {
	if f.total {
		out[0].numbers[k] = int64(f.found.TotalCount)
		out = out[1:]
	}
	for i, c := range f.categories {
		if f.found.Known&(1<<c) != 0 {
			out[i].numbers[k] = int64(f.found.TotalByCategory[c])
		}
	}
	return out[len(f.categories):]
}

// subset reports for each known name whether it was chosen; all of them where none was.
func subset(what string, names, known []string) ([]bool, error) {
	chosen := make([]bool, len(known))
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, badChoice("%s: %q is none of %s", what, name, listed(known))
		}
		chosen[i] = true
	}
	for i := range chosen {
		chosen[i] = chosen[i] || len(names) == 0
	}
	return chosen, nil
}
