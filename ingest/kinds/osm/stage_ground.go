package osm

import (
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/schemas/ground"
	"quartier/schemas/reason"
)

// groundPart is the part of a source in which the features of the ground are counted, so that they are no share of its other
// rows. They are not counted as read.
const groundPart = "ground of the map"

// borderKinds are the kinds of borders by admin_level.
var borderKinds = map[string]string{"2": "country", "4": "state"}

// readGround notes what a relation is on the ground and, of a country or state, its ways.
func (s *stager) readGround(r *element.Relation) []groundtags.Match {
	kind := borderKinds[r.Tags.Get("admin_level")]
	if kind == "" || r.Tags.Get("boundary") != "administrative" || !s.ground {
		return slices.Clone(s.onGround(element.Relations, true, r.Tags))
	}
	for _, m := range r.Members {
		if m.Kind == element.Ways && s.borders[m.Ref] != "country" {
			s.borders[m.Ref] = kind
			s.lines.want([]int64{m.Ref})
		}
	}
	return slices.Clone(s.onGround(element.Relations, true, r.Tags))
}

// onGround returns what an object is on the ground, until the next call.
func (s *stager) onGround(kind element.Kinds, closed bool, tags element.Tags) []groundtags.Match {
	s.drawn = s.drawn[:0]
	if s.ground {
		s.drawn = groundtags.OpenStreetMap.Classify(kind, closed, tags, s.drawn)
	}
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
	matches := s.onGround(element.Ways, w.Closed(), w.Tags)
	if kind := s.borders[w.ID]; kind != "" {
		layer, _, _ := ground.Find("boundaries", kind)
		matches = append(matches, groundtags.Match{Layer: layer, Kind: kind})
	}
	return s.stageGround(matches, element.Ways, w.ID, w.Tags, func(shape string) (orb.Geometry, reason.Reason) {
		if shape != "line" {
			return area.drawn(shape)
		}
		line, _, missing := s.nodes.LongestKnownRun(w.Refs, nil, nil)
		switch {
		case len(line) >= 2:
			return line, reason.Reason{}
		case s.nodes.HasInvalidLocation(w.Refs):
			return nil, source.CoordinateOutOfRange
		case missing > 0:
			return nil, outsideExtract
		}
		return nil, tooFewNodes
	})
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

// stageOcean stages the sea along the coasts of the extract, in its box or, where it does not say one, in that of the coasts.
func (s *stager) stageOcean(file element.File) error {
	lines := func(ways [][]int64) (lines orb.MultiLineString) {
		for _, way := range ways {
			if line, _, _ := s.nodes.LongestKnownRun(way, nil, nil); len(line) > 1 {
				lines = append(lines, line)
			}
		}
		return lines
	}
	coast := lines(s.coasts)
	if len(coast) == 0 {
		return nil
	}
	borders, _ := s.lines.of(slices.Sorted(maps.Keys(s.borders)))
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return err
	}
	defer kernel.Close()
	box, known := file.Bound()
	if !known {
		box = coast.Bound()
	}
	sea, err := polygon.Sea(kernel, box, coast, lines(borders))
	s.out.Part(groundPart)
	defer s.out.Part("")
	if err != nil {
		return err
	}
	return groundtags.StageOcean(sea, 1, nil, s.out)
}
