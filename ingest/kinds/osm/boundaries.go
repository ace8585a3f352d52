package osm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// isBoundary reports whether an element can have a level in either country, and counts it as read if it is a boundary.
// A way without a name is not: it is a line of some relation's outline.
func (s *stager) isBoundary(kind element.Kinds, id int64, tags element.Tags) bool {
	if kind == element.Ways && !isNamed(tags) {
		return false
	}
	for _, country := range []string{"CA", "US"} {
		if _, rule := s.levels.match(country, tags.Get); rule >= 0 {
			s.out.Read(1)
			return true
		}
	}
	if tags.Get("boundary") == "administrative" {
		s.out.Read(1)
		s.out.Issue(unmappedLevel, where(kind, id, tags.Get("name")))
	}
	return false
}

// boundaryCandidate is a boundary whose outline is complete.
type boundaryCandidate struct {
	*object
	geometry orb.MultiPolygon
	inside   orb.Point
	iso      region // by its own tags
	level    schemas.Level
	rule     int // index in levels, -1: none
	row      source.Boundary
}

// stageBoundaries stages the boundaries whose outline is complete.
func (s *stager) stageBoundaries(ctx context.Context) error {
	var candidates []*boundaryCandidate
	for _, f := range s.objects {
		if !f.boundary {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if b := s.boundary(f); b != nil {
			candidates = append(candidates, b)
		}
	}
	states := newStates(candidates)
	for _, b := range candidates {
		s.fill(b, states)
	}
	for _, b := range s.dropDuplicateBoundaries(candidates) {
		if err := s.out.Row(b.row); err != nil {
			return err
		}
	}
	return nil
}

// boundary assembles a boundary; nil if its outline is incomplete, which is counted.
func (s *stager) boundary(f *object) *boundaryCandidate {
	geometry, why := s.outline(f)
	if !why.OK() {
		s.out.Issue(why, f.where())
		return nil
	}
	inside, ok := geo.InteriorPoint(geometry)
	if !ok {
		s.out.Issue(source.ZeroArea, f.where())
		return nil
	}
	return &boundaryCandidate{object: f, geometry: geometry, inside: inside, iso: isoRegion(f.tags)}
}

// stateOutlines are the states with a complete outline.
type stateOutlines []stateOutline

type stateOutline struct {
	region
	area *geo.Prepared
}

func newStates(candidates []*boundaryCandidate) stateOutlines {
	var states stateOutlines
	for _, b := range candidates {
		if b.iso.state != "" {
			states = append(states, stateOutline{b.iso, geo.Prepare(b.geometry)})
		}
	}
	return states
}

// at returns the state that contains p, if its outline is complete.
func (states stateOutlines) at(p orb.Point) (region, bool) {
	for _, s := range states {
		if s.area.Contains(p) {
			return s.region, true
		}
	}
	return region{}, false
}

// fill sets the level and row of a boundary. Its state is the one whose outline in the file contains it; otherwise that of
// its own tags, which the row then has, or the one that it is in by the outlines of the program.
func (s *stager) fill(b *boundaryCandidate, states stateOutlines) {
	around, known := states.at(b.inside)
	tagged := region{}
	if !known {
		tagged = taggedRegion(b.tags)
		around = cmp.Or(tagged, regionAt(b.inside))
	}
	b.level, b.rule = s.levels.match(around.country, func(key string) string { return b.tags[key] })
	en, fr := names(b.tags, around)
	b.row = source.Boundary{
		Key: b.kind.Key(b.id), Level: b.level, NameEN: en, NameFR: fr, Country: tagged.country, State: tagged.state,
		Population: s.population(b, en), Names: furtherNames(b.tags), Geometry: b.geometry,
	}
	switch b.level {
	case schemas.PostalArea:
		b.row.NameEN, b.row.NameFR = cmp.Or(b.tags["postal_code"], en), ""
	case schemas.State:
		b.row.Country, b.row.State = b.iso.country, b.iso.state
	case schemas.Country:
		b.row.Country, b.row.State = b.iso.country, ""
	}
}

// population returns the value of the tag, else that of the settlement of the same name inside. An invalid tag is
// removed and counted.
func (s *stager) population(b *boundaryCandidate, name string) *int64 {
	text := b.tags["population"]
	if text == "" {
		return s.settlements.within(b, name)
	}
	population, ok := groundtags.Population(text)
	if !ok {
		s.out.Issue(source.PopulationRemoved, b.where()+": "+text)
		return nil
	}
	return &population
}

// dropDuplicateBoundaries removes the boundaries that are not staged and all but the first of those that are mapped
// twice, as a relation and a way or as a municipality and a place. Their order is by rule, relations before ways, by id.
func (s *stager) dropDuplicateBoundaries(candidates []*boundaryCandidate) []*boundaryCandidate {
	order := slices.Clone(candidates)
	slices.SortStableFunc(order, func(a, b *boundaryCandidate) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), -cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	})
	type identity struct {
		level schemas.Level
		name  string
	}
	seen := map[identity][]*boundaryCandidate{}
	var kept []*boundaryCandidate
	for _, b := range order {
		if why := skipReason(b); !why.OK() {
			s.out.Issue(why, b.where())
			continue
		}
		same := identity{b.level, strings.ToLower(b.row.NameEN)}
		if b.row.NameEN != "" && slices.ContainsFunc(seen[same], func(o *boundaryCandidate) bool { return geo.Contains(o.geometry, b.inside) }) {
			s.out.Issue(source.DuplicateBoundary, b.where())
			continue
		}
		seen[same] = append(seen[same], b)
		kept = append(kept, b)
	}
	return kept
}

// skipReason returns why a boundary with a complete outline is not staged; the zero value if it is.
func skipReason(b *boundaryCandidate) reason.Reason {
	country := b.row.Country
	switch {
	case b.rule < 0 || b.level == 0:
		return unmappedLevel
	case b.level >= schemas.State && country != "" && country != "CA" && country != "US":
		return source.OtherCountry
	case b.row.NameEN == "":
		return unnamedBoundary
	}
	return reason.Reason{}
}
