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
var States = []StateEntry{
	{"CA", "NL", Text{"Newfoundland and Labrador", "Terre-Neuve-et-Labrador"}, "", "10"},
	{"CA", "PE", Text{"Prince Edward Island", "Île-du-Prince-Édouard"}, "", "11"},
	{"CA", "NS", Text{"Nova Scotia", "Nouvelle-Écosse"}, "", "12"},
	{"CA", "NB", Text{"New Brunswick", "Nouveau-Brunswick"}, "", "13"},
	{"CA", "QC", Text{"Quebec", "Québec"}, "", "24"},
	{"CA", "ON", Text{"Ontario", "Ontario"}, "", "35"},
	{"CA", "MB", Text{"Manitoba", "Manitoba"}, "", "46"},
	{"CA", "SK", Text{"Saskatchewan", "Saskatchewan"}, "", "47"},
	{"CA", "AB", Text{"Alberta", "Alberta"}, "", "48"},
	{"CA", "BC", Text{"British Columbia", "Colombie-Britannique"}, "", "59"},
	{"CA", "YT", Text{"Yukon", "Yukon"}, "", "60"},
	{"CA", "NT", Text{"Northwest Territories", "Territoires du Nord-Ouest"}, "", "61"},
	{"CA", "NU", Text{"Nunavut", "Nunavut"}, "", "62"},

	{"US", "AL", Text{"Alabama", "Alabama"}, "01", ""},
	{"US", "AK", Text{"Alaska", "Alaska"}, "02", ""},
	{"US", "AZ", Text{"Arizona", "Arizona"}, "04", ""},
	{"US", "AR", Text{"Arkansas", "Arkansas"}, "05", ""},
	{"US", "CA", Text{"California", "Californie"}, "06", ""},
	{"US", "CO", Text{"Colorado", "Colorado"}, "08", ""},
	{"US", "CT", Text{"Connecticut", "Connecticut"}, "09", ""},
	{"US", "DE", Text{"Delaware", "Delaware"}, "10", ""},
	{"US", "DC", Text{"District of Columbia", "District de Columbia"}, "11", ""},
	{"US", "FL", Text{"Florida", "Floride"}, "12", ""},
	{"US", "GA", Text{"Georgia", "Géorgie"}, "13", ""},
	{"US", "HI", Text{"Hawaii", "Hawaï"}, "15", ""},
	{"US", "ID", Text{"Idaho", "Idaho"}, "16", ""},
	{"US", "IL", Text{"Illinois", "Illinois"}, "17", ""},
	{"US", "IN", Text{"Indiana", "Indiana"}, "18", ""},
	{"US", "IA", Text{"Iowa", "Iowa"}, "19", ""},
	{"US", "KS", Text{"Kansas", "Kansas"}, "20", ""},
	{"US", "KY", Text{"Kentucky", "Kentucky"}, "21", ""},
	{"US", "LA", Text{"Louisiana", "Louisiane"}, "22", ""},
	{"US", "ME", Text{"Maine", "Maine"}, "23", ""},
	{"US", "MD", Text{"Maryland", "Maryland"}, "24", ""},
	{"US", "MA", Text{"Massachusetts", "Massachusetts"}, "25", ""},
	{"US", "MI", Text{"Michigan", "Michigan"}, "26", ""},
	{"US", "MN", Text{"Minnesota", "Minnesota"}, "27", ""},
	{"US", "MS", Text{"Mississippi", "Mississippi"}, "28", ""},
	{"US", "MO", Text{"Missouri", "Missouri"}, "29", ""},
	{"US", "MT", Text{"Montana", "Montana"}, "30", ""},
	{"US", "NE", Text{"Nebraska", "Nebraska"}, "31", ""},
	{"US", "NV", Text{"Nevada", "Nevada"}, "32", ""},
	{"US", "NH", Text{"New Hampshire", "New Hampshire"}, "33", ""},
	{"US", "NJ", Text{"New Jersey", "New Jersey"}, "34", ""},
	{"US", "NM", Text{"New Mexico", "Nouveau-Mexique"}, "35", ""},
	{"US", "NY", Text{"New York", "New York"}, "36", ""},
	{"US", "NC", Text{"North Carolina", "Caroline du Nord"}, "37", ""},
	{"US", "ND", Text{"North Dakota", "Dakota du Nord"}, "38", ""},
	{"US", "OH", Text{"Ohio", "Ohio"}, "39", ""},
	{"US", "OK", Text{"Oklahoma", "Oklahoma"}, "40", ""},
	{"US", "OR", Text{"Oregon", "Oregon"}, "41", ""},
	{"US", "PA", Text{"Pennsylvania", "Pennsylvanie"}, "42", ""},
	{"US", "RI", Text{"Rhode Island", "Rhode Island"}, "44", ""},
	{"US", "SC", Text{"South Carolina", "Caroline du Sud"}, "45", ""},
	{"US", "SD", Text{"South Dakota", "Dakota du Sud"}, "46", ""},
	{"US", "TN", Text{"Tennessee", "Tennessee"}, "47", ""},
	{"US", "TX", Text{"Texas", "Texas"}, "48", ""},
	{"US", "UT", Text{"Utah", "Utah"}, "49", ""},
	{"US", "VT", Text{"Vermont", "Vermont"}, "50", ""},
	{"US", "VA", Text{"Virginia", "Virginie"}, "51", ""},
	{"US", "WA", Text{"Washington", "Washington"}, "53", ""},
	{"US", "WV", Text{"West Virginia", "Virginie-Occidentale"}, "54", ""},
	{"US", "WI", Text{"Wisconsin", "Wisconsin"}, "55", ""},
	{"US", "WY", Text{"Wyoming", "Wyoming"}, "56", ""},
	{"US", "AS", Text{"American Samoa", "Samoa américaines"}, "60", ""},
	{"US", "GU", Text{"Guam", "Guam"}, "66", ""},
	{"US", "MP", Text{"Northern Mariana Islands", "Îles Mariannes du Nord"}, "69", ""},
	{"US", "PR", Text{"Puerto Rico", "Porto Rico"}, "72", ""},
	{"US", "VI", Text{"U.S. Virgin Islands", "Îles Vierges américaines"}, "78", ""},
}

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
	statesByCode  = stateIndex(func(s StateEntry) string { return s.Country + "_" + s.Code })
	statesByFIPS  = stateIndex(func(s StateEntry) string { return s.FIPS })
	statesByPRUID = stateIndex(func(s StateEntry) string { return s.PRUID })
)

func stateIndex(key func(StateEntry) string) map[string]StateEntry {
	index := make(map[string]StateEntry, len(States))
	for _, s := range States {
		if k := key(s); k != "" {
			index[k] = s
		}
	}
	return index
}

// FindState finds a state of a country by its postal code in capitals; false if there is none.
func FindState(country, code string) (StateEntry, bool) {
	s, ok := statesByCode[country+"_"+code]
	return s, ok
}

// StateName is the name of a state by its country and postal code in capitals; false if there is none.
func StateName(country, code string) (Text, bool) {
	s, ok := FindState(country, code)
	return s.Name, ok
}

// StateByFIPS finds a state of the United States by its two-digit FIPS code; false if there is none.
func StateByFIPS(fips string) (StateEntry, bool) {
	s, ok := statesByFIPS[fips]
	return s, ok
}

// StateByPRUID finds a province or territory of Canada by Statistics Canada's two-digit PRUID; false if there is none.
func StateByPRUID(pruid string) (StateEntry, bool) {
	s, ok := statesByPRUID[pruid]
	return s, ok
}
