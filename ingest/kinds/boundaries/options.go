package boundaries

import (
	"cmp"
	"maps"
	"slices"

	"quartier/ingest/formats/overturenames"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options say how a file's features become boundaries. A layout sets defaults for the files of a publisher; other options
// take precedence.
type Options struct {
	Layout             string                   `yaml:"layout" doc:"publisher's layout, which sets defaults for the other options: tiger-place, statcan-csd …"`
	Level              schemas.Level            `yaml:"level" unit:"level" values:"10 20 30 32 35 37 38 40 60 70" doc:"level of the geographies; required without a layout"`
	LevelFrom          List                     `yaml:"level_from" doc:"attribute with the kind of geography, whose level the option levels has; with level, only features of that level are kept"`
	Levels             map[string]schemas.Level `yaml:"levels" unit:"level" values:"10 20 30 32 35 37 38 40 60 70" doc:"level by value of level_from, e.g. {county: 37, town: 30}; features of another kind are skipped"`
	Scheme             string                   `yaml:"scheme" doc:"scheme of the keys, e.g. census:place; default: the source's id"`
	Key                List                     `yaml:"key" doc:"attribute with the publisher's stable key; of several the first that is not empty"`
	KeyText            string                   `yaml:"key_text" doc:"template of the key with {attribute}, {@id} (feature id) and {@row} (number in the file, 1 first)"`
	Name               List                     `yaml:"name" doc:"attribute with the English name; of several the first that is not empty"`
	NameText           string                   `yaml:"name_text" doc:"template of the English name, like key_text"`
	NameFR             List                     `yaml:"name_fr" doc:"attribute with the French name; default: the English name"`
	NameFRText         string                   `yaml:"name_fr_text" doc:"template of the French name, like key_text"`
	Names              List                     `yaml:"names" doc:"attributes with further names, by which the geography is found: several in one are separated by ; or ,"`
	Overture           bool                     `yaml:"overture_names" doc:"true: names are those of Overture Maps (names.primary, common and rules), in place of name, name_fr and names"`
	Bilingual          string                   `yaml:"bilingual" doc:"separator between the English and the French name in one attribute, e.g. ' / '"`
	Country            string                   `yaml:"country" values:"CA US" doc:"country of all features; default: the region's"`
	CountryFrom        string                   `yaml:"country_from" doc:"attribute with the two-letter code of the country; features of other countries are skipped"`
	State              string                   `yaml:"state" doc:"postal code of the state or province of all features; default: determined by location"`
	StateFrom          List                     `yaml:"state_from" doc:"attribute with the state's FIPS code, PRUID, postal code or ISO code (US-OR)"`
	Population         string                   `yaml:"population" doc:"attribute with the population"`
	BBoxCentre         bool                     `yaml:"bbox_centre" doc:"true: the centre of the feature's bounding box must be inside bbox"`
	Merge              bool                     `yaml:"merge" doc:"true: features with the same key are parts of one boundary; false: the second one is rejected"`
	Dissolve           bool                     `yaml:"dissolve" doc:"true: all features become one boundary, with key_text and name_text"`
	vector.FileOptions `yaml:",inline"`
}

// List is one or several attributes in order of preference, or one or several values.
type List = source.List

// settings are the options with the defaults of the layout, and those that the region file sets.
type settings struct {
	Options
	given Options
}

// options decodes the options of a region file, adds the defaults of the layout and validates them.
func options(in source.Input) (*settings, error) {
	s := &settings{}
	return s, in.Configure(&s.given, func() error {
		s.Options = s.given
		if err := s.complete(); err != nil {
			return err
		}
		s.Country = cmp.Or(s.Country, in.Country)
		s.Scheme = cmp.Or(s.Scheme, in.Source)
		return s.check()
	})
}

// complete adds the defaults of the layout. An option of two forms that is given in one has no default in the other.
func (s *settings) complete() error {
	err := source.Complete(&s.Options, s.Layout, layouts)
	if s.KeyText != "" {
		s.Key = s.given.Key
	}
	if s.NameText != "" {
		s.Name = s.given.Name
	}
	if s.NameFRText != "" {
		s.NameFR = s.given.NameFR
	}
	if s.State != "" || s.Dissolve {
		s.StateFrom = s.given.StateFrom
	}
	return err
}

// check returns an error for missing, invalid or conflicting options.
func (s settings) check() error {
	var f source.Faults
	f.Option(s.Level == 0 && s.LevelFrom == nil, "level", "is missing; set it or a layout")
	f.Option(len(s.Key) == 0 && s.KeyText == "", "key", "or key_text: is missing; set one of them or a layout")
	f.Option((s.LevelFrom == nil) != (s.Levels == nil), "level_from", "and levels: require each other")
	for _, kind := range slices.Sorted(maps.Keys(s.Levels)) {
		f.Value(!s.Levels[kind].Valid(), "levels", kind, "%d is none of the levels", s.Levels[kind])
	}
	f.Option(!s.Overture && len(s.Name) == 0 && s.NameText == "", "name", "or name_text: is missing; set one of them or a layout")
	f.Option(s.given.Key != nil && s.given.KeyText != "", "key", "and key_text: exclude each other")
	f.Option(s.given.Name != nil && s.given.NameText != "", "name", "and name_text: exclude each other")
	f.Option(s.given.State != "" && s.given.StateFrom != nil, "state", "and state_from: exclude each other")
	f.Option(s.Dissolve && (s.KeyText == "" || s.NameText == ""), "dissolve", "requires the options key_text and name_text")
	f.Option(s.Dissolve && len(source.Placeholders(s.KeyText+s.NameText+s.NameFRText)) > 0, "dissolve",
		"key_text, name_text and name_fr_text cannot have attributes")
	f.Add(s.checkPlace())
	return f.Err()
}

// checkPlace returns an error for an unknown country or state or an invalid box.
func (s settings) checkPlace() error {
	var f source.Faults
	_, known := schemas.StateName(s.Country, s.State)
	f.Option(s.State != "" && !known, "state", "%q is not the postal code of a state or province of %q", s.State, s.Country)
	f.Add(s.Check())
	return f.Err()
}

func (s *settings) file(in source.Input) *vector.File {
	f := s.FileOf(in)
	f.BBoxCentre, f.Wanted = s.BBoxCentre, s.wanted()
	return f
}

// wanted returns the attributes that the file must have, of each list one. Those of a layout are optional, except for key
// and name.
func (s settings) wanted() []List {
	names := source.Placeholders(s.KeyText + s.NameText + s.NameFRText)
	names = slices.AppendSeq(slices.AppendSeq(append(names, s.Population, s.CountryFrom), maps.Keys(s.Where)), maps.Keys(s.given.Unless))
	lists := append(source.Lists(names...), s.Key, s.Name, s.LevelFrom, s.given.NameFR, s.given.StateFrom)
	if s.Overture {
		lists = append(lists, overturenames.Attributes)
	}
	return append(lists, source.Lists(s.given.Names...)...)
}
