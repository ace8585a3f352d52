package fair

import "testing"

func TestFind(t *testing.T) {
	for _, c := range []struct {
		sentence, language string
		names              []string
		want               string
	}{
		{"It is popular with families.", "en", nil, "families"},
		{"It is popular with FAMILIES, and quiet.", "en", nil, "FAMILIES"},
		{"Family Park lies in the middle.", "en", []string{"Family Park"}, ""},
		{"Family Park is safe.", "en", []string{"Park", "", "Family Park"}, "safe"},
		{"It is up and\u00a0coming.", "en", nil, "up and\u00a0coming"},
		{"La rue de l’Église y mène.", "fr", []string{"Rue de l'Église"}, ""},
		{"L’église est là.", "fr", []string{"Rue de l'Église"}, "église"},
		{"Church Young Safe.", "en", []string{"Church Young"}, "Safe"},
		{"Safeway is the nearest grocery store.", "en", nil, ""},
		{"Most homes are single-detached houses.", "en", nil, ""},
		{"C’est un quartier familial.", "fr", nil, "familial"},
		{"Les loyers sont bas.", "fr", nil, "loyers"},
		{"Les aînés y vivent.", "fr", nil, "aînés"},
		{"Le chercheur y vit.", "fr", nil, ""},
	} {
		word, found := Find(c.sentence, c.names, c.language)
		if word != c.want || found != (c.want != "") {
			t.Errorf("%q: %q, %v; want %q", c.sentence, word, found, c.want)
		}
	}
}
