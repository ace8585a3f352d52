package schemas

import (
	"slices"
	"sync"
)

// OvertureCategory is an id of Overture's categories of places. Overture has published three lists of them: until 2025
// (the column categories), of December 2025 and of March 2026 (the column taxonomy); and basic categories beside each.
type OvertureCategory struct {
	ID     string
	Parent string // the broader category; "": none
	Before string // the category of the list until 2025 with the same places, or most of them; "": itself, or none
}

// OvertureCategories are the ids of all lists, sorted. vocabulary/overture.tsv is made of Overture's tables by a test of
// transform/places/poi.
var OvertureCategories = sync.OnceValue(func() []OvertureCategory {
	return readVocabulary("overture.tsv", func(c []string) OvertureCategory { return OvertureCategory{c[0], c[1], c[2]} })
})

var overtureIndex = sync.OnceValue(func() map[string]int {
	return indexBy(OvertureCategories(), func(c OvertureCategory) string { return c.ID })
})

// FindOvertureCategory returns the category of an id; false if no list has it.
func FindOvertureCategory(id string) (OvertureCategory, bool) {
	return find(OvertureCategories(), overtureIndex(), id)
}

// KnownPlaceClass reports whether the list of classes of a scheme has a class: Overture's categories, or our own
// categories, tags and classes of schools. OpenStreetMap has no list, and all is known.
func KnownPlaceClass(scheme, class string) bool {
	switch scheme {
	case "overture":
		_, known := FindOvertureCategory(class)
		return known
	case "quartier":
		_, category := CategoryIndex(class)
		_, tag := TagLabel(class)
		return category || tag || slices.Contains(SchoolClasses, class)
	}
	return true
}
