package tools

import (
	"context"
	"slices"

	"quartier/schemas"
	"quartier/schemas/feeds"
	"quartier/serve/scope"
)

// cited is what every answer has.
type cited struct {
	Notes     []string   `json:"notes,omitempty" jsonschema:"what is unknown, limited or left out"`
	Release   string     `json:"release" jsonschema:"name and date"`
	Citations []citation `json:"citations" jsonschema:"sources of the answer, to be shown with it"`
}

// citation is the sources with an attribution and a licence.
type citation struct {
	Source  string `json:"source" jsonschema:"attribution"`
	Licence string `json:"licence"`
	AsOf    string `json:"as_of" jsonschema:"YYYY-MM-DD; of several sources the oldest and the newest, FROM to TO"`
}

// statesOf are the states of the place that a call is about, such as "US_OR"; nil: not known.
func (s *server) statesOf(ctx context.Context, a *args) []string {
	switch {
	case a.states != nil:
		return a.states
	case a.Lat != nil:
		return s.Release.Geographies.RegionsAt(nil, *a.Lng, *a.Lat)
	case a.GeogID == "":
		return nil
	}
	var r scope.Release
	s.open(ctx, &r)
	i, err := r.Geography(a.GeogID)
	if err != nil {
		return nil
	}
	return s.Release.Regions(i)
}

// cite are the sources of products in some states; where the regions of one are not known, of all.
func (s *server) cite(products, states, notes []string) cited {
	var regions, known []string
	for _, state := range states {
		if s.Regions[state] != nil {
			regions, known = append(regions, s.Regions[state]...), append(known, state)
		}
	}
	all := len(known) == 0 || len(known) < len(states)
	m := s.Release.Manifest
	c := cited{Release: m.Release + ", " + m.AsOf, Notes: slices.DeleteFunc(notes, func(note string) bool { return note == "" })}
	var sources []schemas.ReleaseSource
	if slices.Contains(products, "market_stats") && s.Release.Market != nil {
		sources = slices.Clone(s.Release.Market.Manifest.Sources)
		c.Release += ", market of " + s.Release.Market.Manifest.AsOf
	}
	for _, source := range feeds.Of(m.Sources, products...) {
		if all || slices.Contains(regions, source.Region) {
			sources = append(sources, source)
		}
	}
	c.Citations = citations(sources)
	return c
}

// citations joins the sources with the same attribution and licence, in their order.
func citations(sources []schemas.ReleaseSource) []citation {
	list, dates := []citation{}, [][2]string{}
	for _, source := range sources {
		c := citation{Source: source.Attribution, Licence: source.Licence}
		i := slices.Index(list, c)
		if i < 0 {
			i, list, dates = len(list), append(list, c), append(dates, [2]string{source.AsOf, source.AsOf})
		}
		dates[i] = [2]string{min(dates[i][0], source.AsOf), max(dates[i][1], source.AsOf)}
	}
	for i, d := range dates {
		if list[i].AsOf = d[1]; d[0] != d[1] {
			list[i].AsOf = d[0] + " to " + d[1]
		}
	}
	return list
}
