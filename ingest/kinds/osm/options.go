package osm

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"quartier/schemas"
)

// Options of an OpenStreetMap source.
type Options struct {
	Boundaries *bool        `yaml:"boundaries" doc:"read boundaries; default true"`
	POIs       *bool        `yaml:"pois" doc:"read places; default true"`
	Transit    *bool        `yaml:"transit" doc:"read lines of public transport (route relations); default true"`
	Streets    *bool        `yaml:"streets" doc:"read streets and paths; default true"`
	Ground     *bool        `yaml:"ground" doc:"read the ground of the map, which nothing else reads; default: as streets"`
	Features   FeatureKinds `yaml:"features" doc:"features to read: true (all, the default), false, or a list of kinds (rail, water, land, tree …)"`
	Levels     []LevelRule  `yaml:"levels" doc:"rules for boundaries that precede the built-in ones: country (optional), tags (key=value …), level (0: skip)"`
}

// FeatureKinds are ids of schemas.FeatureKinds; nil: all of them.
type FeatureKinds []string

// UnmarshalYAML reads true, false or a list of kinds.
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
		return fmt.Errorf("line %d: features must be true, false or a list of kinds", node.Line)
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == kind }) {
			return fmt.Errorf("line %d: %q is not a kind of feature", node.Line, kind)
		}
	}
	*f = kinds
	return nil
}

// enabled returns the value of an option whose default is true.
func enabled(option *bool) bool { return option == nil || *option }
