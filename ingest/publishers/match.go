package publishers

import (
	"regexp"
	"strings"
)

// Match finds the data set whose addresses include one, and the variables that it was made with. Several data sets can
// share their addresses, as outlines of a country and of its states do: id is that of the source and decides, else the first
// of the kind is taken.
func Match(address, kind, id string) (set *Set, values map[string]string) {
	for _, p := range All() {
		for i := range p.Sets {
			s := &p.Sets[i]
			if found := s.match(address); found != nil && (s.Reads == kind || kind == "") && (set == nil || s.ID == id) {
				set, values = s, found
			}
		}
	}
	return set, values
}

// match returns the variables of an address of the data set; nil if it is none.
func (s *Set) match(address string) map[string]string {
	var names []string
	var pattern strings.Builder
	at := 0
	for _, m := range variable.FindAllStringSubmatchIndex(s.URL, -1) {
		pattern.WriteString(regexp.QuoteMeta(s.URL[at:m[0]]))
		name := s.URL[m[2]:m[3]]
		names, at = append(names, name), m[1]
		pattern.WriteString(patternOf(name))
	}
	pattern.WriteString(regexp.QuoteMeta(s.URL[at:]))
	found := regexp.MustCompile("^" + pattern.String() + "$").FindStringSubmatch(address)
	if found == nil {
		return nil
	}
	values := map[string]string{}
	for i, name := range names {
		if before, known := values[name]; known && before != found[i+1] {
			return nil // one variable, two values
		}
		values[name] = found[i+1]
	}
	if s.Uses("name") && s.vintage(values["name"]) == nil && len(s.Vintages) > 0 && !s.family(values["name"]) {
		return nil
	}
	return values
}

// patternOf is the pattern of the values of a variable.
func patternOf(name string) string {
	switch name {
	case "year":
		return `(\d{4})`
	case "fips", "pruid":
		return `(\d{2})`
	case "county":
		return `(\d{5})`
	case "state", "country":
		return `([A-Z]{2})`
	case "st":
		return `([a-z]{2})`
	case "extract":
		return `([a-z/-]+)`
	}
	return `([^/]+)`
}

// vintage returns a vintage by its name; nil if there is none.
func (s *Set) vintage(name string) *Vintage {
	for i := range s.Vintages {
		if s.Vintages[i].Name == name {
			return &s.Vintages[i]
		}
	}
	return nil
}

var digits = regexp.MustCompile(`\d+`)

// family reports whether a name is like those of the vintages: ccd_sch_029_2021_w_1a_080621.zip is one of the directory's,
// although it is not listed.
func (s *Set) family(name string) bool {
	shape := func(text string) string { // the number of the table stays
		parts := strings.SplitN(text, "_", 4)
		if len(parts) == 4 {
			return strings.ToLower(strings.Join(parts[:3], "_"))
		}
		return digits.ReplaceAllString(text, "0")
	}
	return shape(name) == shape(s.Vintages[0].Name)
}

// Newest is the newest vintage that is final; nil if the data set has none by name.
func (s *Set) Newest() *Vintage {
	for i := range s.Vintages {
		if !s.Vintages[i].Preliminary {
			return &s.Vintages[i]
		}
	}
	return nil
}
