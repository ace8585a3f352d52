package poi

import (
	"cmp"
	"strings"

	"quartier/schemas"
)

// classifyOverture maps the primary category and further categories of the same branch.
func (m *Mapping) classifyOverture(ids []string) Class {
	var class Class
	branch := ""
	for _, id := range ids {
		r := m.ruleOf(id)
		switch {
		case r == nil:
			class.reason = unknownCategory.With("overture")
			continue
		case branch == "" && r.none:
			class.reason = unmappedCategory.With(r.id)
			return class
		case branch == "":
			branch = m.branch(id)
		case r.none || branch != m.branch(id):
			continue
		}
		class.categories |= r.categories
		class.tags = append(class.tags, r.tags...)
		if r.categories.has(restaurants) {
			class.tags = append(class.tags, m.attributes["cuisine"][strings.TrimSuffix(first(id), "_restaurant")]...)
		}
	}
	if len(ids) == 0 {
		class.reason = unclassified
	}
	return class
}

// first is the id that a category has in the first list; itself if it is not in it.
func first(id string) string {
	category, _ := schemas.FindOvertureCategory(id)
	return cmp.Or(category.Before, id)
}

// ruleOf is the row of an Overture category or of the nearest one above it that has one. Unknown categories that end in
// _restaurant are restaurants. Nil if there is none.
func (m *Mapping) ruleOf(id string) *rule {
	for at := id; at != ""; at = above(at) {
		if r := m.overture[at]; r != nil {
			return r
		}
	}
	if !schemas.KnownPlaceClass("overture", id) && strings.HasSuffix(id, "_restaurant") {
		return m.overture["restaurant"]
	}
	return nil
}

// branch is the top-level ancestor of an Overture category.
func (m *Mapping) branch(id string) string {
	for above(id) != "" {
		id = above(id)
	}
	return id
}

// above is the category of the first list that a category continues, else the broader one; "" if there is neither.
func above(id string) string {
	category, _ := schemas.FindOvertureCategory(id)
	return cmp.Or(category.Before, category.Parent)
}
