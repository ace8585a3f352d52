package source

import (
	"fmt"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"
)

// BBox is an option of several kinds: [west, south, east, north] in degrees; nil: everywhere.
type BBox []float64

// Check returns an error if b is not a valid box.
func (b BBox) Check() error {
	if b == nil || len(b) == 4 && b[0] >= -180 && b[0] < b[2] && b[2] <= 180 && b[1] >= -90 && b[1] < b[3] && b[3] <= 90 {
		return nil
	}
	return fmt.Errorf("bbox: %v is not [west, south, east, north] in degrees", []float64(b))
}

// Contains reports whether p is in the box or on its edge; NaN is not.
func (b BBox) Contains(p orb.Point) bool {
	return b == nil || p[0] >= b[0] && p[0] <= b[2] && p[1] >= b[1] && p[1] <= b[3]
}

// List is an option that is a text or a list of texts. Numbers are read as text, so that 06 stays 06.
type List []string

// UnmarshalYAML reads a scalar as a list of one.
func (l *List) UnmarshalYAML(node *yaml.Node) error {
	switch node.Kind {
	case yaml.ScalarNode:
		*l = List{node.Value}
		return nil
	case yaml.SequenceNode:
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: expected a list of texts", item.Line)
			}
			*l = append(*l, item.Value)
		}
		return nil
	}
	return fmt.Errorf("line %d: expected a text or a list of texts", node.Line)
}
