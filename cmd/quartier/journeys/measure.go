package journeys

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"quartier/build/explain"
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

// measureOf is the number of a travel measure; -1: there is none of that name.
func measureOf(name string) int {
	return slices.IndexFunc(schemas.TravelMeasures, func(m schemas.TravelMeasure) bool { return m.ID == name })
}

// NameMeasures reports whether --score names a travel measure.
func NameMeasures(c *cli.Context) bool {
	return slices.ContainsFunc(c.StringSlice("score"), func(name string) bool { return measureOf(name) >= 0 })
}

// WriteMeasures explains the travel measures of --score, at --lat and --lng or of --geography; printJSON is for --json.
func WriteMeasures(c *cli.Context, printJSON func(io.Writer, any) error) error {
	dir, err := schemas.ComponentFolder(c.Path("release"), schemas.Places)
	if err != nil {
		return err
	}
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return err
	}
	geogID := ""
	if c.IsSet("geography") {
		named, err := explain.Named(c.Context, dir, c.String("geography"))
		if err != nil {
			return err
		}
		geogID = named.GeogID
	}
	at, err := origin(c)
	if err != nil {
		return err
	}
	var list []*Measure
	for _, name := range c.StringSlice("score") {
		number := measureOf(name)
		if number < 0 {
			return fmt.Errorf("%w: --score %s is no travel measure, and is explained by itself", ErrUsage, name)
		}
		m, err := explainMeasure(c.Context, dir, number, at, geogID)
		if err != nil {
			return err
		}
		m.Release, m.AsOf = manifest.Release, manifest.AsOf
		list = append(list, m)
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, list)
	}
	for _, m := range list {
		m.Write(c.App.Writer)
	}
	return nil
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
