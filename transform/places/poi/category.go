package poi

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"quartier/schemas"
)

// set is a set of categories, a bit for each by its place in schemas.Categories.
type set uint64

func (s set) has(other set) bool { return s&other != 0 }

// ids is the comma list of the categories in the vocabulary's order.
func (s set) ids() string {
	var ids []string
	for ; s != 0; s &= s - 1 {
		ids = append(ids, schemas.Categories[bits.TrailingZeros64(uint64(s))].ID)
	}
	return strings.Join(ids, ",")
}

// categories is the table categories.tsv.
type categories struct {
	closure  []set       // a category with all that it implies
	base     []int       // its place in schemas.BaseCategories, or -1
	nameless []string    // the name of one without a name; "" where it must have one
	byTag    [][2]string // tag and name of one without a name that has a nameless category
}

func readCategories() (*categories, error) {
	rows, err := readTable("categories.tsv", "id", "implies", "base", "nameless", "definition")
	if err != nil {
		return nil, err
	}
	n := len(schemas.Categories)
	c := &categories{closure: make([]set, n), base: make([]int, n), nameless: make([]string, n)}
	implies := make([]set, n)
	for _, row := range rows {
		i, ok := schemas.CategoryIndex(row[0])
		if !ok || c.closure[i] != 0 || row[4] == "" {
			return nil, fmt.Errorf("table categories.tsv: %q is unknown, repeated or not defined", row[0])
		}
		c.closure[i], c.nameless[i], c.base[i] = 1<<i, row[3], -1
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
	return c, c.readNameless()
}

// close adds to every category what the ones that it implies imply.
func (c *categories) close(implies []set) {
	for range c.closure { // as often as the longest chain may be
		for i := range c.closure {
			for s := implies[i]; s != 0; s &= s - 1 {
				c.closure[i] |= c.closure[bits.TrailingZeros64(uint64(s))]
			}
		}
	}
}

func (c *categories) readNameless() error {
	rows, err := readTable("nameless.tsv", "tag", "name")
	for _, row := range rows {
		if _, ok := schemas.TagLabel(row[0]); !ok || row[1] == "" {
			return fmt.Errorf("table nameless.tsv: no tag %q or no name", row[0])
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

// mustSet is the set of ids that the program itself names.
func mustSet(ids ...string) set {
	s, err := parseSet(strings.Join(ids, ","))
	if err != nil {
		panic(err)
	}
	return s
}

// expand adds what the categories imply.
func (c *categories) expand(s set) set {
	all := s
	for ; s != 0; s &= s - 1 {
		all |= c.closure[bits.TrailingZeros64(uint64(s))]
	}
	return all
}

var healthyPlace, _ = schemas.BaseCategoryIndex("healthy_restaurants")

// baseIDs is the comma list of base categories of a POI with these categories and tags.
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

// label is the name of a POI without one; "" where it must have a name.
func (c *categories) label(s set, tags []string) string {
	for ; s != 0; s &= s - 1 {
		label := c.nameless[bits.TrailingZeros64(uint64(s))]
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
	// stops are places of which two near each other are still two.
	stops = mustSet("bus_stops", "tram_stops")
	parks = mustSet("parks")
	// kin are kinds of place that publishers do not tell apart alike: what holds for one holds for the others where
	// brands and records of the same place are looked for.
	kin = []set{
		mustSet("restaurants", "cafes", "nightlife"),
		mustSet("supermarkets", "groceries", "convenience_stores", "department_stores"),
		mustSet("fitness", "sport_facilities", "entertainment"),
	}
	// sums are categories so wide that sharing one says nothing.
	sums = mustSet("shops_and_services", "retail", "common_needs")
	// broad are categories that hold many kinds of shop.
	broad = sums | mustSet("food_shops", "non_food_shops", "health_care")
)

// kind is the set of categories that say what kind of place it is, with their kin.
func kind(s set) set { return withKin(s &^ broad) }

func withKin(s set) set {
	for _, k := range kin {
		if s.has(k) {
			s |= k
		}
	}
	return s
}
