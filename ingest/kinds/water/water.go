// Package water is the kind for outlines of water: lakes, rivers and bays, and census areas that have no land. It reads one
// file of features into rows of staged.feature.
package water

import (
	"slices"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Options select the outlines of water among those of a file. A layout sets defaults for the files of a publisher; other
// options take precedence.
type Options struct {
	Layout             string      `yaml:"layout" doc:"publisher's layout, which sets defaults for key, name and where"`
	Key                source.List `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty; default: the number of the feature in the file"`
	Name               source.List `yaml:"name" doc:"attribute with the name; of several the first that is not empty"`
	vector.FileOptions `yaml:",inline"`
}

// layouts are the defaults for the files of a publisher of any year.
var layouts = map[string]Options{
	"tiger-areawater":  {Key: source.List{"HYDROID"}, Name: source.List{"FULLNAME"}},
	"tiger-tabblock20": {Key: source.List{"GEOID20"}, FileOptions: vector.FileOptions{Where: map[string]source.List{"ALAND20": {"0"}}}},
	"tiger-tabblock10": {Key: source.List{"GEOID10"}, FileOptions: vector.FileOptions{Where: map[string]source.List{"ALAND10": {"0"}}}},
}

// Kind is the source kind "water".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:    "water",
	Title:   "Outlines of water",
	Formats: slices.Concat([]string{"TIGER/Line area hydrography (AREAWATER) and blocks without land"}, vector.Formats),
	Yields:  []string{"feature"},
	Reasons: []reason.Reason{source.MissingKey, source.MissingGeometry},
	Notes: "Nobody lives on water: small areas with census tables are cut by it from a hectare on, and their people are on the rest. It is " +
		"no ground that statistics could cover, either. " +
		"OpenStreetMap extracts and blocks with their area of land have water already. Invalid outlines are repaired. Layouts: " +
		source.LayoutNames(layouts) + ".",
	Complete: func(o *Options, _ source.Input) error {
		return source.Join(source.Complete(o, o.Layout, layouts), o.Check())
	},
}, vector.Features[Options]{
	File: func(o *Options, in source.Input) *vector.File { return o.FileOf(in, o.Key, o.Name) },
	Name: func(o *Options, f vector.Feature) string { return f.Key(o.Key) },
	Row: func(o *Options, r vector.Record) (source.Row, reason.Reason) {
		key, outline := r.Key(o.Key), vector.Outline(r.Geometry)
		return source.Feature{Key: key, Kind: "land", Class: "water", Name: r.Text(o.Name, ""), Geometry: outline}, vector.Lacks(key, outline)
	},
})
