package schemas

import "strconv"

// A channel is one number on the 0–5 scale per node of the walking network, stored as uint16 ten-thousandths. The measures
// come first, then the scores, in the order of the API specification.

// Measure is one of the location measures of the snapshot. Higher means more reachable, closer, noisier, steeper.
type Measure struct {
	ID    string
	Score string // id of the score that is this measure, under another name; "" if there is none
	Label Text   // what it is
}

// Measures are the location measures, in the order of the API specification.
var Measures = ReadVocabulary("measures.tsv", func(c []string) Measure { return Measure{c[0], c[1], Text{c[2], c[3]}} })

// Score is one of the 18 location scores.
type Score struct {
	ID       string
	Category string // transportation, amenities, education, character, nature, wellness
	Label    Text
}

// Scores are the location scores, in the order of the API specification.
var Scores = ReadVocabulary("scores.tsv", func(c []string) Score { return Score{c[0], c[1], Text{c[2], c[3]}} })

// ScoreIDs are the ids of Scores.
func ScoreIDs() []string {
	var ids []string
	for _, s := range Scores {
		ids = append(ids, s.ID)
	}
	return ids
}

// Channel is the index of a measure or score among all channels.
type Channel int

// ChannelCount is the number of channels: 45 measures and 18 scores.
const ChannelCount = 63

// FirstScore is the channel of the first score.
const FirstScore Channel = 45

// AbsentValue is the value of a channel without data.
const AbsentValue uint16 = 65535

// UnitValue is the stored value of 1.0. The maximum is 5 × UnitValue.
const UnitValue = 10000

// ChannelName is the name of a channel in the API.
func ChannelName(c Channel) string {
	if c < FirstScore {
		return Measures[c].ID
	}
	return Scores[c-FirstScore].ID
}

// ChannelOf finds a channel by its name; false if there is none.
func ChannelOf(name string) (Channel, bool) {
	c, ok := channelOf[name]
	return c, ok
}

// MustChannel finds a channel by a name in the source code; it panics if there is none.
func MustChannel(name string) Channel {
	c, ok := channelOf[name]
	if !ok {
		panic("no channel " + name)
	}
	return c
}

var channelOf = func() map[string]Channel {
	all := make(map[string]Channel, ChannelCount)
	for c := range Channel(ChannelCount) {
		all[ChannelName(c)] = c
	}
	return all
}()

// Typology is a class of the built environment.
type Typology struct {
	ID  string
	Doc string // in English
}

// TypologyTerms are the typologies with their definitions, in the order of the API specification.
var TypologyTerms = ReadVocabulary("typologies.tsv", func(c []string) Typology { return Typology{c[0], c[1]} })

// Typologies are the ids of TypologyTerms.
var Typologies = func() (ids []string) {
	for _, t := range TypologyTerms {
		ids = append(ids, t.ID)
	}
	return ids
}()

// TravelMeasure is how much is reached from home within some minutes, door to door (docs/travel-jobs.md).
type TravelMeasure struct {
	ID, Of, Mode string // 'jobs_within_45_min_transit': of TravelCounted, by 'transit' or 'car'
	Minutes      int
	Name         Text
}

// TravelMeasures are all of them. They are not among Measures, whose list is that of the API specification.
var TravelMeasures = ReadVocabulary("travel_measures.tsv", func(c []string) TravelMeasure {
	minutes, _ := strconv.Atoi(c[3]) // TestTravelMeasures compares it with the ID
	return TravelMeasure{c[0], c[1], c[2], minutes, Text{c[4], c[5]}}
})

// TravelCounted is what travel measures count.
var TravelCounted = []string{"jobs", "people", "groceries"}

// JobSectors are the sectors of NAICS by which jobs are counted, in the order of staged.job: agriculture, mining, utilities,
// construction, manufacturing, wholesale, retail, transport and storage, information, finance, real estate, professional
// services, management, support and waste services, education, health, arts and recreation, hotels and food, other
// services, public administration.
var JobSectors = []string{"11", "21", "22", "23", "31-33", "42", "44-45", "48-49", "51", "52", "53", "54", "55", "56", "61", "62", "71",
	"72", "81", "92"}

// JobEarnings are the classes of earnings by which jobs are counted: up to $1,250 a month, up to $3,333, and more.
var JobEarnings = []string{"low", "middle", "high"}
