package poi

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"quartier/schemas"
)

// set is a set of categories, with bit i for schemas.Categories[i].
type set uint64

func (s set) has(other set) bool { return s&other != 0 }

// ids lists the categories in the order of the vocabulary, separated by commas.
func (s set) ids() string {
	var ids []string
	for ; s != 0; s &= s - 1 {
		ids = append(ids, schemas.Categories[bits.TrailingZeros64(uint64(s))].ID)
	}
	return strings.Join(ids, ",")
}

// categories is the table categories.tsv.
type categories struct {
	closure []set       // a category with all categories that it implies
	base    []int       // index in schemas.BaseCategories, or -1
	label   []string    // name of a POI without a name; "" if it must have one
	byTag   [][2]string // tag and name of a POI without a name, before label
}

func readCategories() (*categories, error) {
	rows, err := readTable("categories.tsv", "id", "implies", "base", "label", "definition")
	if err != nil {
		return nil, err
	}
	n := len(schemas.Categories)
	c := &categories{closure: make([]set, n), base: make([]int, n), label: make([]string, n)}
	implies := make([]set, n)
	for _, row := range rows {
		i, ok := schemas.CategoryIndex(row[0])
		if !ok || c.closure[i] != 0 || row[4] == "" {
			return nil, fmt.Errorf("table categories.tsv: %q is unknown, a duplicate or has no definition", row[0])
		}
		c.closure[i], c.label[i], c.base[i] = 1<<i, row[3], -1
		if implies[i], err = parseSet(row[1]); err != nil {
			return nil, fmt.Errorf("table categories.tsv: %s: %w", row[0], err)
		}
		if row[2] != "" {
			if c.base[i], ok = schemas.BaseCategoryIndex(row[2]); !ok {
				return nil, fmt.Errorf("table categories.tsv: %s: no base category %q", row[0], row[2])
			}
		}
	}
	for i := range c.closure {
		if c.closure[i] == 0 {
			return nil, fmt.Errorf("table categories.tsv: %s is missing", schemas.Categories[i].ID)
		}
	}
	c.close(implies)
	return c, c.readLabels()
}

// close adds to every category what its implied categories imply.
func (c *categories) close(implies []set) {
	for range c.closure { // as many times as the longest possible chain
		for i := range c.closure {
			for s := implies[i]; s != 0; s &= s - 1 {
				c.closure[i] |= c.closure[bits.TrailingZeros64(uint64(s))]
			}
		}
	}
}

func (c *categories) readLabels() error {
	rows, err := readTable("labels.tsv", "tag", "name")
	for _, row := range rows {
		if _, ok := schemas.TagLabel(row[0]); !ok || row[1] == "" {
			return fmt.Errorf("table labels.tsv: no tag %q or no name", row[0])
		}
		c.byTag = append(c.byTag, [2]string{row[0], row[1]})
	}
	return err
}

func parseSet(ids string) (set, error) {
	var s set
	for _, id := range list(ids) {
		i, ok := schemas.CategoryIndex(id)
		if !ok {
			return 0, fmt.Errorf("no category %q", id)
		}
		s |= 1 << i
	}
	return s, nil
}

// mustSet is the set of ids in the source code.
func mustSet(ids ...string) set {
	s, err := parseSet(strings.Join(ids, ","))
	if err != nil {
		panic(err)
	}
	return s
}

// expand adds implied categories.
func (c *categories) expand(s set) set {
	all := s
	for ; s != 0; s &= s - 1 {
		all |= c.closure[bits.TrailingZeros64(uint64(s))]
	}
	return all
}

var healthyPlace, _ = schemas.BaseCategoryIndex("healthy_restaurants")

// baseIDs lists the base categories of a POI with these categories and tags, separated by commas.
func (c *categories) baseIDs(s set, tags []string) string {
	var found uint32
	if s.has(restaurants) && slices.Contains(tags, "healthy") {
		found |= 1 << healthyPlace
	}
	for ; s != 0; s &= s - 1 {
		if base := c.base[bits.TrailingZeros64(uint64(s))]; base >= 0 {
			found |= 1 << base
		}
	}
	var ids []string
	for ; found != 0; found &= found - 1 {
		ids = append(ids, schemas.BaseCategories[bits.TrailingZeros32(found)].ID)
	}
	return strings.Join(ids, ",")
}

// labelOf is the name of a POI that has none; "" if it must have a name.
func (c *categories) labelOf(s set, tags []string) string {
	for ; s != 0; s &= s - 1 {
		label := c.label[bits.TrailingZeros64(uint64(s))]
		if label == "" {
			continue
		}
		for _, named := range c.byTag {
			if slices.Contains(tags, named[0]) {
				return named[1]
			}
		}
		return label
	}
	return ""
}

var (
	restaurants = mustSet("restaurants")
	business    = mustSet("shops_and_services")
	// stops are never merged: two near each other are two.
	stops = mustSet("bus_stops", "tram_stops")
	parks = mustSet("parks")
	// related are groups of categories that publishers distinguish differently: brands and duplicates of one category
	// of a group are also looked up in the others.
	related = []set{
		mustSet("restaurants", "cafes", "nightlife"),
		mustSet("supermarkets", "groceries", "convenience_stores", "department_stores"),
		mustSet("fitness", "sport_facilities", "entertainment"),
	}
	// broadest are categories so broad that two POIs of them have nothing in common.
	broadest = mustSet("shops_and_services", "retail", "common_needs")
	// broad are categories that contain many kinds of shops.
	broad = broadest | mustSet("food_shops", "non_food_shops", "health_care")
)

// kind is the set of specific categories, with related ones.
func kind(s set) set { return withRelated(s &^ broad) }

func withRelated(s set) set {
	for _, k := range related {
		if s.has(k) {
			s |= k
		}
	}
	return s
}
