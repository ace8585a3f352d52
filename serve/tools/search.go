package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/pack/names"
	table "quartier/internal/pack/pois"
	"quartier/internal/pack/strips"
	"quartier/schemas"
	"quartier/serve/product/pois"
	"quartier/serve/scope"
)

type geography struct {
	GeogID   string `json:"geog_id"`
	NearMiss bool   `json:"near_miss,omitempty" jsonschema:"named only nearly as the query: ask whether it is meant"`
	schemas.Geography
}

type searchOut struct {
	Geographies []geography           `json:"geographies" jsonschema:"the best first; level 10 is the smallest, 70 a country"`
	Places      []schemas.EnhancedPOI `json:"places,omitempty" jsonschema:"of this name, the nearest first"`
}

// search answers from /v3/geographies, and finds places by name.
func (s *server) search(ctx context.Context, a *args, in *schemas.GeographiesAnswer, out *searchOut) (notes []string, err error) {
	out.Geographies = []geography{}
	ids := in.Meta.Order[:min(len(in.Meta.Order), mostRows)]
	near := s.nearMisses(ctx, a.Query, ids)
	for _, id := range ids {
		out.Geographies = append(out.Geographies, geography{id, slices.Contains(near, id), in.Data.Geographies[id]})
		if a.Query != "" {
			a.states = append(a.states, s.statesOf(ctx, &args{GeogID: id})...)
		}
	}
	if len(near) > 0 && len(near) == len(ids) {
		notes = []string{"Nothing has this name: what is listed is named nearly so."}
	}
	switch {
	case a.Query != "" && a.Lat != nil:
		var note string
		if out.Places, note, err = s.placesNamed(ctx, a); err != nil {
			return nil, err
		}
		notes = append(notes, note)
	case a.Query != "":
		notes = append(notes, "Places of interest are looked for where lat and lng are given too.")
	}
	if len(out.Places) > 0 {
		a.states, a.products = append(a.states, s.Release.Geographies.RegionsAt(nil, *a.Lng, *a.Lat)...), []string{"pois"}
	}
	if len(out.Geographies)+len(out.Places) == 0 {
		notes = append([]string{"Nothing of this name was found."}, notes...)
	}
	return notes, nil
}

// nearMisses are those of the geographies that the API found by a name that have it with typing errors alone.
func (s *server) nearMisses(ctx context.Context, name string, ids []string) (near []string) {
	if name == "" || len(ids) == 0 {
		return nil
	}
	var r scope.Release
	s.open(ctx, &r)
	var result names.Result
	r.GeographiesNamed(&names.Query{Name: name, Limit: len(ids)}, &result)
	for _, match := range result.Matches {
		if match.Class == names.Fuzzy {
			near = append(near, s.Release.Geographies.ID(match.Index))
		}
	}
	return near
}

// placesNamed are the places within the radius in whose name every word of the query is.
func (s *server) placesNamed(ctx context.Context, a *args) (list []schemas.EnhancedPOI, note string, err error) {
	radius := pois.DefaultRadiusM
	if a.RadiusM != nil {
		radius = *a.RadiusM
	}
	if !(radius > 0 && radius <= pois.MaxRadiusM) {
		return nil, "", fmt.Errorf("radius_m is %v: give metres above 0 and at most %v", radius, pois.MaxRadiusM)
	}
	words := slices.DeleteFunc(strings.Fields(a.Query), func(word string) bool { return names.Fold(word) == "" })
	var r scope.Release
	s.open(ctx, &r)
	if len(words) == 0 {
		return nil, "", nil
	}
	if err := r.CheckPlace(*a.Lng, *a.Lat); err != nil {
		return nil, "", fmt.Errorf("%w: choose a point in a region of this release", err)
	}
	var found table.Result
	r.POIs(&table.Query{Shape: strips.Shape{Lng: *a.Lng, Lat: *a.Lat, RadiusM: radius}, Limit: r.POITable().Len()}, &found)
	total, limit := 0, 5
	if a.Limit != nil {
		limit = *a.Limit
	}
	var text []byte
	for _, hit := range found.Hits {
		var p schemas.EnhancedPOI
		text = r.POITable().AppendPOI(text[:0], hit)
		if err := cmp.Or(ctx.Err(), json.Unmarshal(text, &p)); err != nil {
			return nil, "", err
		}
		name := names.Fold(p.Name)
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(name, names.Fold(word)) }) {
			continue
		}
		if total++; total <= limit {
			list = append(list, p)
		}
	}
	return list, fmt.Sprintf("%d places of interest within %.0f m have the words of the query in their name.", total, radius), nil
}
