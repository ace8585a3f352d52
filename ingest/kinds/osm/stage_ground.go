package osm

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// groundPart is the part of a source in which the features of the ground are counted, so that they are no share of its other
// rows. They are not counted as read.
const groundPart = "ground of the map"

// borders are the ways of outlines of countries and states, by their lowest admin_level.
type borders map[int64]int32

// borderKinds are the kinds of borders by admin_level.
var borderKinds = map[int32]string{2: "country", 4: "state"}

// add notes the ways of a relation that is a country or state, and returns them.
func (b borders) add(r *element.Relation) (ways []int64) {
	level := int32(2)
	switch text := r.Tags.Get("admin_level"); {
	case r.Tags.Get("boundary") != "administrative" || text != "2" && text != "4":
		return nil
	case text == "4":
		level = 4
	}
	for _, m := range r.Members {
		if m.Kind != element.Ways {
			continue
		}
		ways = append(ways, m.Ref)
		if before, known := b[m.Ref]; !known || level < before {
			b[m.Ref] = level
		}
	}
	return ways
}

// onGround returns what an object is on the ground, until the next call.
func (s *stager) onGround(kind element.Kinds, closed bool, tags element.Tags) []groundtags.Match {
	if s.groundRules == nil {
		return nil
	}
	s.drawn = s.groundRules.Classify(kind, closed, tags, s.drawn[:0])
	return s.drawn
}

// stageGround stages what an object is on the ground. shape returns the geometry for a shape of layers, or why there is none.
func (s *stager) stageGround(matches []groundtags.Match, kind element.Kinds, id int64, tags element.Tags,
	shape func(string) (orb.Geometry, reason.Reason)) error {
	if len(matches) == 0 {
		return nil
	}
	s.out.Part(groundPart)
	defer s.out.Part("")
	for _, m := range matches {
		geometry, why := shape(m.Layer.Shape)
		if !why.OK() {
			s.out.Issue(why.With("ground"), m.Layer.ID+", "+where(kind, id, tags.Get("name")))
			continue
		}
		row := m.Row(tags)
		row.SourceKey, row.Geometry = kind.Key(id), geometry
		if population, ok := parsePopulation(tags.Get("population")); ok && m.Layer.ID == "place_labels" {
			row.Population = &population
		}
		if err := s.out.Row(row); err != nil {
			return err
		}
	}
	return nil
}

// stageNodeGround stages what a node is on the ground.
func (s *stager) stageNodeGround(n *element.Node) error {
	at := func(string) (orb.Geometry, reason.Reason) { return n.Point, reason.Reason{} }
	return s.stageGround(s.onGround(element.Nodes, false, n.Tags), element.Nodes, n.ID, n.Tags, at)
}

// stageWayGround stages what a way is on the ground, and the border that it is.
func (s *stager) stageWayGround(w *element.Way, area *areaGeometry) error {
	line := func() (orb.Geometry, reason.Reason) {
		known, _, missing := s.nodes.LongestKnownRun(w.Refs, nil, nil)
		switch {
		case len(known) >= 2:
			return known, reason.Reason{}
		case s.nodes.HasInvalidLocation(w.Refs):
			return nil, source.CoordinateOutOfRange
		case missing > 0:
			return nil, outsideExtract
		}
		return nil, tooFewNodes
	}
	err := s.stageGround(s.onGround(element.Ways, w.Closed(), w.Tags), element.Ways, w.ID, w.Tags,
		func(shape string) (orb.Geometry, reason.Reason) {
			if shape == "line" {
				return line()
			}
			return area.drawn(shape)
		})
	level, isBorder := s.borders[w.ID]
	if err != nil || !isBorder {
		return err
	}
	geometry, why := line()
	s.out.Part(groundPart)
	defer s.out.Part("")
	if !why.OK() {
		s.out.Issue(why.With("ground"), "boundaries, "+where(element.Ways, w.ID, ""))
		return nil
	}
	row := source.Ground{Geometry: geometry}
	row.SourceKey, row.Layer, row.Kind, row.Rank = element.Ways.Key(w.ID), "boundaries", borderKinds[level], &level
	row.Maritime = w.Tags.Get("maritime") == "yes" || w.Tags.Get("border_type") == "territorial" || w.Tags.Get("natural") == "coastline"
	return s.out.Row(row)
}

// stageRelationGround stages what a multipolygon is on the ground.
func (s *stager) stageRelationGround(f *object, area *areaGeometry) error {
	return s.stageGround(f.ground, f.kind, f.id, element.TagsOf(f.tags), area.drawn)
}

// drawn returns the area as a shape of a layer of the ground.
func (a *areaGeometry) drawn(shape string) (orb.Geometry, reason.Reason) {
	if shape == "point" {
		inside, _, why := a.pointInside()
		return inside, why
	}
	outline, why := a.polygon()
	return outline, why
}

// readGround notes what a relation is on the ground, and returns the ways that are its borders.
func (s *stager) readGround(r *element.Relation) (matches []groundtags.Match, border []int64) {
	if s.groundRules == nil {
		return nil, nil
	}
	return slices.Clone(s.onGround(element.Relations, true, r.Tags)), s.borders.add(r)
}
