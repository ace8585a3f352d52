package schemas

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Category is a category of POIs in the API.
type Category struct {
	ID    string // lower snake_case
	Label Text
}

// Categories are the 41 categories of the enhanced endpoints, in the order of the API specification. The mapping tables
// of transform/places/poi define which classes belong to each.
var Categories = ReadVocabulary("categories.tsv", newCategory)

// BaseCategories are the 21 classes of the base endpoint, /v3/pois, in alphabetical order of their ids.
var BaseCategories = ReadVocabulary("base_categories.tsv", newCategory)

func newCategory(c []string) Category { return Category{c[0], Text{c[1], c[2]}} }

var (
	categoryIndex     = indexBy(Categories, Category.id)
	baseCategoryIndex = indexBy(BaseCategories, Category.id)
)

func (c Category) id() string { return c.ID }

// CategoryIDs are the ids of a list of categories.
func CategoryIDs(list []Category) []string {
	var ids []string
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// CategoryIndex is the index of an id in Categories; false if there is no such category.
func CategoryIndex(id string) (int, bool) {
	i, ok := categoryIndex[id]
	return i, ok
}

// BaseCategoryIndex is the index of an id in BaseCategories; false if there is no such category.
func BaseCategoryIndex(id string) (int, bool) {
	i, ok := baseCategoryIndex[id]
	return i, ok
}

// CategorySynonym is another word for a class of places, as publishers write it.
type CategorySynonym struct{ Synonym, Class string }

// CategorySynonyms are in alphabetical order.
var CategorySynonyms = ReadVocabulary("category_synonyms.tsv", func(c []string) CategorySynonym { return CategorySynonym{c[0], c[1]} })

// PlaceClasses are the classes of places of scheme 'quartier': the ids of categories, and the classes of schools.
func PlaceClasses() []string { return slices.Concat(CategoryIDs(Categories), SchoolClasses) }

// PlaceClass returns the class that a word is or means; false if it is neither. Case, spaces and dashes do not matter.
func PlaceClass(word string) (class string, known bool) {
	word = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(word)))
	if slices.Contains(PlaceClasses(), word) {
		return word, true
	}
	for _, s := range CategorySynonyms {
		if s.Synonym == word {
			return s.Class, true
		}
	}
	return "", false
}

// NearestPlaceClasses returns the three classes that are spelled most like a word, those of similar synonyms included.
func NearestPlaceClasses(word string) []string {
	type candidate struct {
		class string
		edits int
	}
	var list []candidate
	for _, class := range PlaceClasses() {
		list = append(list, candidate{class, edits(word, class)})
	}
	for _, s := range CategorySynonyms {
		list = append(list, candidate{s.Class, edits(word, s.Synonym)})
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.class, b.class)) })
	var nearest []string
	for _, c := range list {
		if !slices.Contains(nearest, c.class) && len(nearest) < 3 {
			nearest = append(nearest, c.class)
		}
	}
	return nearest
}

// edits is the number of letters to insert, remove or replace to make b of a: parc becomes parks with 2.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// Tag is a property of a POI in addition to its categories, such as its cuisine, "chain" or "healthy".
type Tag struct {
	ID    string // lower snake_case
	Label Text
}

// Tags are all tags, sorted by id.
var Tags = ReadVocabulary("tags.tsv", func(c []string) Tag { return Tag{c[0], Text{c[1], c[2]}} })

// TagLabel is the label of a tag by its id; false if there is no such tag.
func TagLabel(id string) (Text, bool) {
	tag, ok := find(Tags, tagIndex, id)
	return tag.Label, ok
}

var tagIndex = indexBy(Tags, func(t Tag) string { return t.ID })

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
	return ReadVocabulary("overture.tsv", func(c []string) OvertureCategory { return OvertureCategory{c[0], c[1], c[2]} })
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
