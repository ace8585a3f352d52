package enrich

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/pois"
	vocabulary "quartier/schemas/demographics"
	"quartier/serve/product/demographics"
	"quartier/serve/scope"
)

// shape is a row that is a shape while its columns are filled.
type shape struct {
	polygons orb.MultiPolygon
	outline  coord.Area
	centroid orb.Point // as the API takes it, which need not be inside
}

// search is the shape of a search of POIs.
func (s *shape) search() pois.Shape {
	return pois.Shape{Lng: s.centroid[0], Lat: s.centroid[1], Area: &s.outline}
}

// FillShapes answers for the shapes of rows: polygons with holes, in degrees, that package shapes has found to bound an area. A
// row without polygons has no answer but the reason for that.
func (w *Worker) FillShapes(list []orb.MultiPolygon, reasons []string) {
	w.memory.reset()
	w.statuses = slices.Grow(w.statuses[:0], len(list))[:len(list)]
	w.positions = slices.Grow(w.positions[:0], len(list))[:len(list)]
	w.values.reset()
	last := len(w.values.tile) - 1 // of the reason
	for row, polygons := range list {
		w.statuses[row], w.positions[row] = w.fillShape(polygons), uint32(row)
		w.values.tile[last].texts[w.values.used] = reasons[row]
		w.values.keep()
	}
	w.values.end()
}

// fillShape fills the next item with the values of a shape, none where the row has no shape.
func (w *Worker) fillShape(polygons orb.MultiPolygon) Status {
	outline, err := coord.NewArea(polygons)
	if err != nil || len(outline.Ends) == 0 {
		return BadGeometry
	}
	s := &shape{polygons, outline, centroidOf(polygons)}
	switch w.checkPlace(s) {
	case nil:
	case scope.ErrRegion:
		return NotAgreed
	default:
		return Outside
	}
	w.at.move(s.centroid[0], s.centroid[1])
	w.at.shape = s
	defer func() { w.at.shape = nil }()
	return w.fillParts()
}

// centroidOf is the centroid by area, of one ring to the bit as the API computes it.
func centroidOf(polygons orb.MultiPolygon) orb.Point {
	if len(polygons) == 1 && len(polygons[0]) == 1 {
		centre, _ := planar.CentroidArea(polygons[0][0])
		return centre
	}
	centre, _ := planar.CentroidArea(polygons)
	return centre
}

// mostPlaces is of how many polygons of a shape, the largest ones, it is looked whether the release covers them.
const mostPlaces = 16

// checkPlace checks where a shape is: one ring is where its centroid is, as for the API. One with holes or of several polygons
// can have a centroid far from all of it, and is then where its largest polygon is that the release covers.
func (w *Worker) checkPlace(s *shape) error {
	first := w.at.release.CheckPlace(s.centroid[0], s.centroid[1])
	if first == nil || len(s.polygons) == 1 && len(s.polygons[0]) == 1 {
		return first
	}
	bySize := slices.Clone(s.polygons)
	slices.SortStableFunc(bySize, func(a, b orb.Polygon) int {
		return cmp.Compare(math.Abs(geo.SignedArea(b[0])), math.Abs(geo.SignedArea(a[0])))
	})
	for _, polygon := range bySize[:min(len(bySize), mostPlaces)] {
		if p, ok := geo.InteriorPoint(orb.MultiPolygon{polygon}); ok {
			if err := w.at.release.CheckPlace(p[0], p[1]); err == nil {
				return nil
			} else if first == scope.ErrOutside {
				first = err
			}
		}
	}
	return first
}

// shapePOIs fills counts in the shape.
type shapePOIs struct{ poiFiller }

// openShapePOIs has counts in the shape, of all POIs too unless categories were chosen.
func openShapePOIs(e *Enricher) (part, error) {
	f, err := e.counts()
	if err != nil {
		return part{}, err
	}
	return part{columns: f.countColumns(&e.choice, "", inShape), filler: func() filler { return &shapePOIs{f} }}, nil
}

func (f *shapePOIs) fill(at *place, k int, out []vector) bool {
	at.release.POIs(&pois.Query{Shape: at.shape.search()}, &f.found)
	f.fillCounts(k, out)
	return true
}

// shapePeople fills the variables of the people in the shape.
type shapePeople struct{ counter demographics.Counter }

// openShapeDemographics has the people in the shape.
func openShapeDemographics(e *Enricher) (part, error) {
	columns := append(e.choice.people("", inShape), e.choice.decimal("demographics_coverage", "demographics.coverage"))
	return part{columns: columns, places: true, filler: func() filler { return new(shapePeople) }}, nil
}

func (f *shapePeople) fill(at *place, k int, out []vector) bool {
	figures, known := f.counter.Within(&at.release, at.shape.polygons)
	if !known {
		return false
	}
	fillFigures(figures, k, out)
	coverage := f.counter.Coverage(&at.release)
	if coverage >= vocabulary.CompleteCoverage {
		coverage = 1 // the API says nothing of it
	}
	out[len(out)-1].numbers[k] = int64(math.Round(coverage * 1e4))
	return true
}
