package schemas

import "slices"

// Level is the rank of a geography, by its number in the API specification.
type Level int

// The levels, smallest to largest.
const (
	Neighbourhood     Level = 10
	Borough           Level = 20
	Municipality      Level = 30
	PostalArea        Level = 32
	CountySubdivision Level = 35
	County            Level = 37
	Region            Level = 38
	Metro             Level = 40
	State             Level = 60
	Country           Level = 70
)

// Levels lists every level, smallest to largest.
var Levels = []Level{Neighbourhood, Borough, Municipality, PostalArea, CountySubdivision, County, Region, Metro, State, Country}

// Text is a phrase in both of the API's languages.
type Text struct {
	EN string `json:"en"`
	FR string `json:"fr"`
}

// In returns the phrase in lang, "fr" or anything else for English.
func (t Text) In(lang string) string {
	if lang == "fr" {
		return t.FR
	}
	return t.EN
}

// Valid reports whether l is one of Levels.
func (l Level) Valid() bool {
	return slices.Contains(Levels, l)
}

// Label is the level_type of a geography of level l in a country, "CA" or "US". At level 60 it depends on the code of the
// state, because Canada has provinces and territories.
func (l Level) Label(country, state string) Text {
	canada := country == "CA"
	switch l {
	case Neighbourhood:
		return Text{"neighbourhood", "quartier"}
	case Borough:
		return Text{"borough", "arrondissement"}
	case Municipality:
		return Text{"municipality", "municipalité"}
	case PostalArea:
		if canada {
			return Text{"forward sortation area", "région de tri d'acheminement"}
		}
		return Text{"zip code", "code postal"}
	case CountySubdivision:
		return Text{"county subdivision", "subdivision de comté"}
	case County:
		if canada {
			return Text{"census division", "division de recensement"}
		}
		return Text{"county", "comté"}
	case Region:
		return Text{"region", "région"}
	case Metro:
		return Text{"metro area", "région métropolitaine"}
	case State:
		switch {
		case canada && (state == "YT" || state == "NT" || state == "NU"):
			return Text{"territory", "territoire"}
		case canada:
			return Text{"province", "province"}
		}
		return Text{"state", "État"}
	case Country:
		return Text{"country", "pays"}
	}
	return Text{}
}
