package document

import (
	"slices"
	"strings"

	marketpack "quartier/internal/pack/market"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/addressing"
	"quartier/schemas/demographics"
	markets "quartier/schemas/market"
	"quartier/schemas/place"
	"quartier/serve/endpoint"
	"quartier/serve/mirror"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/product/snapshot"
	trips "quartier/serve/product/travel"
	"quartier/serve/reply"
	"quartier/serve/state"
	"quartier/serve/token"
)

// vocabularies are the words that parameters and answers have, by the name of their component in the document.
func vocabularies() map[string]openapi.Vocabulary {
	all := map[string]openapi.Vocabulary{
		"Category":     categories("Category of the enhanced POI endpoints.", schemas.Categories),
		"BaseCategory": categories("Category of /v3/pois.", schemas.BaseCategories),
		"Score": {Doc: "Location score.",
			Terms: terms(schemas.Scores, func(s schemas.Score) (string, string) { return s.ID, s.Label.EN + ", " + s.Category })},
		"Measure": {Doc: "Location measure, 0 to 5.",
			Terms: terms(schemas.Measures, func(m schemas.Measure) (string, string) { return m.ID, m.Label.EN })},
		"Typology": {Doc: "Class of the built environment.",
			Terms: terms(schemas.TypologyTerms, func(t schemas.Typology) (string, string) { return t.ID, t.Doc })},
		"Level":        {Doc: "Level of a geography.", Number: true, Terms: levelTerms()},
		"Language":     words("Language.", endpoint.Languages...),
		"Country":      words("Country.", schemas.Countries...),
		"DistanceUnit": words("Unit of a distance; a mile is 1609.344 metres.", endpoint.Units...),
		"SnapshotPart": words("Part of a snapshot.", snapshot.Parts()...),

		"SchoolLevel": schoolWords("Level of a school, in English or, in Canada, in French.", schemas.SchoolLevelWord, schemas.SchoolLevels),
		"SchoolType":  schoolWords("Type of a school, in English or, in Canada, in French.", schemas.SchoolTypeWord, schemas.SchoolTypes),

		"DemographicsCategoryName":          attributes("Category of demographics around a point or in a polygon.", demographics.Around),
		"DemographicsVariableName":          variables("Variable of demographics around a point or in a polygon.", demographics.Around),
		"GeographyDemographicsCategoryName": attributes("Category of demographics of a geography.", demographics.ByGeography),
		"GeographyDemographicsVariableName": variables("Variable of demographics of a geography.", demographics.ByGeography),
		"CategoryType":                      words("percent: the values are shares that add up to about 1.", "percent", "standalone"),
		"OpenEnd":                           words("The end at which a bin has no limit.", "upper", "lower"),
		"VariableType":                      words("What a value is.", "count", "percent", "standalone"),

		"TravelMode": words("How one travels; transit begins and ends on foot.", travel.Modes...),
		"TravelDay":  words("A typical day; a Tuesday stands for all working days.", trips.Days...),
		"TravelReason": {Doc: "Why there are no minutes.", Terms: []openapi.Term{
			{ID: "beyond_limit", Doc: "There is no way within the limit."},
			{ID: "no_street", Doc: "No street on which one travels so is near."},
			{ID: "not_covered", Doc: "No region of the release has streets there, or none has those of both places."},
			{ID: "no_timetable", Doc: "One of the places is beyond the ground of timetables: whether there is a way is not known."}}},
		"TravelCoverage": {Doc: "What is known.", Terms: []openapi.Term{
			{ID: "complete", Doc: "All of it."}, {ID: "partial", Doc: "Some of it: one may be faster or get farther."},
			{ID: "none", Doc: "Nothing."}}},
		"TravelMeasure": {Doc: "What is reached from home, by transit or by car.",
			Terms: terms(schemas.TravelMeasures, func(m schemas.TravelMeasure) (string, string) { return m.ID, m.Name.EN })},
		"TravelLegKind": words("What one does: a way along streets by a mode, or a ride.", "walk", "bicycle", "car", "ride"),
		"TravelWait":    words("half_headway: half of the time from a vehicle to the next one.", "half_headway"),
		"ReachPart":     words("What is counted or drawn.", trips.Parts...),

		"PropertyType": words("Type of property. all_residential_properties are single_family, condo_townhome and "+
			"multi_family_under_5_units; residential_income_properties are multi_family_5_plus_units and others that are listed as residential "+
			"income. Of commercial and other_and_unclassified there are counts alone.", markets.TypeNames()...),
		"MarketAssessment": words("Whom a market favours.", marketpack.Assessments[:]...),

		"AddressLevel": {Doc: "How near to a written address a match is, the best first.", Terms: addressLevels()},
		"AddressResult": {Doc: "Level of a match, or that there is not one.", Terms: append(addressLevels(),
			openapi.Term{ID: addressing.Ambiguous, Doc: "Two matches are equally good."},
			openapi.Term{ID: addressing.None, Doc: "Nothing is found."})},
		"AddressChange": words("Part of a written address.", addressing.Changes...),

		"CustomGeographyType": words("Type of a custom geography.", schemas.CustomGeographyTypes...),
		"ProcessingStatus":    processingStatus(),

		"SuccessType":         words("Kind of a successful answer.", schemas.SuccessType),
		"Reason":              reasons(),
		"FailureType":         words("Kind of a failure.", reply.CodePrefix+"ServerError"),
		"GeographiesType":     words("Kind of data.", "geographies"),
		"ScoresType":          words("Kind of data.", "scores"),
		"DemographicsType":    words("Kind of data.", "demographics"),
		"ProfilesType":        words("Kind of data.", "profiles"),
		"TravelTimesType":     words("Kind of data.", "travel_times"),
		"ReachType":           words("Kind of data.", "reach"),
		"StatusType":          words("Kind of data.", "status"),
		"StatusComponentName": words("places: geographies and what is known of them. market: market statistics.", schemas.Places, schemas.Market),
		"GrantType":           words("Kind of grant.", "client_credentials"),
		"Audience":            words("Product that a token is for.", token.AudienceV3, token.AudienceReports),
		"TokenType":           words("Kind of token.", "Bearer"),
		"HealthStatus":        words("The process is alive.", "ok"),
		"ReadinessStatus": words("Only a server that is ready should be sent requests.", "ready", "draining", "verifying", "no release",
			"damaged release", "stale accounts"),
		"AccountsStatus": words("followed: changes are seen within 5 s. late: the accounts could not be read for longer. stale: for "+
			"longer than --max-state-age, and nothing is answered.", "followed", "late", "stale"),
		"StoreStatus": words("followed: what is published is served, or read for that. rolling: all of it was fetched, and waits for its turn. "+
			"After the others the server goes on with what it has, and tries again.", mirror.States...),
		"Component":       words("Component of a release.", schemas.Components...),
		"ComponentStatus": words("Requests that need a damaged component are answered 503.", "served", "damaged"),
		"KeyType":         words("Kind of key.", "OKP"),
		"Curve":           words("Elliptic curve.", "Ed25519"),
		"KeyUse":          words("The keys sign.", "sig"),
		"Algorithm":       words("Algorithm of the signatures.", "EdDSA"),
	}
	all["ProblemCode"] = openapi.Vocabulary{Doc: "Kind of a problem.",
		Terms: terms(reply.ProblemCodes, func(name string) (string, string) { return reply.CodePrefix + name, "" })}
	for name, of := range place.Vocabularies {
		all[name] = words(of.Doc, of.Words...)
	}
	return all
}

func words(doc string, ids ...string) openapi.Vocabulary {
	return openapi.Vocabulary{Doc: doc, Terms: terms(ids, func(id string) (string, string) { return id, "" })}
}

func terms[T any](list []T, term func(T) (id, doc string)) (all []openapi.Term) {
	for _, item := range list {
		id, doc := term(item)
		all = append(all, openapi.Term{ID: id, Doc: doc})
	}
	return all
}

// reasons are why requests are refused.
func reasons() openapi.Vocabulary {
	v := openapi.Vocabulary{Doc: "Why a request is refused with 400 or 422."}
	for _, r := range param.Reasons {
		v.Terms = append(v.Terms, openapi.Term{ID: string(r.Reason), Doc: r.Doc})
	}
	return v
}

// processingStatus is the state of a request for a custom geography.
func processingStatus() openapi.Vocabulary {
	v := openapi.Vocabulary{Doc: "State of a request for a custom geography."}
	for _, s := range state.Statuses {
		v.Terms = append(v.Terms, openapi.Term{ID: string(s.Status), Doc: s.Doc})
	}
	return v
}

// schoolWords are words in English, then in French.
func schoolWords(doc, kind string, english []string) openapi.Vocabulary {
	all := slices.Clone(english)
	for _, word := range english {
		all = append(all, schemas.SchoolWordFR(kind, word))
	}
	return words(doc, all...)
}

func categories(doc string, list []schemas.Category) openapi.Vocabulary {
	return openapi.Vocabulary{Doc: doc, Terms: terms(list, func(c schemas.Category) (string, string) { return c.ID, c.Label.EN })}
}

func attributes(doc string, list []demographics.Category) openapi.Vocabulary {
	return openapi.Vocabulary{Doc: doc, Terms: terms(list, func(c demographics.Category) (string, string) { return c.ID, c.Label("en") })}
}

// variables are the variables of all categories, each once: some are in two categories.
func variables(doc string, list []demographics.Category) openapi.Vocabulary {
	v, seen := openapi.Vocabulary{Doc: doc}, map[string]bool{}
	for c := range list {
		for i := range list[c].Variables {
			variable := &list[c].Variables[i]
			if !seen[variable.ID] {
				v.Terms = append(v.Terms, openapi.Term{ID: variable.ID,
					Doc: list[c].Label("en") + ": " + variable.Label("CA", "en") + countryNote(variable.Country)})
			}
			seen[variable.ID] = true
		}
	}
	return v
}

func countryNote(country string) string {
	if country == "" {
		return ""
	}
	return " (" + country + " only)"
}

func addressLevels() (all []openapi.Term) {
	for _, level := range addressing.Levels {
		all = append(all, openapi.Term{ID: level.ID, Doc: level.Label.EN})
	}
	return all
}

// levelTerms describes levels by what their geographies are called in either country.
func levelTerms() (all []openapi.Term) {
	for i, number := range schemas.LevelNumbers(schemas.Levels) {
		level := schemas.Levels[i]
		names := []string{level.Label("US", "").EN}
		for _, state := range []string{"QC", "YT"} {
			if name := level.Label("CA", state).EN; !strings.Contains(strings.Join(names, " "), name) {
				names = append(names, name)
			}
		}
		all = append(all, openapi.Term{ID: number, Doc: strings.Join(names, ", ")})
	}
	return all
}
