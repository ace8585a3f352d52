package account

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"quartier/schemas"
)

// The defaults of an agreement.
const (
	DefaultRate         = 50
	DefaultOpenRequests = 1000
)

// Products are the parts of the API that an agreement can include.
var Products = []string{
	"geographies", "pois", "profiles", "scores", "demographics", "market_stats", "typologies", "schools", "snapshot", "addresses", Travel,
}

// Travel is the product of travel times. Agreements that were made before it was there do not have it: their products are written
// in them.
const Travel = "travel"

// Scores are the location scores that an agreement can include.
var Scores = schemas.ScoreIDs()

// Agreement is what a client may request. Everything else is refused.
type Agreement struct {
	Products          []string `json:"products"`           // of Products
	Scores            []string `json:"scores"`             // of Scores
	Regions           []string `json:"regions"`            // "CA", "US" or "US_OR"; empty: Canada and the United States
	CustomGeographies bool     `json:"custom_geographies"` // may manage private geographies
	Rate              int      `json:"rate"`               // requests per second, an allowance that the credentials of a customer share
	// custom geographies of the customer that may wait for their publication; 0: DefaultOpenRequests
	OpenRequests int `json:"open_requests"`
}

// CustomGeographies is the product of the endpoints of custom geographies, which Agreement.CustomGeographies enables.
const CustomGeographies = "custom_geographies"

// Status and Tiles are the products of /v3/status and of map tiles, which every agreement covers.
const Status, Tiles = "status", "tiles"

// AllowsProduct reports whether the agreement covers a product.
func (a *Agreement) AllowsProduct(product string) bool {
	return product == Status || product == Tiles || product == CustomGeographies && a.CustomGeographies || slices.Contains(a.Products, product)
}

// MostOpen is OpenRequests with its default, which agreements that were made without it have.
func (a *Agreement) MostOpen() int { return cmp.Or(a.OpenRequests, DefaultOpenRequests) }

// AllowsScore reports whether the agreement covers a location score.
func (a *Agreement) AllowsScore(score string) bool { return slices.Contains(a.Scores, score) }

// Unrestricted reports whether the agreement covers every region.
func (a *Agreement) Unrestricted() bool { return len(a.Regions) == 0 }

// normalise validates the agreement, fills in defaults (all products, all scores, DefaultRate) and sorts the lists.
func (a Agreement) normalise() (Agreement, error) {
	var err error
	if a.Products, err = selected("product", a.Products, Products); err != nil {
		return a, err
	}
	if a.Scores, err = selected("score", a.Scores, Scores); err != nil {
		return a, err
	}
	regions := slices.Clone(a.Regions)
	for _, r := range regions {
		if !validRegion(r) {
			return a, fmt.Errorf("%w: region %q is not of the form CA, US or US_OR", ErrBadAgreement, r)
		}
	}
	sort.Strings(regions)
	a.Regions = slices.Compact(regions)
	if a.Rate == 0 {
		a.Rate = DefaultRate
	}
	a.OpenRequests = a.MostOpen()
	if a.OpenRequests < 1 {
		return a, fmt.Errorf("%w: %d open requests", ErrBadAgreement, a.OpenRequests)
	}
	if a.Rate < 1 {
		return a, fmt.Errorf("%w: a rate of %d requests per second", ErrBadAgreement, a.Rate)
	}
	return a, nil
}

// selected returns the given names in the order of the vocabulary, or all of it if none is given.
func selected(what string, names, vocabulary []string) ([]string, error) {
	if len(names) == 0 {
		return slices.Clone(vocabulary), nil
	}
	for _, name := range names {
		if !slices.Contains(vocabulary, name) {
			return nil, fmt.Errorf("%w: unknown %s %q; the known ones are: %s", ErrBadAgreement, what, name, strings.Join(vocabulary, ", "))
		}
	}
	var out []string
	for _, name := range vocabulary {
		if slices.Contains(names, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

func validRegion(r string) bool {
	country, state, split := strings.Cut(r, "_")
	if !split {
		return country == "CA" || country == "US"
	}
	_, known := schemas.StateName(country, state)
	return known
}
