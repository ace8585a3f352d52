package english

// Terms are the words for bands of scores between which a place ranges.
var Terms = map[string]string{
	"quiet.0": "very noisy", "quiet.1": "noisy", "quiet.2": "somewhat noisy", "quiet.3": "fairly quiet", "quiet.4": "quiet",
	"quiet.5":               "very quiet",
	"pedestrian_friendly.0": "none", "pedestrian_friendly.1": "almost none", "pedestrian_friendly.2": "very few",
	"pedestrian_friendly.3": "a few", "pedestrian_friendly.4": "many", "pedestrian_friendly.5": "most",
	"transit_friendly.0": "next to none", "transit_friendly.1": "very limited", "transit_friendly.2": "limited",
	"transit_friendly.3": "fair", "transit_friendly.4": "good", "transit_friendly.5": "very good",
	"greenery.0": "hardly any", "greenery.1": "few", "greenery.2": "some", "greenery.3": "a fair number", "greenery.4": "many",
	"greenery.5": "trees nearly everywhere",
}

// units are words of measures, of lists and of the phrases of numbers.
var units = "a an the this no in of to and or about before between later walk minute minutes kilometre kilometres metre metres mile " +
	"miles foot feet square hectare hectares acre acres homes them ZIP code county parish of"

// Words are the words that the phrases of this package have apart from those of the patterns and nouns.
func Words() (words []string) {
	words = append([]string{units}, small[:]...)
	for _, m := range []map[string]string{Terms, shares, american} {
		for _, text := range m {
			words = append(words, text)
		}
	}
	return words
}
