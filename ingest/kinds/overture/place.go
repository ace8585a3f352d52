package overture

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	addresses "quartier/ingest/address"
	"quartier/ingest/formats/overturenames"
	"quartier/ingest/source"
	"quartier/schemas/staged"
)

// place has the columns of Overture's schema that are read; each may be missing.
type place struct {
	ID    string              `json:"id"`
	Names overturenames.Names `json:"names"`

	Categories struct {
		Primary   string   `json:"primary"`
		Main      string   `json:"main"` // until 2024
		Alternate []string `json:"alternate"`
	} `json:"categories"`
	BasicCategory string `json:"basic_category"`
	Taxonomy      struct {
		Primary    string   `json:"primary"`
		Hierarchy  []string `json:"hierarchy"` // the broadest first
		Alternates []string `json:"alternates"`
	} `json:"taxonomy"`

	Brand struct {
		Names    overturenames.Names `json:"names"`
		Wikidata string              `json:"wikidata"`
	} `json:"brand"`
	Addresses       []address `json:"addresses"`
	Phones          texts     `json:"phones"`
	Websites        texts     `json:"websites"`
	Confidence      *float64  `json:"confidence"` // 0–1
	OperatingStatus string    `json:"operating_status"`
}

type address struct {
	Freeform string `json:"freeform"`
	Locality string `json:"locality"`
	Postcode string `json:"postcode"`
	Region   string `json:"region"`  // ISO 3166-2, sometimes without its country
	Country  string `json:"country"` // ISO 3166-1 alpha-2
}

// texts is a list of texts, or one.
type texts []string

// UnmarshalJSON reads both forms.
func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// decode reads the properties of a place. Programs that know no nested properties, such as ogr2ogr, write them as texts of
// JSON: "names": "{\"primary\": …}".
func (p *place) decode(properties []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(properties, &members); err != nil {
		return err
	}
	nested := false
	for name, value := range members {
		var text string
		if (bytes.HasPrefix(value, []byte(`"{`)) || bytes.HasPrefix(value, []byte(`"[`))) && json.Unmarshal(value, &text) == nil && json.Valid([]byte(text)) {
			members[name], nested = json.RawMessage(text), true
		}
	}
	if nested {
		var err error
		if properties, err = json.Marshal(members); err != nil {
			return err
		}
	}
	return json.Unmarshal(properties, p)
}

// poi returns the staged row.
func (p *place) poi(point orb.Point) source.POI {
	a := p.location()
	return source.POI{
		Key: "overture:" + p.ID, Point: point, Scheme: "overture", Classes: p.classes(),
		Details: staged.Details{
			Name: p.Names.Best(), NameFR: p.Names.Common["fr"], Brand: p.Brand.Names.Best(), BrandWikidata: p.Brand.Wikidata,
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
	all = append(all, p.BasicCategory)
	for i := len(p.Taxonomy.Hierarchy) - 1; i > 0; i-- { // where the others are newer than the program; the broadest says too little
		all = append(all, p.Taxonomy.Hierarchy[i])
	}
	var classes []string
	for _, id := range all {
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
	sum := sha256.Sum256(fmt.Appendf(nil, "%.7f %.7f %s", point[0], point[1], p.Names.Best()))
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
