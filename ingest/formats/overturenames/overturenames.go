// Package overturenames reads the names of features of Overture Maps, which every theme has in the same structure.
package overturenames

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// Names are the names of a feature.
type Names struct {
	Primary string `json:"primary"`
	Common  Common `json:"common"`
	Rules   []Rule `json:"rules"`
}

// Rule is a further name.
type Rule struct {
	Variant  string `json:"variant"` // common, official, alternate or short
	Language string `json:"language"`
	Value    string `json:"value"`
}

// Attributes are the attributes with the names: one, or one for each part as ogr2ogr writes them.
var Attributes = source.List{"names", "names.primary"}

// Of returns the names of a feature by its attributes. What is not as Overture writes it is absent.
func Of(attributes map[string]string) (n Names) {
	if text := attributes["names"]; text != "" {
		if json.Unmarshal([]byte(text), &n) != nil {
			return Names{}
		}
		return n
	}
	n.Primary = attributes["names.primary"]
	for attribute, into := range map[string]any{"names.common": &n.Common, "names.rules": &n.Rules} {
		if text := attributes[attribute]; text != "" {
			_ = json.Unmarshal([]byte(text), into) // only the primary name is required
		}
	}
	return n
}

// Common maps a language to a name. Releases until 2023 have a list of values with their language instead; pandas writes
// the map as a list of pairs, or of keys and values.
type Common map[string]string

// UnmarshalJSON reads all forms.
func (c *Common) UnmarshalJSON(data []byte) error {
	var names []struct {
		Value    string `json:"value"`
		Language string `json:"language"`
		Key      string `json:"key"`
	}
	var pairs [][2]string
	add := func(language, name string) {
		if (*c)[language] == "" && name != "" {
			(*c)[language] = name
		}
	}
	switch {
	case json.Unmarshal(data, &names) == nil:
		*c = Common{}
		for _, n := range names {
			add(cmp.Or(n.Language, n.Key), n.Value)
		}
		return nil
	case json.Unmarshal(data, &pairs) == nil:
		*c = Common{}
		for _, pair := range pairs {
			add(pair[0], pair[1])
		}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(c))
}

// Best returns the name on the sign: primary, else the English, the local or the first common name.
func (n Names) Best() string {
	if n.Primary != "" || len(n.Common) == 0 {
		return n.Primary
	}
	first := slices.Sorted(maps.Keys(n.Common))[0]
	return cmp.Or(n.Common["en"], n.Common["local"], n.Common[first])
}

// variants are the kinds of Overture's variants of names.
var variants = map[string]string{"common": "translation", "official": "official", "alternate": "alternate", "short": "short"}

// Further returns all names but the primary one.
func (n Names) Further() []source.FurtherName {
	var all []source.FurtherName
	for _, language := range slices.Sorted(maps.Keys(n.Common)) {
		kind := "translation"
		if language == "en" || language == "fr" || language == "local" {
			kind = "alternate"
		}
		all = append(all, source.FurtherName{Name: n.Common[language], Kind: kind, Language: strings.TrimSuffix(language, "local")})
	}
	for _, rule := range n.Rules {
		all = append(all, source.FurtherName{Name: rule.Value, Kind: cmp.Or(variants[rule.Variant], "alternate"), Language: rule.Language})
	}
	return all
}
