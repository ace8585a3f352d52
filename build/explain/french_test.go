package explain

import (
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
)

// TestFrench explains every channel of the village in French: no text stays in English, and numbers are those of the English report.
func TestFrench(t *testing.T) {
	var names []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		names = append(names, schemas.ChannelName(c))
	}
	report, english := explainIn(t, names...), explainIn(t, names...)
	if without := report.French(); without != nil {
		t.Errorf("without French: %s", strings.Join(without, "\n"))
	}
	numbers := func(text string) []string {
		return decimalPoint.FindAllString(strings.ReplaceAll(text, "4.5 dB", ""), -1)
	}
	for i, x := range report.Values {
		if x.Formula == "" || x.Formula == english.Values[i].Formula && strings.ContainsAny(x.Formula, "éèdj ") && strings.Contains(x.Formula, " the ") {
			t.Errorf("%s: %s", x.Name, x.Formula)
		}
		if found := numbers(x.Formula + x.Worked); len(found) > 0 {
			t.Errorf("%s has numbers with points: %s; %s", x.Name, x.Formula, x.Worked)
		}
	}
}

func TestFrenchTexts(t *testing.T) {
	table := frenchTable()
	for english, want := range map[string]string{
		"12.7691/15.0000":                    "12,7691/15,0000",
		"5 clamp((70 − 58.9)/({loud} − 45))": "5 borne((70 − 58,9)/({bruyant} − 45))",
		"40.0 dB or less":                    "40,0 dB ou moins",
		"in errands":                         "compris dans courses",
		"no place is near enough for: schools, restaurants and bars":                                  "aucun lieu n’est assez proche pour : écoles, restaurants et bars",
		"no pharmacy within 2414 m on foot; the nearest, Chez Jo; bis (osm:node:1.5), is 4648 m away": "aucun lieu de la catégorie « pharmacie » à moins de 2414 m à pied ; le plus proche, Chez Jo; bis (osm:node:1.5), est à 4648 m",
		"piecewise linear in 969.8/1.6: 5 at 400 m, 2.5 at 1500 m":                                    "linéaire par morceaux en 969,8/1,6 : 5 à 400 m ; 2,5 à 1500 m",
		"no data; estimated from the other parts":                                                     "aucune donnée : estimation par les autres parties",
		"errands of 12 of 15 points; estimated from the others, with a residual of 0.15 points of the score: shopping (2) by coffee, daily needs; books (1) by coffee": "courses : 12 points sur 15 ; les autres sont estimés par ceux-là, avec un écart type de 0,15 point de la cote : magasinage (2) par cafés, besoins quotidiens ; livres (1) par cafés",
		"clamp((10 − (no data))/(10 − 2))": "borne((10 − (aucune donnée))/(10 − 2))",
		"a place that a neighbouring region lends is nearer than those of this region, and the release lists lent places up to 2414 m " +
			"from the region's streets": "un lieu prêté par une région voisine est plus proche que ceux de cette région, et la version ne " +
			"contient les lieux prêtés que jusqu’à 2414 m des rues de la région",
	} {
		if got, ok := table.of(english); !ok || got != want {
			t.Errorf("%s:\n%s\nwant %s", english, got, want)
		}
	}
	for _, english := range []string{"a text that nobody wrote", "no dragon within 100 m on foot", "in the middle"} {
		if got, ok := table.of(english); ok {
			t.Errorf("%s: %s", english, got)
		}
	}
	for _, v := range schemas.ClassVerdicts {
		if _, ok := table.of(v.Meaning); !ok {
			t.Errorf("the verdict %q has no French", v.Meaning)
		}
	}
	for name, reason := range absentComposites {
		if _, ok := table.of(reason); !ok {
			t.Errorf("%s: %q has no French", name, reason)
		}
	}
	for i := range table.texts {
		p := &table.texts[i]
		for _, value := range p.values {
			if value[0] == '%' && !strings.Contains(p.french, value[:2]) || value[0] == '{' && !strings.Contains(p.french, value) {
				t.Errorf("%s leaves out %s", p.french, value)
			}
		}
		if slices.ContainsFunc([]string{"'", " ;;", "  "}, func(bad string) bool { return strings.Contains(p.french, bad) }) {
			t.Errorf("%q has signs that are not French", p.french)
		}
	}
}
