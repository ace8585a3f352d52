package poi

import (
	"fmt"
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/transform/places/normalize"
)

// Reasons are those of this package.
var Reasons reason.List

var (
	unmappedCategory = Reasons.Skipped("unmapped_category", "The class of the place has no category in the API.")
	unknownCategory  = Reasons.Skipped("unknown_category", "The class of the place is not in its publisher's vocabulary.")
	unclassified     = Reasons.Skipped("unclassified_place", "The place has no class.")
	closedPlace      = Reasons.Skipped("permanently_closed", "The place is permanently closed.")
	missingName      = Reasons.Skipped("unnamed_poi", "The place has no name, and its categories require one.")
)

// Class is the meaning of a record's classes.
type Class struct {
	categories set
	tags       []string      // sorted, without duplicates
	reason     reason.Reason // if there is no category
}

// Mapping is the tables mapping/*.tsv, which map classes to categories and tags.
type Mapping struct {
	*categories
	osm        map[string][]*rule             // by key=value and key=*
	overture   map[string]*rule               // by category id
	attributes map[string]map[string][]string // tags by key and value as an identifier
	keys       map[string]bool                // keys of osm.tsv
}

// rule is a row of osm.tsv or overture.tsv.
type rule struct {
	id         string // key=value of the row, or the Overture category
	conditions []condition
	categories set // without implied ones
	none       bool
	tags       []string
}

// condition is a part of a row's condition.
type condition struct {
	key    string
	values []string // nil: any
	not    bool
}

// NewMapping reads the embedded tables. It fails if a table is invalid.
func NewMapping() (*Mapping, error) {
	c, err := readCategories()
	if err != nil {
		return nil, err
	}
	m := &Mapping{categories: c, osm: map[string][]*rule{}, overture: map[string]*rule{},
		attributes: map[string]map[string][]string{}, keys: map[string]bool{}}
	for _, read := range []func() error{m.readOSM, m.readOverture, m.readAttributes} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Mapping) readOSM() error {
	rows, err := readTable("osm.tsv", "key", "value", "condition", "categories", "tags")
	if err != nil {
		return err
	}
	for _, row := range rows {
		r, err := newRule(row[0]+"="+row[1], row[3], row[4])
		if err != nil {
			return fmt.Errorf("table osm.tsv: %w", err)
		}
		r.conditions = parseConditions(row[2])
		m.keys[row[0]] = true
		for _, value := range strings.Split(row[1], "|") {
			m.osm[row[0]+"="+value] = append(m.osm[row[0]+"="+value], r)
		}
	}
	return nil
}

func (m *Mapping) readOverture() error {
	rows, err := readTable("overture.tsv", "id", "categories", "tags")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if m.overture[row[0]] != nil {
			return fmt.Errorf("table overture.tsv: duplicate id %s", row[0])
		}
		if m.overture[row[0]], err = newRule(row[0], row[1], row[2]); err != nil {
			return fmt.Errorf("table overture.tsv: %w", err)
		}
	}
	return nil
}

func (m *Mapping) readAttributes() error {
	rows, err := readTable("attributes.tsv", "key", "value", "tags")
	for _, row := range rows {
		for _, tag := range list(row[2]) {
			if _, ok := schemas.TagLabel(tag); !ok {
				return fmt.Errorf("table attributes.tsv: %s=%s: no tag %q", row[0], row[1], tag)
			}
		}
		for _, key := range strings.Split(row[0], "|") {
			if m.attributes[key] == nil {
				m.attributes[key] = map[string][]string{}
			}
			for _, value := range strings.Split(row[1], "|") {
				id := normalize.ID(value)
				m.attributes[key][id] = append(m.attributes[key][id], list(row[2])...)
			}
		}
	}
	return err
}

func newRule(id, categories, tags string) (*rule, error) {
	r := &rule{id: id, tags: list(tags)}
	for _, tag := range r.tags {
		if _, ok := schemas.TagLabel(tag); !ok {
			return nil, fmt.Errorf("%s: no tag %q", id, tag)
		}
	}
	if categories == "-" {
		r.none = true
		return r, nil
	}
	s, err := parseSet(categories)
	if err == nil && s == 0 {
		err = fmt.Errorf("neither a category nor -")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	r.categories = s
	return r, nil
}

func parseConditions(text string) []condition {
	var conditions []condition
	if text == "" {
		return nil
	}
	for _, part := range strings.Split(text, ";") {
		c := condition{}
		part, c.not = strings.CutPrefix(part, "!")
		key, values, found := strings.Cut(part, "=")
		c.key = key
		if found {
			c.values = strings.Split(values, "|")
		}
		conditions = append(conditions, c)
	}
	return conditions
}

func (r *rule) matches(tags map[string]string) bool {
	for _, c := range r.conditions {
		value, found := tags[c.key]
		if found && c.values != nil {
			found = slices.Contains(c.values, value)
		}
		if found == c.not {
			return false
		}
	}
	return true
}

// Classify maps the classes of a record. tags are those of scheme osm; ids are the classes of other schemes, the
// primary one first.
func (m *Mapping) Classify(scheme string, tags map[string]string, ids []string) Class {
	var class Class
	switch scheme {
	case "osm":
		class = m.classifyOSM(tags)
	case "overture":
		class = m.classifyOverture(ids)
	case "quartier":
		class = m.classifyOwn(ids)
	default:
		class.reason = unknownCategory.With("scheme " + scheme)
	}
	class.categories = m.expand(class.categories)
	if class.categories != 0 {
		class.reason = reason.Reason{}
	}
	slices.Sort(class.tags)
	class.tags = slices.Compact(class.tags)
	return class
}

func (m *Mapping) classifyOwn(ids []string) Class {
	var class Class
	for _, id := range ids {
		if i, ok := schemas.CategoryIndex(id); ok {
			class.categories |= 1 << i
		} else if _, ok := schemas.TagLabel(id); ok {
			class.tags = append(class.tags, id)
		} else if slices.Contains(schemas.SchoolClasses, id) {
			class.reason = unmappedCategory.With(id)
		} else {
			class.reason = unknownCategory.With("quartier")
		}
	}
	if len(ids) == 0 {
		class.reason = unclassified
	}
	return class
}
