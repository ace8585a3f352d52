package boundaries

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas"
)

// Options say how a file's features become boundaries. A layout fills in what a publisher's files have in common;
// what is given beside it goes before it.
type Options struct {
	Layout     string          `yaml:"layout" doc:"publisher's layout that the other options default to: tiger-place, statcan-csd …"`
	Level      schemas.Level   `yaml:"level" doc:"level of the geographies, 10 to 70; needed without a layout"`
	Scheme     string          `yaml:"scheme" doc:"scheme of the keys, e.g. census:place; the source's id where absent"`
	Key        List            `yaml:"key" doc:"attribute with the publisher's stable key; of several the first that is filled"`
	KeyText    string          `yaml:"key_text" doc:"text of the key with {attribute}, {@id} (feature id) and {@row} (place in the file, 1 first)"`
	Name       List            `yaml:"name" doc:"attribute with the English name; of several the first that is filled"`
	NameText   string          `yaml:"name_text" doc:"text of the English name, as key_text"`
	NameFR     List            `yaml:"name_fr" doc:"attribute with the French name; absent or blank: the English one"`
	NameFRText string          `yaml:"name_fr_text" doc:"text of the French name, as key_text"`
	Bilingual  string          `yaml:"bilingual" doc:"what stands between the English and the French name in one attribute, e.g. ' / '"`
	Country    string          `yaml:"country" doc:"CA or US; the region's where absent"`
	State      string          `yaml:"state" doc:"postal code of the state or province of every feature; absent: by containment"`
	StateFrom  List            `yaml:"state_from" doc:"attribute with the state's FIPS code, PRUID or postal code"`
	Population string          `yaml:"population" doc:"attribute with the number of people"`
	Where      map[string]List `yaml:"where" doc:"attribute: value or list of values; only features that have them in all of these attributes are kept"`
	Unless     map[string]List `yaml:"unless" doc:"attribute: value or list of values; features that have one of them are left out"`
	BBox       source.BBox     `yaml:"bbox" doc:"[west, south, east, north] in degrees; features whose box does not touch it are left out"`
	BBoxCentre bool            `yaml:"bbox_centre" doc:"true: the centre of the feature's box must lie in bbox"`
	Merge      bool            `yaml:"merge" doc:"true: features with the same key are parts of one boundary; false: the second is rejected"`
	Dissolve   bool            `yaml:"dissolve" doc:"true: all features become one boundary, with key_text and name_text"`
	Layer      string          `yaml:"layer" doc:"layer of a GeoPackage or shapefile of an archive, where there are several"`
	CRS        string          `yaml:"crs" doc:"reference system of the coordinates where the file says none or a wrong one: EPSG:3347, WKT or PROJ string"`
	Encoding   string          `yaml:"encoding" doc:"encoding of a shapefile's texts where its .cpg says none or a wrong one"`
}

// List is an attribute or several in the order of preference, or a value or several.
type List = source.List

// settings are the options of a run, and those that the region file gave itself.
type settings struct {
	Options
	given Options
}

// options decodes, completes by the layout and checks what a region file says.
func options(in source.Input) (settings, error) {
	var given Options
	if err := in.Decode(&given); err != nil {
		return settings{}, err
	}
	s := settings{given, given}
	if given.Layout != "" {
		preset, known := layouts[given.Layout]
		if !known {
			return s, fmt.Errorf("%w of source %s: layout %q is none of %s", source.ErrBadOptions, in.Source, given.Layout, strings.Join(layoutNames(), ", "))
		}
		s.Options = preset.complete(given)
	}
	s.Country = cmp.Or(s.Country, in.Country)
	s.Scheme = cmp.Or(s.Scheme, in.Source)
	if err := s.check(); err != nil {
		return s, fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	return s, nil
}

// complete takes from the layout what o leaves open.
func (preset Options) complete(o Options) Options {
	o.Level = cmp.Or(o.Level, preset.Level)
	o.Scheme = cmp.Or(o.Scheme, preset.Scheme)
	o.Country = cmp.Or(o.Country, preset.Country)
	o.Bilingual = cmp.Or(o.Bilingual, preset.Bilingual)
	if o.Key == nil && o.KeyText == "" {
		o.Key = preset.Key
	}
	if o.Name == nil && o.NameText == "" {
		o.Name = preset.Name
	}
	if o.NameFR == nil && o.NameFRText == "" {
		o.NameFR = preset.NameFR
	}
	if o.StateFrom == nil && o.State == "" && !o.Dissolve {
		o.StateFrom = preset.StateFrom
	}
	if o.Unless == nil {
		o.Unless = preset.Unless
	}
	o.Merge = o.Merge || preset.Merge
	return o
}

// check refuses options that cannot go together.
func (s settings) check() error {
	switch {
	case s.Level == 0:
		return errors.New("level: is missing; give it or a layout")
	case !s.Level.Valid():
		return fmt.Errorf("level: %d is none of %v", s.Level, schemas.Levels)
	case len(s.Key) == 0 && s.KeyText == "":
		return errors.New("key: or key_text: is missing; give one or a layout")
	case len(s.Name) == 0 && s.NameText == "":
		return errors.New("name: or name_text: is missing; give one or a layout")
	case s.given.Key != nil && s.given.KeyText != "":
		return errors.New("key: and key_text: exclude each other")
	case s.given.Name != nil && s.given.NameText != "":
		return errors.New("name: and name_text: exclude each other")
	case s.given.State != "" && s.given.StateFrom != nil:
		return errors.New("state: and state_from: exclude each other")
	case s.Dissolve && (s.KeyText == "" || s.NameText == ""):
		return errors.New("dissolve: wants key_text: and name_text: for the one boundary")
	case s.Dissolve && len(source.Placeholders(s.KeyText+s.NameText+s.NameFRText)) > 0:
		return errors.New("dissolve: the texts of the one boundary cannot name attributes")
	}
	return s.checkPlace()
}

// checkPlace refuses a country, state or box that there is not.
func (s settings) checkPlace() error {
	if s.Country != "" && schemas.CountryName(s.Country) == (schemas.Text{}) {
		return fmt.Errorf("country: %q is neither CA nor US", s.Country)
	}
	if s.State != "" {
		if _, known := schemas.StateName(s.Country, s.State); !known {
			return fmt.Errorf("state: %q is no postal code of a state or province of %q", s.State, s.Country)
		}
	}
	return s.BBox.Check()
}

// wanted are the attributes that the file must have; of several for one thing one is enough. What only a layout names is
// optional, save the key and the name.
func (s settings) wanted() []List {
	var wanted []List
	for _, text := range []string{s.KeyText, s.NameText, s.NameFRText} {
		for _, name := range source.Placeholders(text) {
			wanted = append(wanted, List{name})
		}
	}
	wanted = append(wanted, s.Key, s.Name, s.given.NameFR, s.given.StateFrom)
	if s.Population != "" {
		wanted = append(wanted, List{s.Population})
	}
	for _, conditions := range []map[string]List{s.Where, s.given.Unless} {
		for name := range conditions {
			wanted = append(wanted, List{name})
		}
	}
	return wanted
}
