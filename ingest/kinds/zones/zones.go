// Package zones is the kind for outlines of small areas with census tables (block groups, dissemination areas), for places
// without census blocks. It reads one file of features into rows of staged.zone; options name the attribute of the key.
package zones

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var repeated = reasons.Skipped("repeated_outline",
	"An earlier feature has the same key and the same outline, as in tables with a row for each variable.")

// Options say what the key of a feature is. A layout sets defaults for the files of a publisher; other options take
// precedence.
type Options struct {
	Layout             string      `yaml:"layout" doc:"publisher's layout, which sets defaults for scheme and key"`
	Scheme             string      `yaml:"scheme" values:"census:bg census:tract statcan:da" doc:"scheme of the keys, one of those that census tables are read of; required without a layout"`
	Key                source.List `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty"`
	KeyText            string      `yaml:"key_text" doc:"template of the key with {attribute}, {@id} (feature id) and {@row} (number in the file, 1 first)"`
	vector.FileOptions `yaml:",inline"`
}

// layouts are the defaults for the files of a publisher of any year.
var layouts = map[string]Options{
	"tiger-bg":    {Scheme: "census:bg", Key: source.List{"GEOID", "GEOID20", "GEOID10"}},
	"tiger-tract": {Scheme: "census:tract", Key: source.List{"GEOID", "GEOID20", "GEOID10"}},
	"nhgis-bg":    {Scheme: "census:bg", Key: source.List{"GEOID", "GEOID20", "GEOID10", "@gisjoin"}},
	"statcan-da":  {Scheme: "statcan:da", Key: source.List{"DAUID", "@dguid"}},
}

// kind has beside a declaration the scheme of its areas.
type kind struct{ source.Declaration[Options] }

// Areas returns the scheme of the zones' keys.
func (k kind) Areas(in source.Input) string {
	o, err := k.Settings(in)
	if err != nil { // which Check reports
		return ""
	}
	return o.Scheme
}

// Kind is the source kind "zones".
var Kind = kind{vector.Kind(source.Declaration[Options]{
	Kind:  "zones",
	Title: "Outlines of small areas with census tables",
	Formats: slices.Concat([]string{
		"TIGER/Line block groups and tracts, NHGIS block groups, dissemination areas of Statistics Canada",
		"tidycensus with geometry, long or wide",
	}, vector.Formats),
	Yields:  []string{"zone"},
	Own:     &reasons,
	Reasons: []reason.Reason{source.MissingKey, source.MissingGeometry},
	Notes: "For places without census blocks: a zone is used as one block whose people are spread evenly. " +
		"Its key must be that of the census tables, which therefore must be of the same vintage. A tract is used where none of its block " +
		"groups is known; errors around a point are wider then. " +
		"In place of an attribute, @id is the feature's own id, @row its number in the file, @dguid a DGUID without vintage, type and schema, " +
		"and @gisjoin the GEOID of a block group from NHGIS's GISJOIN. " +
		"Invalid outlines are repaired. Layouts: " + source.LayoutNames(layouts) + ".",
	Complete: (*Options).complete,
}, vector.Features[Options]{
	File: func(o *Options, in source.Input) *vector.File {
		return o.FileOf(in, append(source.Lists(source.Placeholders(o.KeyText)...), o.Key)...)
	},
	Name:  func(o *Options, f vector.Feature) string { return f.Text(o.Key, o.KeyText) },
	Stage: stage,
})}

func stage(_ context.Context, r vector.Run[Options]) error {
	o, outlines := r.Options, map[string][sha256.Size]byte{} // by key
	return r.Each(func(f vector.Feature) (reason.Reason, error) {
		key, outline := f.Text(o.Key, o.KeyText), vector.Outline(f.Geometry)
		why := vector.Lacks(key, outline)
		switch before, known := outlines[key]; {
		case !f.Fault.OK():
			return f.Fault, nil
		case !why.OK():
			return why, nil
		case !known:
			outlines[key] = digest(outline)
		case before == digest(outline):
			return repeated, nil
		}
		return why, r.Out.Row(source.Zone{Key: o.Scheme + ":" + key, Geometry: outline})
	})
}

// digest is that of the coordinates of an outline.
func digest(outline orb.MultiPolygon) [sha256.Size]byte {
	var b []byte
	for _, polygon := range outline {
		for _, ring := range polygon {
			for _, p := range ring {
				b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, math.Float64bits(p[0])), math.Float64bits(p[1]))
			}
		}
	}
	return sha256.Sum256(b)
}

// complete adds the defaults of the layout and returns an error for missing, invalid or conflicting options.
func (o *Options) complete(source.Input) error {
	given := o.Key
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	if o.KeyText != "" {
		o.Key = given
	}
	var f source.Faults
	f.Option(o.Key != nil && o.KeyText != "", "key", "and key_text: exclude each other")
	f.Option(o.Scheme == "", "scheme", "is missing; set it or a layout")
	f.Option(len(o.Key) == 0 && o.KeyText == "", "key", "or key_text: is missing; set one of them or a layout")
	f.Add(o.Check())
	return f.Err()
}
