// Package poi computes POIs from staged records: categories, base categories and tags by tables (mapping/*.tsv),
// brands by rules, normalised names and addresses, country and state by coverage, without duplicates. Input:
// staged.poi, staged.brand_rule and staged.correction. Output: derived.poi, derived.brand, derived.poi_merge and derived.poi_correction.
// Of a record there are about 100 bytes in memory, the name by which it is compared among them; the rest is in temporary files.
package poi

import (
	"slices"
	"strings"
	"unicode"

	"github.com/paulmach/orb"

	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/places/normalize"
)

// Record is a row of staged.poi with the priority of its source.
type Record struct {
	Source, Key string
	Priority    int // of the source; 0 is the highest
	Point       orb.Point
	Scheme      string
	Tags        map[string]string // of scheme osm
	Classes     []string          // of other schemes, the primary one first
	Stop        bool              // of a timetable or list of lines: no place where another source has a stop of its kind
	staged.Details
}

// POI is a row of derived.poi.
type POI struct {
	Source, Key string
	Point       orb.Point
	Name        string
	Tags        []string // sorted, without duplicates
	derived.Details

	priority    int
	area        float64 // m², 0: a point
	categories  set
	brands      []Brand
	stop        bool // Record.Stop
	unnamed     bool // Name is a label such as "Bus stop"
	fastFood    bool // the brand is a fast-food chain
	brandsKnown bool // without a brand it is independent
	name        nameKey
}

// Brand is a row of derived.brand.
type Brand struct {
	ID, Name string
	fromRule bool // named by a rule, not by the record
}

// Places locates points.
type Places interface {
	// StateAt is the country and state of a point, 'US' and 'DE'; false if it is outside all known states.
	StateAt(p orb.Point) (country, state string, ok bool)
	// CityAt is the name of the city at a point; "" if there is none.
	CityAt(p orb.Point) string
}

// converter makes POIs of records. It is safe for concurrent use.
type converter struct {
	mapping *Mapping
	brands  *brands
	places  Places
}

// convert returns the POI of a record, or the reason why there is none.
func (cv *converter) convert(r *Record) (p POI, why reason.Reason) {
	class := cv.mapping.Classify(r.Scheme, r.Tags, r.Classes)
	if class.categories == 0 {
		return POI{}, class.reason
	}
	country, state, ok := cv.places.StateAt(r.Point)
	if !ok {
		return POI{}, issue.OutsideCoverage
	}
	p = POI{
		Source: r.Source, Key: r.Key, Point: r.Point, priority: r.Priority, stop: r.Stop, categories: class.categories, Tags: class.tags,
		Details: derived.Details{
			Address: normalize.Address(r.HouseNumber, r.Street, r.Address), Suite: normalize.Space(r.Unit), City: normalize.Space(r.City),
			StateCode: state, PostalCode: normalize.PostalCode(r.PostalCode, country), CountryCode: country,
			Phone: normalize.Phone(r.Phone), URL: normalize.WebAddress(r.URL), Attributes: attributes(r.Attributes),
		},
	}
	if r.AreaM2 != nil {
		p.area = *r.AreaM2
	}
	cv.brands.brand(&p, r, class, cv.mapping)
	if p.Name, p.unnamed = cv.nameOf(r, class); p.Name == "" {
		return POI{}, missingName
	}
	if !p.unnamed {
		p.name = newNameKey(p.Name)
	}
	if p.City == "" {
		p.City = cv.places.CityAt(r.Point)
	}
	return p, reason.Reason{}
}

// nameOf is the record's name. Stops, parks and sport facilities without a name are labelled by their kind, stops
// with their reference number too, and count as unnamed. Other places use their brand, operator or a reference in
// words; "" if they have none of these.
func (cv *converter) nameOf(r *Record, class Class) (name string, unnamed bool) {
	for _, name := range []string{r.Name, r.NameFR} {
		if name = normalize.Space(name); name != "" {
			return name, false
		}
	}
	label := cv.mapping.labelOf(class.categories, class.tags)
	if label != "" {
		if ref := normalize.Space(r.Tags["ref"]); ref != "" && class.categories.has(stops) {
			return label + " " + ref, true
		}
		return label, true
	}
	for _, name := range []string{r.Brand, r.Operator, r.Tags["ref"]} {
		if name = normalize.Space(name); strings.ContainsFunc(name, unicode.IsLower) {
			return name, false
		}
	}
	return "", false
}

// finish adds the tags that depend on all merged records.
func (p *POI) finish() {
	has := func(tag string) bool { return slices.Contains(p.Tags, tag) }
	if p.categories.has(restaurants) {
		if !has("healthy") && (has("fast_food") || p.fastFood) {
			p.Tags = append(p.Tags, "unhealthy")
		}
	} else {
		p.Tags = slices.DeleteFunc(p.Tags, func(tag string) bool { return tag == "healthy" })
	}
	if p.categories.has(business) {
		if len(p.brands) > 0 {
			p.Tags = append(p.Tags, "chain")
		} else if p.brandsKnown {
			p.Tags = append(p.Tags, "independent")
		}
	}
	slices.Sort(p.Tags)
	p.Tags = slices.Compact(p.Tags)
	slices.SortFunc(p.brands, func(a, b Brand) int { return strings.Compare(a.ID, b.ID) })
	p.brands = slices.CompactFunc(p.brands, func(a, b Brand) bool { return a.ID == b.ID })
}

// mergeFrom fills the missing attributes of p from another record of the same place. Categories, tags and brands are
// united; address and suite are taken together.
func (p *POI) mergeFrom(other *POI) {
	if p.unnamed && !other.unnamed {
		p.Name, p.name, p.unnamed = other.Name, other.name, false
	}
	p.mergeDetails(other.Details)
	p.categories |= other.categories
	p.Tags = append(slices.Clip(p.Tags), other.Tags...)
	if len(p.brands) == 0 {
		p.brands = other.brands
	}
	p.fastFood = p.fastFood || other.fastFood
	p.brandsKnown = p.brandsKnown || other.brandsKnown
}

// mergeDetails fills the missing details of p. A suite belongs to its address.
func (p *POI) mergeDetails(other derived.Details) {
	if p.Address == "" && other.Address != "" {
		p.Suite = other.Suite
	}
	suite, i := p.Suite, 0
	var texts []string
	sqlrow.Texts(&other, func(_ string, text *string) { texts = append(texts, *text) })
	sqlrow.Texts(&p.Details, func(_ string, text *string) {
		if *text == "" {
			*text = texts[i]
		}
		i++
	})
	p.Suite = suite
}

// sameText reports whether two texts are equal without case, accents and punctuation; false if one is empty.
func sameText(a, b string) bool { return a != "" && b != "" && normalize.Name(a) == normalize.Name(b) }
