package overture

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/paulmach/orb"

	addresses "quartier/ingest/address"
	"quartier/ingest/formats/overturenames"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
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
	BasicCategory string   `json:"basic_category"`
	Taxonomy      struct { // from schema 2.0 on in place of categories
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
	Sources         []origin  `json:"sources"`
}

// origin is a data set from which a place or a property of it is.
type origin struct {
	Property   string   `json:"property"` // "": the place
	Dataset    string   `json:"dataset"`
	Confidence *float64 `json:"confidence"` // 0–1
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
	if !bytes.Contains(properties, []byte(`"{`)) && !bytes.Contains(properties, []byte(`"[`)) {
		return json.Unmarshal(properties, p)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(properties, &members); err != nil {
		return err
	}
	nested := false
	for name, value := range members {
		var text string
		if (bytes.HasPrefix(value, []byte(`"{`)) || bytes.HasPrefix(value, []byte(`"[`))) && json.Unmarshal(value, &text) == nil &&
			json.Valid([]byte(text)) {
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

// primary returns the primary category and the further ones, those of taxonomy before those of categories.
func (p *place) primary() (id string, further []string) {
	if p.Taxonomy.Primary != "" {
		return p.Taxonomy.Primary, p.Taxonomy.Alternates
	}
	return cmp.Or(p.Categories.Primary, p.Categories.Main), p.Categories.Alternate
}

// classes returns the category ids without duplicates, the primary one first. Where that is not in Overture's lists, the
// categories above it follow, the narrowest first and without the broadest, which says too little, and at last the basic
// category.
func (p *place) classes() []string {
	id, further := p.primary()
	all := []string{id}
	known := schemas.KnownPlaceClass("overture", id)
	for i := len(p.Taxonomy.Hierarchy) - 1; i > 0 && !known; i-- {
		all = append(all, p.Taxonomy.Hierarchy[i])
	}
	all = append(all, further...)
	if !known {
		all = append(all, p.BasicCategory)
	}
	var classes []string
	for _, id := range all {
		if id != "" && !slices.Contains(classes, id) {
			classes = append(classes, id)
		}
	}
	return classes
}

var snakeCase = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// fault returns why a place is not as schema 2.0 requires, if it is not. Some published ids have blanks.
func (p *place) fault() reason.Reason {
	switch p.OperatingStatus {
	case "", "open", "permanently_closed", "temporarily_closed":
	default:
		return invalidStatus
	}
	t := p.Taxonomy
	if (t.Primary != "" || len(t.Hierarchy) > 0 || len(t.Alternates) > 0) && (t.Primary == "" || len(t.Hierarchy) == 0) {
		return incompleteTaxonomy
	}
	for _, id := range slices.Concat([]string{t.Primary, p.BasicCategory}, t.Alternates, t.Hierarchy) {
		if id != "" && !snakeCase.MatchString(id) && !schemas.KnownPlaceClass("overture", id) {
			return invalidCategory
		}
	}
	return reason.Reason{}
}

// confidence is that of the place, else that of its source; nil if neither has one.
func (p *place) confidence() *float64 {
	if p.Confidence == nil {
		for _, o := range p.Sources {
			if o.Property == "" && o.Confidence != nil {
				return o.Confidence
			}
		}
	}
	return p.Confidence
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
