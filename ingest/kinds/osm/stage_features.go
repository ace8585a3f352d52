package osm

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/featuretags"
	"quartier/ingest/source"
	"quartier/internal/geo"
)

// judge returns the claims of an object to be features, counted, without those that are not to be staged. They are
// valid until the next call.
func (s *stager) judge(kind element.Kinds, id int64, tags element.Tags) []featuretags.Claim {
	s.claimed = s.shapes.Judge(kind, tags, s.claimed[:0])
	kept := s.claimed[:0]
	for _, c := range s.claimed {
		if c.Shape == featuretags.Shore && kind == element.Relations && c.Reason == "" {
			kept = append(kept, c) // counted way by way
			continue
		}
		s.out.Read(1)
		if c.Reason != "" {
			s.out.Issue(source.Uncoded(source.Skipped, c.Reason), c.Kind+", "+where(kind, id, tags.Get("name")))
			continue
		}
		kept = append(kept, c)
	}
	return kept
}

// stageNodeFeatures stages what a node is.
func (s *stager) stageNodeFeatures(n *element.Node) error {
	for _, c := range s.judge(element.Nodes, n.ID, n.Tags) {
		if err := s.stageFeature(c, element.Nodes, n.ID, n.Tags, n.Point, nil); err != nil {
			return err
		}
	}
	return nil
}

// stageWayFeatures stages what a way is: a line, or the ground that it encloses.
func (s *stager) stageWayFeatures(w *element.Way, ground *enclosed) error {
	claims := s.judge(element.Ways, w.ID, w.Tags)
	if _, shore := slices.BinarySearch(s.shores, w.ID); shore && !slices.ContainsFunc(claims, func(c featuretags.Claim) bool { return c.Kind == "water" }) {
		s.out.Read(1)
		claims = append(claims, featuretags.Claim{Kind: "water", Class: "shore", Shape: featuretags.Shore})
	}
	for _, c := range claims {
		var err error
		if !c.Shape.Enclosed() {
			err = s.stageLine(c, w)
		} else if trouble := drawnAsLine(w, "an area drawn as a line"); trouble != nil {
			s.out.Issue(source.Uncoded(trouble.severity, trouble.reason), c.Kind+", "+where(element.Ways, w.ID, w.Tags.Get("name")))
		} else {
			err = s.stageGround(c, element.Ways, w.ID, w.Tags, ground)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stageRelationFeatures stages what a multipolygon is. Its shores are staged with its ways.
func (s *stager) stageRelationFeatures(f *object, ground *enclosed) error {
	tags := element.TagsOf(f.tags)
	for _, c := range f.features {
		if c.Shape == featuretags.Shore {
			continue
		}
		if err := s.stageGround(c, element.Relations, f.id, tags, ground); err != nil {
			return err
		}
	}
	return nil
}

// stageLine stages a way as a line, what leaves the extract cut off.
func (s *stager) stageLine(c featuretags.Claim, w *element.Way) error {
	at := c.Kind + ", " + where(element.Ways, w.ID, w.Tags.Get("name"))
	if c.Kind == "runway" && w.Closed() {
		s.out.Issue(source.Uncoded(source.Skipped, "a runway drawn as an area"), at)
		return nil
	}
	line, _, missing := s.nodes.Run(w.Refs, nil, nil)
	astray := missing > 0 && s.nodes.Misplaced(w.Refs)
	switch {
	case len(line) < 2 && astray:
		s.out.Issue(source.Uncoded(source.Rejected, offWorld), at)
		return nil
	case len(line) < 2 && missing > 0:
		s.out.Issue(source.Uncoded(source.Skipped, "a line outside of the extract"), at)
		return nil
	case len(line) < 2:
		s.out.Issue(source.Uncoded(source.Rejected, "a line of one node"), at)
		return nil
	case astray:
		s.out.Issue(source.Uncoded(source.Repaired, offWorld+", a line cut off there"), at)
	case missing > 0:
		s.out.Issue(source.Uncoded(source.Repaired, "a line that leaves the extract cut off there"), at)
	}
	var size *float64
	if c.Kind == "runway" {
		metres := 0.0
		for i := 1; i < len(line); i++ {
			metres += geo.Distance(line[i-1], line[i])
		}
		size = &metres
	}
	return s.stageFeature(c, element.Ways, w.ID, w.Tags, line, size)
}

// stageGround stages an area, or a point inside it.
func (s *stager) stageGround(c featuretags.Claim, kind element.Kinds, id int64, tags element.Tags, ground *enclosed) error {
	var shape orb.Geometry
	var size *float64
	var wrong *trouble
	switch c.Shape {
	case featuretags.Area, featuretags.Extent:
		shape, wrong = ground.area()
	default:
		var metres float64
		if shape, metres, wrong = ground.spot(); c.Kind == "building" {
			size = &metres
		}
	}
	if wrong != nil {
		s.out.Issue(source.Uncoded(wrong.severity, wrong.reason), c.Kind+", "+where(kind, id, tags.Get("name")))
		return nil
	}
	return s.stageFeature(c, kind, id, tags, shape, size)
}

func (s *stager) stageFeature(c featuretags.Claim, kind element.Kinds, id int64, tags element.Tags, shape orb.Geometry, size *float64) error {
	row := source.Feature{Key: kind.Key(id), Kind: c.Kind, Class: c.Class, Name: featuretags.Name(tags), Size: size, Geometry: shape}
	switch c.Kind {
	case "building":
		row.Year = featuretags.Year(tags)
	case "rail", "water":
		row.Bridge = featuretags.Bridge(tags)
	}
	return s.out.Feature(row)
}
