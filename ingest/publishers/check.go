package publishers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"quartier/ingest"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Products are what a data set is used for besides the scores by name: parts of the API, and scores in general.
var Products = []string{"geographies", "pois", "profiles", "scores", "demographics", "typologies", "schools", "travel", "addresses"}

// indexes are the lists of publishers that package regionfile reads.
var indexes = []string{"", "geofabrik", "mobility", "overture"}

// Check finds what is wrong with the catalogue: unknown variables, kinds, options, scores, types and rules of tiles, ids that
// occur twice for a country, and what is missing.
func Check(ctx context.Context, all []*Publisher) error {
	var faults []error
	seen := map[string]bool{}
	for _, p := range all {
		fault := func(bad bool, format string, args ...any) {
			if bad {
				faults = append(faults, fmt.Errorf("publisher %s: "+format, append([]any{p.ID}, args...)...))
			}
		}
		fault(!slices.Contains(order, p.ID), "it is not in the order of publishers")
		fault(p.Name == "" || p.Page == "" || p.Licence == "" || p.Attribution == "" || p.Refuses == "", "name, page, licence, attribution or "+
			"refuses is missing")
		for i := range p.Sets {
			s := &p.Sets[i]
			of := func(bad bool, format string, args ...any) { fault(bad, "set "+s.ID+": "+format, args...) }
			for _, country := range []string{"CA", "US"} {
				if p.Country == "" || p.Country == country {
					of(seen[country+s.ID], "another set of %s has the id", country)
					seen[country+s.ID] = true
				}
			}
			s.check(ctx, of)
		}
	}
	return errors.Join(faults...)
}

func (s *Set) check(ctx context.Context, of func(bad bool, format string, args ...any)) {
	of(s.Title == "" || s.URL == "" || s.Cadence == "", "title, url or cadence is missing")
	of(s.AsOf == "" && len(s.Vintages) == 0, "as_of is missing")
	of(!slices.Contains(Types, s.Type), "unknown type %q", s.Type)
	of(!slices.Contains(indexes, s.Index), "unknown index %q", s.Index)
	of(s.Tiles != "" && Tiles[s.Tiles].Degrees == 0, "unknown rule of tiles %q", s.Tiles)
	of(s.PerTable != (len(s.Tables) > 0), "tables and per_table need each other")
	for table, by := range s.With {
		of(!slices.Contains(s.Tables, table) || !slices.Contains(s.Tables, by), "with: %s or %s is none of tables", table, by)
	}
	of(s.Uses("year") && s.Year == 0, "year is missing")
	of(len(s.Except) > 0 && s.WhyExcept == "", "why_except is missing")
	for _, text := range append(texts(&s.Options), s.URL, s.File, s.AsOf, s.Attribution, s.Unused, s.Title) {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			of(!slices.Contains(Variables, m[1]), "unknown variable {%s}", m[1])
		}
	}
	for _, fed := range s.Feeds {
		of(!slices.Contains(schemas.ScoreIDs(), fed) && !slices.Contains(Products, fed), "feeds: unknown score or product %q", fed)
	}
	if s.Reads == None {
		return
	}
	of(len(s.Feeds) == 0, "feeds is missing")
	kind, known := ingest.KindOf(s.Reads)
	if of(!known, "unknown kind %q", s.Reads); !known {
		return
	}
	options, err := s.OptionsOf(example)
	if err == nil {
		in := source.Input{Source: s.ID, Path: "/nowhere/" + s.ID, Country: "US", Options: *options}
		err = in.Decode(reflect.New(reflect.TypeOf(kind.Info().Options)).Interface())
		for _, fault := range source.Flatten(kind.Check(ctx, in)) {
			if errors.Is(fault, source.ErrBadOptions) {
				err = source.Join(err, fault)
			}
		}
	}
	of(err != nil, "%v", err)
}

// example has a value for every variable, with which options are checked.
var example = func() map[string]string {
	values := map[string]string{"box": "-76,38,-75,39", "states": "DE", "fipses": "10", "pruids": "10", "countries": "US"}
	for _, name := range Variables {
		if values[name] == "" {
			values[name] = "x"
		}
	}
	return values
}()

// texts returns the texts in the options.
func texts(node *yaml.Node) (list []string) {
	if node.Kind == yaml.ScalarNode {
		return []string{node.Value}
	}
	for _, n := range node.Content {
		list = append(list, texts(n)...)
	}
	return list
}

// lists are the variables whose value is a comma list, which becomes a list where it is all that a text has.
var lists = []string{"states", "fipses", "pruids", "countries", "box"}

// OptionsOf returns a copy of the options with the variables set.
func (s *Set) OptionsOf(values map[string]string) (*yaml.Node, error) {
	data, err := yaml.Marshal(&s.Options)
	if err != nil || s.Options.IsZero() {
		return &yaml.Node{}, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	set(document.Content[0], values)
	return document.Content[0], nil
}

// set sets the variables in the values of the options.
func set(node *yaml.Node, values map[string]string) {
	if node.Kind != yaml.ScalarNode {
		for i, n := range node.Content {
			if node.Kind != yaml.MappingNode || i%2 == 1 {
				set(n, values)
			}
		}
		return
	}
	name := strings.Trim(node.Value, "{}")
	if node.Value != "{"+name+"}" || !slices.Contains(lists, name) {
		node.Value = Expand(node.Value, values)
		return
	}
	*node = *List(strings.Split(values[name], ","), name == "box")
}

// List is a list of texts, or of numbers, in YAML.
func List(values []string, numbers bool) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, value := range values {
		item := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
		if !numbers {
			item.Style = yaml.DoubleQuotedStyle
		}
		list.Content = append(list.Content, item)
	}
	return list
}
