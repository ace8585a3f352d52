package transform

import (
	"quartier/schemas/reason"
	"quartier/transform/issue"
	"quartier/transform/places/geography"
	"quartier/transform/places/poi"
)

// Reasons lists why each step skips or repairs staged rows. A new step adds its list here.
func Reasons() []reason.Raiser {
	return []reason.Raiser{
		{Name: "geography", Reasons: append(geography.Reasons[:len(geography.Reasons):len(geography.Reasons)], issue.OutsideCoverage, issue.NoInteriorPoint)},
		{Name: "poi", Reasons: append(poi.Reasons[:len(poi.Reasons):len(poi.Reasons)], issue.OutsideCoverage, issue.DuplicateKey)},
	}
}
