package osm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
)

// isBoundary reports whether an element can have a level in either country, and counts it if it claims one. A way
// without any name does not: it is a line that some relation's outline is made of.
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
		s.out.Issue(source.Uncoded(source.Skipped, "a boundary without a level of ours"), where(kind, id, tags.Get("name")))
	}
	return false
}

// border is a boundary that is whole.
type border struct {
	*object
	geometry orb.MultiPolygon
	inside   orb.Point // lies in it
	iso      region    // by its own tags
	level    schemas.Level
	rule     int // of levels
	row      source.Boundary
}

// stageBoundaries stages the outlines that are whole and, where none of them is the state's, the extent of the data.
func (s *stager) stageBoundaries(ctx context.Context) error {
	var borders []*border
	var claims []claim
	for _, f := range s.objects {
		if !f.boundary {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		b := s.border(f)
		if iso := isoRegion(f.tags); iso.state != "" {
			claims = append(claims, claim{iso, f.id, len(f.ways), s.present(f), b != nil})
		}
		if b != nil {
			borders = append(borders, b)
		}
	}
	here, why := choose(s.given, s.votes, claims)
	states := newStates(borders)
	for _, b := range borders {
		s.fill(b, states, here)
	}
	if err := s.stageCoverage(here, why, states); err != nil {
		return err
	}
	for _, b := range s.distinct(borders) {
		if err := s.out.Boundary(b.row); err != nil {
			return err
		}
	}
	return nil
}

// border assembles a boundary; nil where it cannot be, which is counted.
func (s *stager) border(f *object) *border {
	geometry, trouble := s.outline(f)
	if trouble != nil {
		s.out.Issue(source.Uncoded(trouble.severity, trouble.reason), f.where())
		return nil
	}
	inside, ok := geo.InteriorPoint(geometry)
	if !ok {
		s.out.Issue(source.Uncoded(void.severity, void.reason), f.where())
		return nil
	}
	return &border{object: f, geometry: geometry, inside: inside, iso: isoRegion(f.tags)}
}

// stateOutlines are the states whose outline is whole.
type stateOutlines []stateOutline

type stateOutline struct {
	region
	area *geo.Prepared
}

func newStates(borders []*border) stateOutlines {
	var states stateOutlines
	for _, b := range borders {
		if b.iso.state != "" {
			states = append(states, stateOutline{b.iso, geo.Prepare(b.geometry)})
		}
	}
	return states
}

// at is the state around p, if the outline of one is.
func (states stateOutlines) at(p orb.Point) (region, bool) {
	for _, s := range states {
		if s.area.Contains(p) {
			return s.region, true
		}
	}
	return region{}, false
}

// stageCoverage stages the extent of the data as a part of the state that it lies in, unless that state is whole.
func (s *stager) stageCoverage(here region, why string, states stateOutlines) error {
	extent := s.extent.area(s.box, s.boxed)
	switch {
	case slices.ContainsFunc(states, func(o stateOutline) bool { return o.region == here }):
		return nil
	case here.state == "":
		s.out.Issue(source.Uncoded(source.Skipped, "no coverage: nothing says in which state the data lies"), "source "+s.source)
		return nil
	case extent == nil:
		return nil
	}
	s.out.Issue(source.Uncoded(source.Repaired, "the extent of the data stands for a state without an outline"), here.String()+": "+why)
	return s.out.Coverage(source.Coverage{Country: here.country, State: here.state, Geometry: extent})
}

// fill gives a boundary its level and row. It lies in the state whose outline is around it; where none is, its own
// tags may say where, and only then the row does.
func (s *stager) fill(b *border, states stateOutlines, here region) {
	around, known := states.at(b.inside)
	said := region{}
	if !known {
		said = saidRegion(b.tags)
		around = cmp.Or(said, here)
	}
	b.level, b.rule = s.levels.match(around.country, func(key string) string { return b.tags[key] })
	en, fr := names(b.tags, around)
	b.row = source.Boundary{
		Key: b.kind.Key(b.id), Level: b.level, NameEN: en, NameFR: fr, Country: said.country, State: said.state,
		Population: s.population(b, en), Geometry: b.geometry,
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

// population is the tag's, else that of the settlement of the same name inside. A tag that is no whole number is
// left out and counted.
func (s *stager) population(b *border, name string) *int64 {
	text := b.tags["population"]
	if text == "" {
		return s.settlements.within(b, name)
	}
	people, ok := parsePeople(text)
	if !ok {
		s.out.Issue(source.Uncoded(source.Repaired, "population is not a number"), b.where()+": "+text)
		return nil
	}
	return &people
}

// distinct leaves out what is not to be staged and, of boundaries that are drawn twice, as a relation and a way or as
// a municipality and a place, all but the one that stands first: by rule, relations before ways, by id.
func (s *stager) distinct(borders []*border) []*border {
	order := slices.Clone(borders)
	slices.SortStableFunc(order, func(a, b *border) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), -cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	})
	type identity struct {
		level schemas.Level
		name  string
	}
	seen := map[identity][]*border{}
	var kept []*border
	for _, b := range order {
		if reason := unwanted(b); reason != "" {
			s.out.Issue(source.Uncoded(source.Skipped, reason), b.where())
			continue
		}
		same := identity{b.level, strings.ToLower(b.row.NameEN)}
		if b.row.NameEN != "" && slices.ContainsFunc(seen[same], func(o *border) bool { return geo.Contains(o.geometry, b.inside) }) {
			s.out.Issue(source.Uncoded(source.Skipped, "drawn twice"), b.where())
			continue
		}
		seen[same] = append(seen[same], b)
		kept = append(kept, b)
	}
	return kept
}

// unwanted tells why a whole boundary is not staged, "" where it is.
func unwanted(b *border) string {
	country := b.row.Country
	switch {
	case b.rule < 0 || b.level == 0:
		return "a boundary without a level of ours"
	case b.level >= schemas.State && country != "" && country != "CA" && country != "US":
		return "of another country"
	case b.row.NameEN == "":
		return "an outline without a name"
	}
	return ""
}
