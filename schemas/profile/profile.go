// Package profile declares what profiles are made of: the place that a profile is about, its facts, and its texts in
// sections. Facts come from a release; texts are made of them by package prose.
package profile

// Section is a section of a profile, in the order in which it is read.
type Section uint8

// The sections.
const (
	Intro Section = iota
	Summary
	Transport
	Services
	Character
	Housing
	SectionCount
)

var sectionNames = [SectionCount]string{"intro", "summary", "transport", "services", "character", "housing"}

// String is the key of the section in the API.
func (s Section) String() string { return sectionNames[s] }

// ParseSection is the section with a key; false if there is none.
func ParseSection(key string) (Section, bool) {
	for s, name := range sectionNames {
		if name == key {
			return Section(s), true
		}
	}
	return 0, false
}

// Place is the geography that a profile is about.
type Place struct {
	ID      string // geog_id
	Level   uint8  // 10 to 38
	Type    string // en label of the level type: neighbourhood, municipality, zip code, county …; of a custom geography its type: TOWN
	Country string // CA or US
	State   string // two letters
	NameEN  string // as the source has it, not escaped
	NameFR  string // "" where the source has none: then NameEN is used, whole
	CityEN  string // the municipality it is in; "": none, or the place is one
	CityFR  string
	AreaM2  float64
	Variant uint8 // 0; another one where the texts would be too much like those of a neighbour
}

// Languages are those that texts about a place are in: English, and in Canada French.
func Languages(p *Place) []string {
	if p.Country == "CA" {
		return []string{"en", "fr"}
	}
	return []string{"en"}
}

// Fact is one thing that is known of a place. Which members a code uses is in its comment.
type Fact struct {
	Section Section
	Code    Code
	Subject string  // identifier: a score, category, housing variable, mode, kind of street; "" if the code has none
	Name    string  // of a named thing (a station, line, park, street), in English or as signed; not escaped
	NameFR  string  // the same in French; "": not known
	Value   float64 // in the code's unit
	// of an estimate: its 90 % interval, NaN if none is known; of a score: what a tenth of the homes has less than, NaN if not
	// known
	Low     float64
	High    float64 // of a score: what a tenth of the homes has more than
	Further float64 // a second value: weekly trips, metres, minutes; 0: none
	Typical float64 // the median of the region's places of the level that have the fact, of the country's where they are few; NaN: not known
	Rank    float64 // how far the place is from Typical, from 0 (typical) to 1: facts with a high rank are worth a sentence
	Source  string  // rows it was made from: table:key, several with spaces
}

// Code is what a fact is about.
type Code string

// The codes.
const (
	ScoreFact    Code = "score"    // Subject: score; Value: median of homes, 0–5; Low, High: spread over homes
	TypologyFact Code = "typology" // Subject: typology; Value: share of homes in it, 0–1
	CountFact    Code = "count"    // Subject: category; Value: places in the geography; Further: in and within 800 m of it
	ListedFact   Code = "listed"   // as CountFact, where it is not known whether the sources list all: there are at least so many
	BrandFact    Code = "brand"    // Name; Value: places of the brand in the geography
	HomesFact    Code = "homes"    // Value: occupied homes; Low, High: 90 % interval
	// Subject: mode (subway, train, tram, rapid_transit, bus, ferry); Name; Value: metres on foot from the median home; Further:
	// weekly trips
	StationFact   Code = "station"
	LineFact      Code = "line"      // Subject: mode; Name: number or name of the line; Value: weekly trips in the geography
	LinesFact     Code = "lines"     // Subject: mode; Value: number of lines that stop in it; Further: weekly trips
	ParkFact      Code = "park"      // Name; Value: hectares of it in the geography
	ParksFact     Code = "parks"     // Value: number of parks in or touching it; Further: their hectares in it
	StreetFact    Code = "street"    // Name with its type; Value: shops, restaurants and services that front on it in the geography
	DwellingFact  Code = "dwelling"  // Subject: housing_type variable (apt_dttachd …); Value: share 0–1; Low, High: 90 % interval
	TenureFact    Code = "tenure"    // Subject: prop_owner or prop_renter; Value: share 0–1; Low, High
	PeriodFact    Code = "period"    // Subject: "before_1961", "1961_to_1980" …, as the source's bins; Value: share 0–1; Low, High
	BedroomsFact  Code = "bedrooms"  // Subject: housing_0_bedroom … housing_4_plus_bedrooms; Value: share 0–1; Low, High
	HighwayFact   Code = "highway"   // Name; Value: metres from the middle home
	AirportFact   Code = "airport"   // Name; Value: metres from the middle home
	HeritageFact  Code = "heritage"  // Value: number of historic places or districts; Name: the largest
	WaterFact     Code = "water"     // Name: water that the place lies on; Subject: river, lake, sea, canal
	TerrainFact   Code = "terrain"   // Value: steepness measure, 0–5 (higher is steeper), median of homes
	BoundedByFact Code = "within"    // Name, NameFR: the county or region it is in
	ContainsFact  Code = "contains"  // Value: number of neighbourhoods in it; Name, NameFR: the largest of them
	BikewayFact   Code = "bikeway"   // Value: km of cycle tracks and paths; Further: km of lanes
	WalkTimeFact  Code = "walk_time" // Subject: category; Value: minutes on foot to the nearest from the home with the median of these ways
)

// Sentence is a sentence of a profile with what it is made of.
type Sentence struct {
	Text string // plain text: names are not escaped
	// the same with N for each name and 0 for each number, by which texts of different places are compared and words are looked
	// for
	Masked  string
	Pattern string // name of the sentence plan and its variant: services.daily/2
	Facts   []int  // indices of the facts that it states
}

// Text is a profile in one language: the sentences of each section. A section without ground has none.
type Text [SectionCount][]Sentence
