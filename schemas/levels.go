package schemas

import (
	"slices"
	"strconv"
)

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

// LevelNumbers lists levels as parameters write them.
func LevelNumbers(levels []Level) []string {
	var numbers []string
	for _, level := range levels {
		numbers = append(numbers, strconv.Itoa(int(level)))
	}
	return numbers
}

// MaxGeogID is the maximum length of a geog_id, in characters.
const MaxGeogID = 36

// LevelOfGeogID is the level in a geog_id, g<level>_ and at least one more character; false where id has another form or
// is longer than MaxGeogID.
func LevelOfGeogID(id string) (level Level, ok bool) {
	if len(id) > MaxGeogID || len(id) < len("g10_x") || id[0] != 'g' || id[3] != '_' {
		return 0, false
	}
	tens, ones := int(id[1])-'0', int(id[2])-'0'
	level = Level(10*tens + ones)
	return level, ones >= 0 && ones <= 9 && level.Valid()
}

// Text is a phrase in both of the API's languages.
type Text struct {
	EN string `json:"en" doc:"In English."`
	FR string `json:"fr" doc:"In French."`
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
