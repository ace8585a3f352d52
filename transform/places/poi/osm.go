package poi

import (
	"slices"
	"strings"

	"quartier/transform/places/normalize"
)

// closed are tags of places that no longer exist.
var closed = [][2]string{{"disused", "yes"}, {"abandoned", "yes"}, {"demolished", "yes"}, {"opening_hours", "closed"},
	{"opening_hours", "off"}}

func (m *Mapping) classifyOSM(tags map[string]string) Class {
	var class Class
	for _, pair := range closed {
		if tags[pair[0]] == pair[1] {
			class.reason = closedPlace
			return class
		}
	}
	var unmapped []string
	for key, values := range tags {
		if m.keys[key] {
			for value := range strings.SplitSeq(values, ";") {
				value = strings.TrimSpace(value)
				if key == "aeroway" && value == "aerodrome" && heliport(tags) {
					value = "heliport"
				}
				if tag := m.applyOSM(&class, tags, key, value); tag != "" {
					unmapped = append(unmapped, tag)
				}
			}
		}
		class.tags = append(class.tags, m.attributesOf(key, values)...)
	}
	if class.categories == 0 {
		class.reason = unclassified
		if len(unmapped) > 0 {
			class.reason = unmappedCategory.With(slices.Min(unmapped))
		}
	}
	return class
}

// applyOSM adds the rows of a tag to class. If no row applies, it returns the tag.
func (m *Mapping) applyOSM(class *Class, tags map[string]string, key, value string) (unmapped string) {
	rules, known := m.rulesOf(key, value)
	applied := false
	for _, r := range rules {
		if !r.none && r.matches(tags) {
			class.categories |= r.categories
			class.tags = append(class.tags, r.tags...)
			applied = true
		}
	}
	switch {
	case applied:
		return ""
	case known:
		return key + "=" + value
	case len(rules) > 0:
		return key
	}
	return "unknown " + key
}

// rulesOf returns the rules of a tag; known is false where only those of any value of the key apply. Values are compared as
// written, then as identifiers, and a value that is of no amenity but of a shop is of that shop: amenity=nail salon is
// shop=nail_salon.
func (m *Mapping) rulesOf(key, value string) (rules []*rule, known bool) {
	if rules, known = m.osm[key+"="+value]; known {
		return rules, true
	}
	id := normalize.ID(value)
	if rules, known = m.osm[key+"="+id]; known {
		return rules, true
	}
	if rules, known = m.osm["shop="+id]; known && key == "amenity" {
		return rules, true
	}
	return m.osm[key+"=*"], false
}

// heliport reports whether an aerodrome is one of helicopters alone, by its type or name.
func heliport(tags map[string]string) bool {
	if tags["heliport"] == "yes" || tags["helipad"] == "yes" {
		return true
	}
	for _, key := range []string{"aerodrome:type", "aerodrome", "name", "name:en", "name:fr"} {
		text := strings.ToLower(tags[key])
		for _, word := range []string{"heliport", "helipad", "helistop", "héliport", "hélistation"} {
			if strings.Contains(text, word) {
				return true
			}
		}
	}
	return false
}

// attributesOf are the POI tags of an OpenStreetMap tag, in addition to those of categories.
func (m *Mapping) attributesOf(key, values string) []string {
	of := m.attributes[key]
	if of == nil { // as for names and addresses
		return nil
	}
	var tags []string
	for value := range strings.SplitSeq(values, ";") {
		tags = append(tags, of[normalize.ID(value)]...)
	}
	return tags
}
