package transform

import (
	"slices"

	"quartier/schemas/reason"
	"quartier/transform/addresses"
	"quartier/transform/issue"
	"quartier/transform/jobs"
	"quartier/transform/market"
	"quartier/transform/measures/terrain"
	"quartier/transform/network/destination"
	"quartier/transform/network/street"
	"quartier/transform/network/traffic"
	"quartier/transform/people/demography"
	"quartier/transform/people/home"
	"quartier/transform/places/geography"
	"quartier/transform/places/poi"
	"quartier/transform/places/schools"
	"quartier/transform/travel"
)

// Reasons lists why each step skips or repairs staged rows. A new step adds its list here.
func Reasons() []reason.Raiser {
	with := func(own reason.List, shared ...reason.Reason) []reason.Reason {
		return append(slices.Clone(own), shared...)
	}
	return []reason.Raiser{
		{Name: "geography", Reasons: with(geography.Reasons, issue.OutsideCoverage, issue.NoInteriorPoint, issue.CorrectionApplied,
			issue.CorrectionWithoutPlace)},
		{Name: "demography", Reasons: with(demography.Reasons, issue.OutsideCoverage, issue.NoInteriorPoint, issue.DuplicateKey)},
		{Name: "poi", Reasons: with(poi.Reasons, issue.OutsideCoverage, issue.DuplicateKey, issue.CorrectionApplied,
			issue.CorrectionWithoutPlace)},
		{Name: "schools", Reasons: with(schools.Reasons, issue.OutsideCoverage)},
		{Name: "addresses", Reasons: with(addresses.Reasons, issue.OutsideCoverage)},
		{Name: "jobs", Reasons: with(jobs.Reasons, issue.NoInteriorPoint, issue.DuplicateKey)},
		{Name: "street", Reasons: street.Reasons},
		{Name: "access", Reasons: with(destination.Reasons, issue.NoStreet)},
		{Name: "home", Reasons: with(home.Reasons, issue.NoInteriorPoint, issue.NoStreet)},
		{Name: "traffic", Reasons: traffic.Reasons},
		{Name: "terrain", Reasons: terrain.Reasons},
		{Name: "travel", Reasons: travel.Reasons},
		{Name: "market", Reasons: market.Reasons},
	}
}
