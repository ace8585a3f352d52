package overture

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	addresses "quartier/ingest/address"
	"quartier/ingest/source"
	"quartier/schemas/staged"
)

// place has the columns of Overture's schema that are read; each may be missing.
type place struct {
	ID    string `json:"id"`
	Names names  `json:"names"`

	Categories struct {
		Primary   string   `json:"primary"`
		Main      string   `json:"main"` // until 2024
		Alternate []string `json:"alternate"`
	} `json:"categories"`
	BasicCategory string `json:"basic_category"`
	Taxonomy      struct {
		Primary    string   `json:"primary"`
		Alternates []string `json:"alternates"`
	} `json:"taxonomy"`

	Brand struct {
		Names    names  `json:"names"`
		Wikidata string `json:"wikidata"`
	} `json:"brand"`
	Addresses       []address `json:"addresses"`
	Phones          []string  `json:"phones"`
	Websites        []string  `json:"websites"`
	Confidence      *float64  `json:"confidence"` // 0–1
	OperatingStatus string    `json:"operating_status"`
}

type names struct {
	Primary string `json:"primary"`
	Common  common `json:"common"`
}

type address struct {
	Freeform string `json:"freeform"`
	Locality string `json:"locality"`
	Postcode string `json:"postcode"`
	Region   string `json:"region"`  // ISO 3166-2, sometimes without its country
	Country  string `json:"country"` // ISO 3166-1 alpha-2
}

// common maps a language to a name. Releases until 2023 have a list of values with their language instead.
type common map[string]string

// UnmarshalJSON reads both forms.
func (c *common) UnmarshalJSON(data []byte) error {
	var list []struct {
		Value    string `json:"value"`
		Language string `json:"language"`
	}
	if json.Unmarshal(data, &list) == nil {
		*c = common{}
		for _, name := range list {
			if (*c)[name.Language] == "" {
				(*c)[name.Language] = name.Value
			}
		}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(c))
}

// best returns the name on the sign: primary, else the English, the local or the first common name.
func (n names) best() string {
	if n.Primary != "" || len(n.Common) == 0 {
		return n.Primary
	}
	first := slices.Sorted(maps.Keys(n.Common))[0]
	return cmp.Or(n.Common["en"], n.Common["local"], n.Common[first])
}

// poi returns the staged row.
func (p *place) poi(point orb.Point) source.POI {
	a := p.location()
	return source.POI{
		Key: "overture:" + p.ID, Point: point, Scheme: "overture", Classes: p.classes(),
		Details: staged.Details{
			Name: p.Names.best(), NameFR: p.Names.Common["fr"], Brand: p.Brand.Names.best(), BrandWikidata: p.Brand.Wikidata,
			Address: a.Freeform, City: a.Locality, StateCode: addresses.State(a.Region), PostalCode: a.Postcode,
			CountryCode: a.Country, Phone: first(p.Phones), URL: first(p.Websites), Confidence: p.Confidence,
		},
	}
}

// classes returns the category ids without duplicates, the primary one first.
func (p *place) classes() []string {
	all := append([]string{p.Categories.Primary, p.Categories.Main}, p.Categories.Alternate...)
	if strings.Join(all, "") == "" {
		all = append([]string{p.Taxonomy.Primary}, p.Taxonomy.Alternates...)
	}
	var classes []string
	for _, id := range append(all, p.BasicCategory) {
		if id != "" && !slices.Contains(classes, id) {
			classes = append(classes, id)
		}
	}
	return classes
}

// location returns the first address; empty if there is none.
func (p *place) location() address {
	if len(p.Addresses) == 0 {
		return address{}
	}
	return p.Addresses[0]
}

// ownID returns an id for a place without one, which depends on name and position only.
func (p *place) ownID(point orb.Point) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%.7f %.7f %s", point[0], point[1], p.Names.best()))
	return fmt.Sprintf("x%x", sum[:8])
}

func first(list []string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
