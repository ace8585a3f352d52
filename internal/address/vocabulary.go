package address

import (
	_ "embed"
	"strings"

	"quartier/schemas"
	"quartier/schemas/tsv"
)

//go:embed types.tsv
var typesTable string

//go:embed equal.tsv
var equalTable string

// Type is a type of street, the same for its words in both languages: Street, St and rue. 0 is none.
type Type uint16

// typeWords is a row of types.tsv.
type typeWords struct{ en, abbreviation, fr string }

// vocabulary is the words that are read in addresses, all folded.
type vocabulary struct {
	types             []typeWords       // by Type
	trailing          map[string]Type   // types as words after a name: "st"
	leading           map[string]Type   // types as words before a name: "rue"
	numbered          map[string]bool   // types that are before a number: "highway"
	equal             map[string]string // words of names: "saint" to "st", "first" to "1"
	units             map[string]bool   // "apt"
	alone             map[string]bool   // units without an identifier: "rear"
	regions           map[string]Region // codes and names of provinces, territories and states: "bc", "new york"
	country           map[string]string // "canada" to "CA"
	particle          map[string]bool   // words between a leading type and a name: "de", "la"
	municipal         map[string]bool   // words of what a town is, before "of": "district"
	trailingMunicipal map[string]bool   // and after its name: "county"
	usual             map[Type]bool     // types of which a direction can be the name: North Avenue
}

// Region is a province, territory or state. The zero value is none.
type Region struct{ Country, Code string }

var known = newVocabulary()

func newVocabulary() *vocabulary {
	v := &vocabulary{
		types: make([]typeWords, 1), trailing: map[string]Type{}, leading: map[string]Type{}, equal: map[string]string{},
		regions: map[string]Region{}, country: map[string]string{},
		numbered: set("highway hwy hiway hwys route rte rt road rd rang rg autoroute aut line ligne concession conc sideroad " +
			"siderd avenue av ave cr sr fm us interstate i county state township loop farm forest"),
		units: set("apartment apt apts appartement app appt apart unit units unite suite suites ste bureau bur room rm floor flr fl level lvl " +
			"etage niveau lot building bldg batiment bat penthouse ph trailer trlr space spc spot office ofc hangar hngr pier slip stop door " +
			"porte local townhouse th condo pad site"),
		alone:             set("basement bsmt rear penthouse ph lobby lbby upper uppr lower lowr lwr"),
		particle:          set("de du des d la le les l of the au aux a"),
		municipal:         set("city town township village municipality district county ville municipalite canton paroisse"),
		trailingMunicipal: set("county township twp"),
	}
	for _, row := range tsv.MustParse("types.tsv", typesTable, "en", "abbreviation", "fr", "en_spellings", "fr_spellings") {
		t := Type(len(v.types))
		v.types = append(v.types, typeWords{row[0], row[1], row[2]})
		for _, spelling := range append(strings.Fields(row[3]), squeezed(row[0]), squeezed(row[1])) {
			v.trailing[spelling] = t
		}
		for _, spelling := range append(strings.Fields(row[4]), squeezed(row[2])) {
			v.leading[spelling] = t
		}
	}
	v.usual = map[Type]bool{}
	for word := range set("street avenue boulevard road drive way place court lane terrace circle highway parkway square") {
		v.usual[v.trailing[word]] = true
	}
	delete(v.trailing, "")
	delete(v.leading, "")
	for _, row := range tsv.MustParse("equal.tsv", equalTable, "written", "equal") {
		for _, written := range strings.Fields(row[0]) {
			v.equal[written] = row[1]
		}
	}
	v.addRegions()
	return v
}

// squeezed is a folded text without spaces and commas.
func squeezed(text string) string {
	var b strings.Builder
	for _, w := range wordsOf(text) {
		b.WriteString(w.text)
	}
	return b.String()
}

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// older are forms of regions besides the codes and names of schemas.States.
var older = map[string]string{"pq": "QC", "que": "QC", "nfld": "NL", "nf": "NL", "newfoundland": "NL", "labrador": "NL", "pei": "PE",
	"ont": "ON", "alta": "AB", "sask": "SK", "man": "MB", "cb": "BC", "tnl": "NL", "ipe": "PE", "alb": "AB", "yk": "YT", "tno": "NT",
	"nwt": "NT", "calif": "CA", "mass": "MA", "penn": "PA",
	"wash": "WA", "ore": "OR", "fla": "FL", "tex": "TX", "ill": "IL", "mich": "MI", "minn": "MN", "ariz": "AZ", "colo": "CO",
	"ala": "AL", "ark": "AR", "conn": "CT", "ind": "IN", "kan": "KS", "kans": "KS", "miss": "MS", "mont": "MT", "neb": "NE", "nebr": "NE",
	"nev": "NV", "okla": "OK", "tenn": "TN", "wis": "WI", "wisc": "WI", "wyo": "WY"}

func (v *vocabulary) addRegions() {
	byCode := map[string]Region{}
	for _, s := range schemas.States {
		at := Region{s.Country, s.Code}
		byCode[s.Code] = at
		for _, form := range []string{s.Code, s.Name.EN, s.Name.FR} {
			v.regions[strings.ReplaceAll(Fold(form), ",", "")] = at
		}
	}
	for form, code := range older {
		v.regions[form] = byCode[code]
	}
	for _, form := range []string{"canada", "can"} {
		v.country[form] = "CA"
	}
	for _, form := range []string{"usa", "us", "united states", "united states of america", "etats unis", "u s a", "u s"} {
		v.country[form] = "US"
	}
}
