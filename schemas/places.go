package schemas

// StateEntry is a state, province, territory or district of a country.
type StateEntry struct {
	Country string // "CA" or "US"
	Code    string // postal code, two capital letters
	Name    Text
	FIPS    string // US: two digits of FIPS 5-2, as in GEOID; CA: ""
	PRUID   string // CA: two digits of Statistics Canada's PRUID; US: ""
}

// States are the provinces and territories of Canada, and the states, the federal district and the territories of the
// United States, sorted by statistical code within each country.
var States = ReadVocabulary("states.tsv", func(c []string) StateEntry {
	return StateEntry{Country: c[0], Code: c[1], Name: Text{c[2], c[3]}, FIPS: c[4], PRUID: c[5]}
})

// NameKinds are the kinds of further names of geographies: any other name in use, a shorter and a longer form of the
// name, a former name, a name that only locals use, and a name in a language other than English and French.
var NameKinds = []string{"alternate", "short", "official", "old", "local", "translation"}

// OutlinesKind is the kind of the source of outlines of states that come with the program. They are not data of the region,
// so that their date is not that of the release.
const OutlinesKind = "outlines"

// AddressesKind is the kind of sources of addresses. A release has AddressesPack where one of its regions has such a source.
const AddressesKind = "addresses"

// AddressAccuracies are what the point of an address can be, the best first: a building, an entrance or a unit; the middle of
// its land; a place along the street. AddressSteps are which numbers a range has.
var (
	AddressAccuracies = []string{"rooftop", "parcel", "street"}
	AddressSteps      = []string{"every", "odd", "even"}
)

// Countries are the two countries that the API covers.
var Countries = []string{"CA", "US"}

// CountryName is the name of a country by its code, "CA" or "US"; empty for any other code.
func CountryName(code string) Text {
	switch code {
	case "CA":
		return Text{"Canada", "Canada"}
	case "US":
		return Text{"United States", "États-Unis"}
	}
	return Text{}
}

var (
	statesByCode  = indexBy(States, func(s StateEntry) string { return s.Country + "_" + s.Code })
	statesByFIPS  = indexBy(States, func(s StateEntry) string { return s.FIPS })
	statesByPRUID = indexBy(States, func(s StateEntry) string { return s.PRUID })
)

// FindState finds a state of a country by its postal code in capitals; false if there is none.
func FindState(country, code string) (StateEntry, bool) {
	return find(States, statesByCode, country+"_"+code)
}

// StateName is the name of a state by its country and postal code in capitals; false if there is none.
func StateName(country, code string) (Text, bool) {
	s, ok := FindState(country, code)
	return s.Name, ok
}

// StateByFIPS finds a state of the United States by its two-digit FIPS code; false if there is none.
func StateByFIPS(fips string) (StateEntry, bool) {
	return find(States, statesByFIPS, fips)
}

// StateByPRUID finds a province or territory of Canada by Statistics Canada's two-digit PRUID; false if there is none.
func StateByPRUID(pruid string) (StateEntry, bool) {
	return find(States, statesByPRUID, pruid)
}
