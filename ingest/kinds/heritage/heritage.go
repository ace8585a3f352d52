// Package heritage is the kind for registers of heritage: landmarks and historic districts. It reads one file of points or
// areas into rows of staged.feature; options select features and name the attributes of key and name.
package heritage

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Options select the features of a register and name their attributes.
type Options struct {
	Key                 source.List `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty; default: the number of the feature in the file"`
	Name                source.List `yaml:"name" doc:"attribute with the name; of several the first that is not empty"`
	vector.TableOptions `yaml:",inline"`
}

// Kind is the source kind "heritage".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:  "heritage",
	Title: "Registers of heritage",
	Formats: slices.Concat([]string{"points (landmarks, listed buildings) or areas (historic districts)"}, vector.Formats,
		[]string{"CSV with well-known text, or with the longitude and latitude of points"}),
	Yields:  []string{"feature"},
	Reasons: []reason.Reason{source.MissingKey, source.MissingGeometry, source.WrongGeometryType, source.CoordinateInMinutes},
	Notes: "For the score historic, beside the years of buildings or, without these, the census's dwellings by period of construction. A " +
		"point counts as a site, a district as one site to each hectare of it, at least one. " +
		"Registers: the National Register of Historic Places (National Park Service), the Canadian Register of Historic Places, and the open " +
		"data of provinces, states and cities. Invalid outlines are repaired.",
}, vector.Features[Options]{
	File: func(o *Options, in source.Input) *vector.File { return o.FileOf(in, o.Key, o.Name) },
	Text: true,
	Name: func(o *Options, f vector.Feature) string { return f.Text(o.Name, "") },
	Row: func(o *Options, r vector.Record) (source.Row, reason.Reason) {
		v := source.Feature{Key: r.Key(o.Key), Kind: "heritage", Name: r.Text(o.Name, "")}
		if v.Key == "" {
			return nil, source.MissingKey
		}
		var why reason.Reason
		v.Geometry, why = shape(r.Geometry)
		return v, why
	},
})

// shape is a point, or the outline of an area. A point of several is in their middle.
func shape(g orb.Geometry) (orb.Geometry, reason.Reason) {
	switch g := g.(type) {
	case nil:
		return nil, source.MissingGeometry
	case orb.Point:
		return g, reason.Reason{}
	case orb.MultiPoint:
		if len(g) == 0 {
			return nil, source.MissingGeometry
		}
		return g.Bound().Center(), reason.Reason{}
	}
	if outline := vector.Outline(g); len(outline) > 0 {
		return outline, reason.Reason{}
	}
	return nil, source.WrongGeometryType
}
