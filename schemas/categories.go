package schemas

// Category is a category of POIs in the API.
type Category struct {
	ID    string // lower snake_case
	Label Text
}

// Categories are the 41 categories of the enhanced endpoints, in the order of the API specification. The mapping tables
// of transform/places/poi define which classes belong to each.
var Categories = readVocabulary("categories.tsv", newCategory)

// BaseCategories are the 21 classes of the base endpoint, /v3/pois, in alphabetical order of their ids.
var BaseCategories = readVocabulary("base_categories.tsv", newCategory)

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
