package roads

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/ingest/formats/vector"
)

// statcanName joins the name, type and direction of a road: 'Elm Street West', 'Rue des Pins Est', 'Highway 7'. An unknown
// type is kept as published.
func statcanName(f vector.Feature) string {
	name, kind, direction := f.Attributes["NAME"], f.Attributes["TYPE"], f.Attributes["DIR"]
	if kind == "" {
		kind = f.Attributes["ST_TYPE"]
	}
	if name == "" {
		return ""
	}
	french, isFrench := frenchTypes[kind]
	english, isEnglish := englishTypes[kind]
	switch {
	case isFrench:
		return strings.TrimSpace(french + " " + name + " " + frenchDirection(direction))
	case isEnglish && numbered[kind] && startsWithDigit(name):
		name = english + " " + name
	case isEnglish:
		name += " " + english
	case kind != "":
		name += " " + kind
	}
	return strings.TrimSpace(name + " " + englishDirection(direction))
}

func startsWithDigit(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r)
}

var directions = map[string][2]string{ // English, French
	"N": {"North", "Nord"}, "S": {"South", "Sud"}, "E": {"East", "Est"}, "W": {"West", "Ouest"}, "O": {"West", "Ouest"},
	"NE": {"Northeast", "Nord-Est"}, "NW": {"Northwest", "Nord-Ouest"}, "NO": {"Northwest", "Nord-Ouest"},
	"SE": {"Southeast", "Sud-Est"}, "SW": {"Southwest", "Sud-Ouest"}, "SO": {"Southwest", "Sud-Ouest"},
}

func englishDirection(code string) string {
	if words, known := directions[code]; known {
		return words[0]
	}
	return code
}

func frenchDirection(code string) string {
	if words, known := directions[code]; known {
		return words[1]
	}
	return code
}

// numbered are the types that are before a number in English too.
var numbered = map[string]bool{"HWY": true, "RTE": true, "CONC": true}

// frenchTypes are before the name.
var frenchTypes = map[string]string{
	"RUE": "Rue", "AV": "Avenue", "CH": "Chemin", "BOUL": "Boulevard", "AUT": "Autoroute", "ALLÉE": "Allée", "ALLEE": "Allée",
	"CAR": "Carré", "CARREF": "Carrefour", "CERCLE": "Cercle", "CÔTE": "Côte", "COTE": "Côte", "COUR": "Cour", "CRS": "Cours",
	"CROIS": "Croissant", "DESSTE": "Desserte", "ÉCH": "Échangeur", "ÉCHANG": "Échangeur", "ESPL": "Esplanade", "IMP": "Impasse",
	"JARDIN": "Jardin", "LIGNE": "Ligne", "MONTÉE": "Montée", "MONTEE": "Montée", "PARC": "Parc", "PASS": "Passage", "PLACE": "Place",
	"PLAGE": "Plage", "POINTE": "Pointe", "PONT": "Pont", "PROM": "Promenade", "QUAI": "Quai", "RANG": "Rang", "RLE": "Ruelle",
	"ROUTE": "Route", "RDPT": "Rond-point", "SENT": "Sentier", "TSSE": "Terrasse", "VOIE": "Voie",
}

// englishTypes are after the name.
var englishTypes = map[string]string{
	"ACRES": "Acres", "ALLEY": "Alley", "AVE": "Avenue", "BAY": "Bay", "BEACH": "Beach", "BEND": "Bend", "BLVD": "Boulevard",
	"BYPASS": "Bypass", "CDS": "Cul-de-sac", "CHASE": "Chase", "CIR": "Circle", "CIRCT": "Circuit", "CLOSE": "Close", "COMMON": "Common",
	"CONC": "Concession", "COVE": "Cove", "CRES": "Crescent", "CRNRS": "Corners", "CROSS": "Crossing", "CRT": "Court", "CTR": "Centre",
	"DR": "Drive", "ESTATE": "Estate", "EXPY": "Expressway", "EXTEN": "Extension", "FWY": "Freeway", "GATE": "Gate", "GDNS": "Gardens",
	"GLEN": "Glen", "GREEN": "Green", "GROVE": "Grove", "HARBR": "Harbour", "HEATH": "Heath", "HGHLDS": "Highlands", "HILL": "Hill",
	"HOLLOW": "Hollow", "HTS": "Heights", "HWY": "Highway", "INLET": "Inlet", "ISLAND": "Island", "KEY": "Key", "KNOLL": "Knoll",
	"LANDNG": "Landing", "LANE": "Lane", "LINE": "Line", "LINK": "Link", "LKOUT": "Lookout", "LMTS": "Limits", "LOOP": "Loop",
	"MALL": "Mall", "MANOR": "Manor", "MEADOW": "Meadow", "MEWS": "Mews", "MOUNT": "Mount", "MTN": "Mountain", "ORCH": "Orchard",
	"PARADE": "Parade", "PARK": "Park", "PATH": "Path", "PINES": "Pines", "PK": "Park", "PKY": "Parkway", "PL": "Place", "PLAZA": "Plaza",
	"PORT": "Port", "PT": "Point", "PTWAY": "Pathway", "PVT": "Private", "QUAY": "Quay", "RAMP": "Ramp", "RD": "Road", "RG": "Range",
	"RIDGE": "Ridge", "RISE": "Rise", "ROW": "Row", "RTE": "Route", "RUN": "Run", "SDRD": "Side Road", "SQ": "Square", "ST": "Street",
	"SUBDIV": "Subdivision", "TERR": "Terrace", "TLINE": "Townline", "TRAIL": "Trail", "TRNABT": "Turnabout", "VALE": "Vale",
	"VIA": "Via", "VIEW": "View", "VILLGE": "Village", "VISTA": "Vista", "WALK": "Walk", "WAY": "Way", "WHARF": "Wharf", "WOOD": "Wood",
	"WYND": "Wynd",
}
