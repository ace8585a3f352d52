package journeys

import (
	"context"
	"fmt"
	"slices"

	"quartier/build/measures"
	"quartier/internal/coord"
	"quartier/schemas"
)

// Measure is a travel measure of a place with what is behind it.
type Measure struct {
	Release string `json:"release"`
	AsOf    string `json:"as_of"`
	Of      string `json:"of"` // the point or geography
	Name    string `json:"measure"`
	Label   string `json:"label"`
	Terms   string `json:"terms"` // how one travels
	*measures.Explanation
	Ways []Way `json:"ways"` // some of the places with the journey there
}

// Way is a journey to a place that counts.
type Way struct {
	Which string         `json:"which"` // 'nearest', 'largest' or 'farthest'
	Place measures.Place `json:"place"`
	*Number
}

// MeasureOf is the number of a travel measure; false if there is none of that name.
func MeasureOf(name string) (int, bool) {
	i := slices.IndexFunc(schemas.TravelMeasures, func(m schemas.TravelMeasure) bool { return m.ID == name })
	return i, i >= 0
}

// ExplainMeasures explains travel measures, by their numbers, of a release in a folder: those of a geography, or those at a point if
// geogID is "".
func ExplainMeasures(ctx context.Context, dir string, numbers []int, at coord.Point, geogID string) (list []*Measure, err error) {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, number := range numbers {
		m, err := explainMeasure(ctx, dir, number, at, geogID)
		if err != nil {
			return nil, err
		}
		m.Release, m.AsOf = manifest.Release, manifest.AsOf
		list = append(list, m)
	}
	return list, nil
}

func explainMeasure(ctx context.Context, dir string, number int, at coord.Point, geogID string) (*Measure, error) {
	x, err := measures.OpenExplainer(ctx, dir, number)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	of := &schemas.TravelMeasures[number]
	m := &Measure{Name: of.ID, Label: of.Name.EN, Of: geogID, Ways: []Way{}}
	if geogID != "" {
		m.Explanation, err = x.Of(ctx, geogID)
	} else {
		p := degrees(at)
		m.Of = fmt.Sprintf("%.5f, %.5f", p[0], p[1])
		m.Explanation, err = x.At(ctx, at)
	}
	if err != nil || len(m.Places) == 0 {
		return m, err
	}
	how := m.Options
	how.MaxMinutes = of.Minutes // a search for several measures goes farther
	m.Terms = Words(how)
	nearest, farthest := &m.Places[0], &m.Places[len(m.Places)-1]
	largest := nearest
	for i := range m.Places {
		if m.Places[i].Number > largest.Number {
			largest = &m.Places[i]
		}
	}
	for _, way := range []struct {
		which string
		to    *measures.Place
	}{{"nearest", nearest}, {"largest", largest}, {"farthest", farthest}} {
		if slices.ContainsFunc(m.Ways, func(before Way) bool { return before.Place.Node == way.to.Node }) {
			continue
		}
		report, err := Explain(ctx, x.World.World, pointAt(m.Origin), pointAt(way.to.Node), m.Options)
		if err != nil {
			return nil, err
		}
		m.Ways = append(m.Ways, Way{way.which, *way.to, &report.Numbers[0]})
	}
	return m, nil
}

func pointAt(n measures.Node) coord.Point {
	p, _ := coord.NewPoint(n.Lng, n.Lat) // of a street
	return p
}
