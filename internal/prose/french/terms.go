package french

// Terms are the words for bands of scores between which a place ranges.
var Terms = map[string]string{
	"quiet.0": "très bruyantes", "quiet.1": "bruyantes", "quiet.2": "plutôt bruyantes", "quiet.3": "plutôt calmes", "quiet.4": "calmes",
	"quiet.5":               "très calmes",
	"pedestrian_friendly.0": "fort peu de courses", "pedestrian_friendly.1": "fort peu de courses",
	"pedestrian_friendly.2": "très peu de courses",
	"pedestrian_friendly.3": "quelques courses", "pedestrian_friendly.4": "bien des courses",
	"pedestrian_friendly.5": "la plupart des courses",
	"transit_friendly.0":    "presque nulle", "transit_friendly.1": "très limitée", "transit_friendly.2": "limitée",
	"transit_friendly.3": "correcte", "transit_friendly.4": "bonne", "transit_friendly.5": "très bonne",
	"greenery.0": "presque absents", "greenery.1": "rares", "greenery.2": "peu nombreux", "greenery.3": "assez nombreux",
	"greenery.4": "nombreux", "greenery.5": "presque partout",
}

// units are words of measures, of lists and of the phrases of numbers.
var units = "le la les l’ un une des du de d’ au aux à ce cet cette aucun aucune dans et ni ou environ avant après entre en pour minute " +
	"minutes pied kilomètre kilomètres mètre mètres carré carrés hectare hectares logements"

// Words are the words that the phrases of this package have apart from those of the patterns and nouns.
func Words() (words []string) {
	words = append([]string{units}, small[:]...)
	for _, m := range []map[string]string{Terms, shares, elided} {
		for _, text := range m {
			words = append(words, text)
		}
	}
	return words
}
