package account

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"quartier/schemas"
)

// DefaultRate is the number of requests a second that an agreement allows unless it says otherwise.
const DefaultRate = 50

// Products are the parts of the API that an agreement can name.
var Products = []string{
	"geographies", "pois", "profiles", "scores", "demographics", "market_stats", "typologies", "schools", "snapshot",
}

// Scores are the 18 location scores that an agreement can name.
var Scores = []string{
	"pedestrian_friendly", "cycling_friendly", "transit_friendly", "car_friendly",
	"groceries", "shopping", "cafes", "restaurants", "nightlife",
	"high_schools", "primary_schools", "daycares", "quiet", "historic", "vibrant", "parks", "greenery", "wellness",
}

// Agreement is what a client may ask for. What it does not allow is refused.
type Agreement struct {
	Products          []string `json:"products"`           // names out of Products
	Scores            []string `json:"scores"`             // names out of Scores
	Regions           []string `json:"regions"`            // "CA", "US" or "US_OR"; empty: Canada and the United States
	CustomGeographies bool     `json:"custom_geographies"` // may manage private geographies
	Rate              int      `json:"rate"`               // requests a second
}

// AllowsProduct reports whether the agreement covers a product.
func (a *Agreement) AllowsProduct(product string) bool { return slices.Contains(a.Products, product) }

// AllowsScore reports whether the agreement covers a location score.
func (a *Agreement) AllowsScore(score string) bool { return slices.Contains(a.Scores, score) }

// Unrestricted reports whether the agreement covers every region.
func (a *Agreement) Unrestricted() bool { return len(a.Regions) == 0 }

// AllowsRegion reports whether a place in the state or province region ("US_OR") is covered.
func (a *Agreement) AllowsRegion(region string) bool {
	if a.Unrestricted() {
		return true
	}
	country, _, _ := strings.Cut(region, "_")
	for _, allowed := range a.Regions {
		if allowed == region || allowed == country {
			return true
		}
	}
	return false
}

// normalise checks the names, fills defaults (all products, all scores, DefaultRate) and sorts the lists.
func (a Agreement) normalise() (Agreement, error) {
	var err error
	if a.Products, err = chosen("product", a.Products, Products); err != nil {
		return a, err
	}
	if a.Scores, err = chosen("score", a.Scores, Scores); err != nil {
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
	if a.Rate < 1 {
		return a, fmt.Errorf("%w: a rate of %d requests a second", ErrBadAgreement, a.Rate)
	}
	return a, nil
}

// chosen returns the asked names in vocabulary order, all of them when none was asked for.
func chosen(what string, asked, vocabulary []string) ([]string, error) {
	if len(asked) == 0 {
		return slices.Clone(vocabulary), nil
	}
	for _, name := range asked {
		if !slices.Contains(vocabulary, name) {
			return nil, fmt.Errorf("%w: no %s is called %q; there are: %s", ErrBadAgreement, what, name, strings.Join(vocabulary, ", "))
		}
	}
	var out []string
	for _, name := range vocabulary {
		if slices.Contains(asked, name) {
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
