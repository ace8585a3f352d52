package roads

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options say how a file's features become streets. A layout sets defaults for the files of a publisher; other options
// take precedence.
type Options struct {
	Layout             string            `yaml:"layout" values:"statcan-rnf tiger-roads tiger-edges" doc:"publisher's layout, which sets defaults for the other options"`
	Scheme             string            `yaml:"scheme" doc:"scheme of the keys, e.g. seattle:street; default: the source's id"`
	Key                source.List       `yaml:"key" doc:"attribute with the publisher's stable key, @id for the feature's own or @row for its number in the file; of several the first that is not empty"`
	Name               source.List       `yaml:"name" doc:"attribute with the name; of several the first that is not empty"`
	NameFR             source.List       `yaml:"name_fr" doc:"attribute with the French name, where it differs"`
	Class              string            `yaml:"class" doc:"attribute with the publisher's class"`
	Classes            map[string]string `yaml:"classes" doc:"value of class: class of street (motorway, primary, residential, footway …), or skip"`
	ClassElse          string            `yaml:"class_else" doc:"class of street for other values of class; default: such features are rejected"`
	Oneway             string            `yaml:"oneway" doc:"attribute with the direction of car traffic"`
	Forward            source.List       `yaml:"forward" doc:"values of oneway for one-way traffic along the line"`
	Backward           source.List       `yaml:"backward" doc:"values of oneway for one-way traffic against the line"`
	Lanes              string            `yaml:"lanes" doc:"attribute with the number of lanes in both directions together"`
	Speed              string            `yaml:"speed" doc:"attribute with the speed limit"`
	SpeedUnit          string            `yaml:"speed_unit" values:"kmh mph" doc:"unit of speed; default: kmh"`
	Bridge             string            `yaml:"bridge" doc:"attribute that marks bridges: yes, true, y, t or a number above 0"`
	Tunnel             string            `yaml:"tunnel" doc:"attribute that marks tunnels, like bridge"`
	Footpaths          bool              `yaml:"footpaths" doc:"true: the file has paths, stairs and footbridges as completely as roads. Else a way on foot is at most 1.6 times the straight line, unless water, a motorway or a railway is in between"`
	vector.FileOptions `yaml:",inline"`
}

// settings are the options with the layout.
type settings struct {
	Options
	layout layout
}

// options decodes the options of a region file, adds the defaults of the layout and validates them.
func options(in source.Input) (*settings, error) {
	s := &settings{}
	return s, in.Configure(&s.Options, func() error {
		preset, known := layouts[s.Layout]
		if !known && s.Layout != "" {
			var f source.Faults
			f.Option(true, "layout", "%q is none of %s", s.Layout, source.LayoutNames(layouts))
			return f.Err()
		}
		if s.Class == "" {
			s.layout = preset
		}
		if s.Name == nil {
			s.Name, s.layout.fullName = preset.name, preset.fullName
		} else {
			s.layout.fullName = nil
		}
		if s.Key == nil {
			s.Key = preset.key
		}
		s.Scheme = cmp.Or(s.Scheme, preset.scheme, in.Source)
		return s.check()
	})
}

// check returns an error for missing, invalid or conflicting options.
func (s settings) check() error {
	var f source.Faults
	f.Option(len(s.Key) == 0, "key", "is missing; set it or a layout")
	f.Option(s.layout.classify == nil && s.Class == "" && s.ClassElse == "", "class",
		"is missing; set it with classes:, or class_else: or a layout")
	f.Option(s.Class != "" && len(s.Classes) == 0, "classes", "is missing; it maps the values of the attribute class")
	f.Option(s.Oneway != "" && len(s.Forward)+len(s.Backward) == 0, "forward",
		"or backward: is missing; they list the values of the attribute oneway")
	f.Option(s.ClassElse != "" && !slices.Contains(schemas.StreetClasses, s.ClassElse), "class_else", "%q is none of %s", s.ClassElse,
		strings.Join(schemas.StreetClasses, ", "))
	for _, value := range slices.Sorted(maps.Keys(s.Classes)) {
		class := s.Classes[value]
		f.Value(class != skip && !slices.Contains(schemas.StreetClasses, class), "classes", class, "%q is none of %s, nor %s",
			class, strings.Join(schemas.StreetClasses, ", "), skip)
	}
	f.Add(s.Check())
	return f.Err()
}

// skip is the class of features that are skipped.
const skip = "skip"

// file returns the file with its required columns. The name column of a layout is optional.
func (s *settings) file(in source.Input) *vector.File {
	wanted := source.Lists(append(s.layout.needs, s.Class, s.Oneway, s.Lanes, s.Speed, s.Bridge, s.Tunnel)...)
	if s.Layout == "" {
		wanted = append(wanted, s.Name)
	}
	return s.FileOf(in, append(wanted, s.Key, s.NameFR)...)
}

// classify classifies a feature by the layout or the options.
func (s settings) classify(f vector.Feature) classification {
	if s.layout.classify != nil {
		return s.layout.classify(f)
	}
	class := cmp.Or(s.Classes[f.Attributes[s.Class]], s.ClassElse)
	if class == skip {
		return classification{skip: source.ExcludedByOption.With("classes")}
	}
	return classification{class: class}
}

func (s settings) name(f vector.Feature) string {
	if s.layout.fullName != nil {
		return s.layout.fullName(f)
	}
	return f.Text(s.Name, "")
}

// direction returns the direction of car traffic.
func (s settings) direction(f vector.Feature) string {
	value := f.Attributes[s.Oneway]
	switch {
	case s.Oneway != "" && slices.Contains(s.Forward, value):
		return "forward"
	case s.Oneway != "" && slices.Contains(s.Backward, value):
		return "backward"
	}
	return "both"
}

// lanes returns the number of lanes; 0 where it is missing, and false where it is invalid.
func (s settings) lanes(f vector.Feature) (lanes int, valid bool) {
	n, valid := number(f.Attributes[s.Lanes], 30)
	return int(math.Ceil(n)), valid
}

const kmhPerMPH = 1.609344

// speed returns the speed limit in km/h; 0 where it is missing, and false where it is invalid.
func (s settings) speed(f vector.Feature) (kmh float64, valid bool) {
	unit := 1.0
	if s.SpeedUnit == "mph" {
		unit = kmhPerMPH
	}
	n, valid := number(f.Attributes[s.Speed], 250/unit)
	return n * unit, valid
}

// number parses an attribute, which is blank or 0 where it is missing.
func number(text string, most float64) (n float64, valid bool) {
	if text == "" {
		return 0, true
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= most) {
		return 0, false
	}
	return n, true
}

// isTrue reports whether an attribute means yes.
func isTrue(f vector.Feature, name string) bool {
	if name == "" {
		return false
	}
	value := strings.ToLower(f.Attributes[name])
	n, err := strconv.ParseFloat(value, 64)
	return err == nil && n > 0 || slices.Contains([]string{"yes", "true", "y", "t", "oui", "o"}, value)
}
