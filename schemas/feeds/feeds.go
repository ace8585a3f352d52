// Package feeds says what the kinds of sources are read for, so that answers name the sources that they can be made of.
package feeds

import (
	"maps"
	"slices"

	"quartier/schemas"
)

// What sources are read for.
const (
	useGeographies  = "geographies"
	usePOIs         = "pois"
	useScores       = "scores"
	useDemographics = "demographics"
	useSchools      = "schools"
	useAddresses    = "addresses"
)

// feeds are the uses of each kind of source. A kind that is not listed feeds all of them, so that no attribution is lost for a
// new kind. Homes, which scores are taken over, come from the counts of people; places and schools are destinations of scores.
var feeds = map[string][]string{
	"addresses":       {useAddresses},
	"acs":             {useDemographics, useScores, useGeographies},
	"blocks":          {useDemographics, useScores, useGeographies},
	"boundaries":      {useGeographies},
	"brands":          {usePOIs},
	"catchments":      {useSchools},
	"census-profile":  {useDemographics, useScores, useGeographies},
	"cycling-network": {useScores},
	"elevation":       {useScores},
	"gazetteer":       {useGeographies},
	"ground":          {}, // the map alone
	"gtfs":            {useScores},
	"heritage":        {useScores},
	"home-values":     {useDemographics},
	"land-cover":      {useScores},
	"nces":            {useSchools, useScores},
	"odef":            {useSchools, useScores},
	"overture":        {usePOIs, useScores},
	"roads":           {useScores, useDemographics},
	"school-ratings":  {useSchools},
	"schools":         {useSchools, useScores},
	"traffic-counts":  {useScores},
	"transit-lines":   {useScores},
	"zones":           {useDemographics, useScores},
}

// Kinds are the kinds of sources that do not feed everything.
func Kinds() []string { return slices.Sorted(maps.Keys(feeds)) }

// uses are those of the products of agreements; a product that is not listed has all.
var uses = map[string][]string{
	"geographies": {useGeographies}, "pois": {usePOIs}, "scores": {useScores}, "snapshot": {useScores}, "demographics": {useDemographics},
	"typologies": {useScores, useDemographics}, "schools": {useSchools}, "addresses": {useAddresses}, "market_stats": {useGeographies},
}

// Of are the sources that values of products can be made of, in their order.
func Of(sources []schemas.ReleaseSource, products ...string) (list []schemas.ReleaseSource) {
	var wanted []string
	for _, product := range products {
		of, known := uses[product]
		if !known {
			return sources
		}
		wanted = append(wanted, of...)
	}
	for _, s := range sources {
		of, known := feeds[s.Kind]
		if !known || slices.ContainsFunc(of, func(use string) bool { return slices.Contains(wanted, use) }) {
			list = append(list, s)
		}
	}
	return list
}
