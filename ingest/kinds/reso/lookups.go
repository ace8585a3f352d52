package reso

import "quartier/schemas/market"

// statuses are the values of StandardStatus by their folded text, with other spellings and common words of MlsStatus.
var statuses = map[string]market.Status{
	"active":              market.StatusActive,
	"activeundercontract": market.StatusUnderContract,
	"contingent":          market.StatusUnderContract,
	"pending":             market.StatusPending,
	"closed":              market.StatusClosed,
	"sold":                market.StatusClosed,
	"hold":                market.StatusHold,
	"withdrawn":           market.StatusWithdrawn,
	"canceled":            market.StatusCanceled,
	"cancelled":           market.StatusCanceled,
	"expired":             market.StatusExpired,
	"comingsoon":          market.StatusComingSoon,
	"incomplete":          market.StatusIncomplete,
	"delete":              market.StatusDelete,
	"deleted":             market.StatusDelete,
}

// group is what PropertyType says.
type group int

const (
	noGroup group = iota
	residential
	income
	land
	commercial
	otherGroup
	lease
)

// groups are the values of PropertyType.
var groups = map[string]group{
	"residential":         residential,
	"residentialincome":   income,
	"land":                land,
	"commercialsale":      commercial,
	"commercial":          commercial,
	"businessopportunity": commercial,
	"farm":                otherGroup,
	"manufacturedinpark":  otherGroup,
	"residentiallease":    lease,
	"commerciallease":     lease,
}

// homes are the values of PropertySubType that are homes.
var homes = map[string]market.PropertyType{
	"singlefamilyresidence": market.SingleFamily,
	"cabin":                 market.SingleFamily,
	"manufacturedonland":    market.SingleFamily,
	"condominium":           market.CondoTownhome,
	"townhouse":             market.CondoTownhome,
	"apartment":             market.CondoTownhome,
	"stockcooperative":      market.CondoTownhome,
	"coownership":           market.CondoTownhome,
	"ownyourown":            market.CondoTownhome,
	"tenancyincommon":       market.CondoTownhome,
	"duplex":                market.MultiFamilyUnder5,
	"triplex":               market.MultiFamilyUnder5,
	"quadruplex":            market.MultiFamilyUnder5,
}

// subGroups are the values of PropertySubType that are no homes, for records without a PropertyType.
var subGroups = map[string]group{
	"unimprovedland": land,
	"land":           land,
	"business":       commercial,
	"office":         commercial,
	"retail":         commercial,
	"industrial":     commercial,
	"warehouse":      commercial,
	"hotelmotel":     commercial,
	"mixeduse":       commercial,
}

// otherSubTypes are the remaining values of PropertySubType.
var otherSubTypes = map[string]bool{
	"agriculture": true, "boatslip": true, "deededparking": true, "farm": true, "manufacturedhome": true, "manufacturedinpark": true,
	"mobilehome": true, "multifamily": true, "ranch": true, "timeshare": true,
}

// fewUnits are the units of a multi-family home that is not among those of five and more.
const (
	fewUnits  = 2
	manyUnits = 5
)

// classify returns the type of a property by group, folded sub-type and number of units (0: not known), and whether it is
// listed as residential income. PropertyType beats sub-type where both speak, and five units or more beat both
// (docs/methods.md, market statistics).
//
//	Residential, Duplex                → multi-family under 5 units
//	Residential, MultiFamily, 3 units  → multi-family under 5 units
//	Land, SingleFamilyResidence        → vacant land
//	ResidentialIncome, without units   → other, residential income
func classify(g group, subType string, units int) (t market.PropertyType, isIncome bool) {
	if units >= manyUnits {
		return market.MultiFamily5Plus, g == income
	}
	if g == noGroup {
		g = subGroups[subType]
	}
	switch g {
	case land:
		return market.VacantLand, false
	case commercial:
		return market.Commercial, false
	case otherGroup:
		return market.Other, false
	}
	home, known := homes[subType]
	few := units >= fewUnits && (subType == "multifamily" || g == income)
	switch {
	case few || home == market.MultiFamilyUnder5:
		return market.MultiFamilyUnder5, false
	case g == income:
		return market.Other, true
	case known:
		return home, false
	}
	return market.Other, false
}
