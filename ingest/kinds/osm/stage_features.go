package osm

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/featuretags"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// classify returns the matches of an object with features, without those that are not staged, which it counts. They are
// valid until the next call.
func (s *stager) classify(kind element.Kinds, id int64, tags element.Tags) []featuretags.Match {
	s.matches = s.shapes.Classify(kind, tags, s.matches[:0])
	kept := s.matches[:0]
	for _, m := range s.matches {
		if m.Shape == featuretags.Shore && kind == element.Relations && m.Reason.OK() {
			kept = append(kept, m) // counted for each way
			continue
		}
		s.out.Read(1)
		if !m.Reason.OK() {
			s.out.Issue(m.Reason, m.Kind+", "+where(kind, id, tags.Get("name")))
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// stageNodeFeatures stages the features of a node.
func (s *stager) stageNodeFeatures(n *element.Node) error {
	for _, m := range s.classify(element.Nodes, n.ID, n.Tags) {
		if err := s.stageFeature(m, element.Nodes, n.ID, n.Tags, n.Point, nil); err != nil {
			return err
		}
	}
	return nil
}

// stageWayFeatures stages the features of a way: a line or the area that it encloses.
func (s *stager) stageWayFeatures(w *element.Way, area *areaGeometry) error {
	matches := s.classify(element.Ways, w.ID, w.Tags)
	if _, shore := slices.BinarySearch(s.shores, w.ID); shore &&
		!slices.ContainsFunc(matches, func(m featuretags.Match) bool { return m.Kind == "water" }) {
		s.out.Read(1)
		matches = append(matches, featuretags.Match{Kind: "water", Class: "shore", Shape: featuretags.Shore})
	}
	for _, m := range matches {
		var err error
		switch {
		case !m.Shape.Enclosed():
			err = s.stageLine(m, w)
		case notAnArea(w):
			s.out.Issue(areaAsLine, m.Kind+", "+where(element.Ways, w.ID, w.Tags.Get("name")))
		default:
			err = s.stageAreaFeature(m, element.Ways, w.ID, w.Tags, area)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stageRelationFeatures stages the features of a multipolygon. Its shores are staged with its ways.
func (s *stager) stageRelationFeatures(f *object, area *areaGeometry) error {
	tags := element.TagsOf(f.tags)
	for _, m := range f.features {
		if m.Shape == featuretags.Shore {
			continue
		}
		if err := s.stageAreaFeature(m, element.Relations, f.id, tags, area); err != nil {
			return err
		}
	}
	return nil
}

// stageLine stages a way as a line, clipped to the extract.
func (s *stager) stageLine(m featuretags.Match, w *element.Way) error {
	at := m.Kind + ", " + where(element.Ways, w.ID, w.Tags.Get("name"))
	if m.Kind == "runway" && w.Closed() {
		s.out.Issue(runwayAsArea, at)
		return nil
	}
	line, _, missing := s.nodes.LongestKnownRun(w.Refs, nil, nil)
	if !s.checkLine(w, len(line) >= 2, missing > 0, m.Kind, at) {
		return nil
	}
	var size *float64
	if m.Kind == "runway" {
		metres := 0.0
		for i := 1; i < len(line); i++ {
			metres += geo.Distance(line[i-1], line[i])
		}
		size = &metres
	}
	return s.stageFeature(m, element.Ways, w.ID, w.Tags, line, size)
}

// checkLine reports whether the line of a way can be staged: two or more of its nodes are known. It counts lines that
// cannot, or whose nodes are not all known. detail is the kind of row.
func (s *stager) checkLine(w *element.Way, known, missing bool, detail, at string) bool {
	invalid := missing && s.nodes.HasInvalidLocation(w.Refs)
	switch {
	case !known && invalid:
		s.out.Issue(source.CoordinateOutOfRange, at)
	case !known && missing:
		s.out.Issue(outsideExtract.With(detail), at)
	case !known:
		s.out.Issue(tooFewNodes.With(detail), at)
	case invalid:
		s.out.Issue(clippedAtNode.With(detail), at)
	case missing:
		s.out.Issue(clipped.With(detail), at)
	}
	return known
}

// stageAreaFeature stages an area, or a point inside it.
func (s *stager) stageAreaFeature(m featuretags.Match, kind element.Kinds, id int64, tags element.Tags, area *areaGeometry) error {
	var shape orb.Geometry
	var size *float64
	var why reason.Reason
	switch m.Shape {
	case featuretags.Area, featuretags.Extent:
		shape, why = area.polygon()
	default:
		var m2 float64
		if shape, m2, why = area.pointInside(); m.Kind == "building" {
			size = &m2
		}
	}
	if !why.OK() {
		s.out.Issue(why, m.Kind+", "+where(kind, id, tags.Get("name")))
		return nil
	}
	return s.stageFeature(m, kind, id, tags, shape, size)
}

func (s *stager) stageFeature(m featuretags.Match, kind element.Kinds, id int64, tags element.Tags, shape orb.Geometry,
	size *float64) error {
	row := source.Feature{Key: kind.Key(id), Kind: m.Kind, Class: m.Class, Name: featuretags.Name(tags), Size: size, Geometry: shape}
	switch m.Kind {
	case "building":
		row.Year = featuretags.Year(tags)
	case "rail", "water":
		row.Bridge = featuretags.Bridge(tags)
	}
	return s.out.Row(row)
}
