package osm

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"quartier/schemas"
)

// Options of an OpenStreetMap source.
type Options struct {
	Boundaries *bool        `yaml:"boundaries" doc:"take boundaries and the extent; default true"`
	POIs       *bool        `yaml:"pois" doc:"take places to go to; default true"`
	Streets    *bool        `yaml:"streets" doc:"take streets and paths; default true"`
	Features   FeatureKinds `yaml:"features" doc:"take what shapes a place: true (default), false, or a list of kinds (rail, water, land, tree …)"`
	Country    string       `yaml:"country" doc:"'CA' or 'US', where the extract lies; default: the region's, else as the data says"`
	State      string       `yaml:"state" doc:"two letters, where the extract lies; default: the region's, else as the data says"`
	Levels     []LevelRule  `yaml:"levels" doc:"rules for boundaries that go before the built-in ones: country (may be absent), tags (key=value …), level (0: leave out)"`
}

// FeatureKinds are ids of schemas.FeatureKinds; nil: all of them.
type FeatureKinds []string

// UnmarshalYAML takes true, false or a list of kinds.
func (f *FeatureKinds) UnmarshalYAML(node *yaml.Node) error {
	var all bool
	if err := node.Decode(&all); err == nil {
		*f = nil
		if !all {
			*f = FeatureKinds{}
		}
		return nil
	}
	kinds := []string{}
	if err := node.Decode(&kinds); err != nil {
		return fmt.Errorf("line %d: features are true, false or a list of kinds", node.Line)
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == kind }) {
			return fmt.Errorf("line %d: %q is not a kind of feature", node.Line, kind)
		}
	}
	*f = kinds
	return nil
}

// wanted is the value of an option that is on by default.
func wanted(option *bool) bool { return option == nil || *option }
