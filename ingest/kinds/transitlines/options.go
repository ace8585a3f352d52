package transitlines

import (
	"maps"
	"path"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// skip is used instead of a mode for lines to leave out.
const skip = "skip"

// Options name the attributes of lines and stops.
type Options struct {
	Key                 source.List       `yaml:"key" doc:"attribute with the id of a line, the same for both directions; of several the first that is not empty"`
	KeyText             string            `yaml:"key_text" doc:"template of the id with {attribute}, in place of key"`
	Name                source.List       `yaml:"name" doc:"attribute with the name of a line as riders know it, such as its number; default: its id"`
	NameText            string            `yaml:"name_text" doc:"template of the name, in place of name"`
	Agency              string            `yaml:"agency" doc:"name of the operator"`
	Mode                string            `yaml:"mode" doc:"mode of lines without one by the next two options"`
	ModeOf              string            `yaml:"mode_of" doc:"attribute that the mode depends on; of a list of lines at stops it may be the list itself: modes then maps its entries"`
	Modes               map[string]string `yaml:"modes" doc:"value of mode_of: mode, or skip"`
	KindOf              source.List       `yaml:"kind_of" doc:"attributes that the kind of a line depends on, of several the first with a value that kinds has; of a list of lines at stops the list itself: kinds then maps its entries"`
	Kinds               map[string]string `yaml:"kinds" doc:"value of kind_of: frequent, all_day, peak (hours of working days), school (for pupils) or shopper (one or two days a week); in a value ? stands for one character and * for any number; default: by directions and stops"`
	From                string            `yaml:"from" doc:"attribute of a course with the name of one end of the line, which explanations name"`
	To                  string            `yaml:"to" doc:"attribute of a course with the name of its other end"`
	Direction           string            `yaml:"direction" doc:"attribute with the direction of a course; a line counts once for both"`
	StopKey             source.List       `yaml:"stop_key" doc:"attribute with the id of a stop; default: its number in the file"`
	StopName            source.List       `yaml:"stop_name" doc:"attribute with the name of a stop; default: its id"`
	StopNameFR          source.List       `yaml:"stop_name_fr" doc:"attribute with the French name of a stop"`
	Lines               string            `yaml:"lines" doc:"attribute of a stop with the list of the lines that serve it, by id"`
	Separator           string            `yaml:"separator" doc:"characters between the lines of a list; default: comma and semicolon"`
	Partial             bool              `yaml:"partial" doc:"the file has some of the lines of its area only: beyond its stops public transport is unknown, not absent; default false"`
	vector.TableOptions `yaml:",inline"`
}

// check returns an error for missing, invalid or conflicting options.
func (o *Options) check(source.Input) error {
	var f source.Faults
	f.Option(o.Key != nil && o.KeyText != "", "key", "and key_text: exclude each other")
	f.Option(o.Name != nil && o.NameText != "", "name", "and name_text: exclude each other")
	f.Option(o.Key == nil && o.KeyText == "" && o.Lines == "", "key",
		"is missing; set it or key_text for courses of lines, or lines for stops with a list of lines")
	f.Option(o.Mode == "" && o.ModeOf == "", "mode", "is missing; set it or mode_of with modes")
	f.Option(o.Mode != "" && !slices.Contains(schemas.TransitModes, o.Mode), "mode", "%q is none of %s", o.Mode,
		strings.Join(schemas.TransitModes, ", "))
	f.Option(o.ModeOf == "" && len(o.Modes) > 0, "modes", "requires mode_of")
	f.Option(o.ModeOf != "" && len(o.Modes) == 0, "mode_of", "requires modes")
	f.Option(o.KindOf == nil && len(o.Kinds) > 0, "kinds", "requires kind_of")
	f.Option(o.KindOf != nil && len(o.Kinds) == 0, "kind_of", "requires kinds")
	for _, value := range slices.Sorted(maps.Keys(o.Kinds)) {
		kind := o.Kinds[value]
		_, err := path.Match(value, "")
		f.Value(err != nil, "kinds", value, "%q is no pattern", value)
		f.Value(!slices.Contains(schemas.LineKinds, kind), "kinds", value, "%q of %q is none of %s",
			kind, value, strings.Join(schemas.LineKinds, ", "))
	}
	for _, value := range slices.Sorted(maps.Keys(o.Modes)) {
		mode := o.Modes[value]
		f.Value(mode != skip && !slices.Contains(schemas.TransitModes, mode), "modes", value, "%q of %q is none of %s, nor %s", mode, value,
			strings.Join(schemas.TransitModes, ", "), skip)
	}
	f.Option(o.Separator != "" && o.Lines == "", "separator", "requires lines")
	f.Add(o.Check())
	return f.Err()
}

func (o *Options) file(in source.Input) *vector.File {
	names := slices.Concat(source.Placeholders(o.KeyText), source.Placeholders(o.NameText),
		[]string{o.ModeOf, o.From, o.To, o.Direction, o.Lines})
	return o.FileOf(in, append(source.Lists(names...), o.Key, o.Name, o.KindOf, o.StopKey, o.StopName, o.StopNameFR)...)
}
