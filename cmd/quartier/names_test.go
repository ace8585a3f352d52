package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/internal/pack/names/namestest"
	"quartier/schemas"
)

// gazetteer looks names up in the pack of a release, as the server does.
type gazetteer struct {
	table  *geographies.Table
	index  *names.Index
	result names.Result
}

func openNames(t *testing.T, release string) *gazetteer {
	t.Helper()
	file, err := pack.Open(filepath.Join(release, schemas.GeographiesPack))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	g := &gazetteer{}
	if g.table, err = geographies.Open(file); err == nil {
		g.index, err = names.Open(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// find returns the indexes of at most five geographies.
func (g *gazetteer) find(name, language string) (found []int) {
	g.index.Search(&names.Query{Name: name, Language: language, Limit: 5}, &g.result)
	for _, m := range g.result.Matches {
		found = append(found, m.Index)
	}
	return found
}

// expect checks that each query finds a geography first: its English name and level.
func (g *gazetteer) expect(t *testing.T, first map[string]string) {
	t.Helper()
	for query, want := range first {
		var got []string
		for _, i := range g.find(query, "en") {
			got = append(got, g.table.Name(i).EN+" "+g.table.Level(i).Label(g.table.Country(i), "").EN)
		}
		if len(got) == 0 && want != "" || len(got) > 0 && got[0] != want {
			t.Errorf("%q gives %q, want %q first", query, got, want)
		}
	}
}

// checkTyped asks n queries written by rule from the names of a release.
func (g *gazetteer) checkTyped(t *testing.T, n int) {
	t.Helper()
	var places []namestest.Place
	for i := range g.table.Len() {
		if _, superseded := g.table.Superseded(i); superseded {
			continue
		}
		p := namestest.Place{ID: g.table.ID(i), Level: g.table.Level(i), Name: g.table.Name(i)}
		for _, code := range g.table.Regions(i) {
			if strings.Contains(code, "_") {
				p.States = append(p.States, code)
			}
		}
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b namestest.Place) int { return strings.Compare(a.ID, b.ID) })
	namestest.Check(t, places, n, 0.95, 0.99, func(q namestest.Query) (ids []string) {
		for _, i := range g.find(q.Text, q.Language) {
			ids = append(ids, g.table.ID(i))
		}
		return ids
	})
}

// TestWorldIsFoundByTypedNames looks up the synthetic world's geographies.
func TestWorldIsFoundByTypedNames(t *testing.T) {
	g := openNames(t, filepath.Join(townsDir(t), "first"))
	g.expect(t, map[string]string{
		"Harbor":                       "Old Harbor neighbourhood",
		"the old harbor":               "Old Harbor neighbourhood",
		"Old Harbor, Port Hollis, VT":  "Old Harbor neighbourhood",
		"Hollis County":                "Hollis county",
		"county of hollis":             "Hollis county",
		"Hollis, Vermont":              "Hollis county",
		"Fairview, New York":           "Fairview municipality",
		"Fairview Vermont":             "Fairview county subdivision",
		"Mt Rond":                      "Mont-Rond municipality",
		"St Aubin des Erables":         "Saint-Aubin-des-Érables metro area",
		"ville de Saint-Aubin":         "Saint-Aubin-des-Érables municipality",
		"MRC Les Érables":              "Les Érables census division",
		"Anse aux coques":              "L'Anse-aux-Coques neighbourhood",
		"Market and Station":           "Market & Station neighbourhood",
		"marche gare":                  "Market & Station neighbourhood",
		"quebec province":              "Quebec province",
		"Hollisport":                   "Port Hollis municipality", // further names, of GeoNames
		"ville des erables":            "Saint-Aubin-des-Érables municipality",
		"le bourg":                     "Old Saint-Aubin neighbourhood",
		"fishermens row":               "Old Harbor neighbourhood",
		"Порт-Холлис":                  "Port Hollis municipality",
		"Lost Mill":                    "",
		"Fairview, Canada":             "",
		"Round Mountain":               "",
		"Old Harbor, Saint-Aubin, Qué": "",
	})
	g.checkTyped(t, 150)
	next := openNames(t, filepath.Join(townsDir(t), "next"))
	if found := next.find("Fishermen's Row", "en"); len(found) == 0 {
		t.Error("a further name is lost when its place is renamed")
	}
}

// realNames are what people type for places of the real regions, and what they mean.
var realNames = map[string]string{
	"King County":       "King county",
	"Multnomah County":  "Multnomah county",
	"Portland, Oregon":  "Portland municipality",
	"Portland Oregon":   "Portland municipality",
	"Ottawa, ON":        "Ottawa census division", // as many people as the city, and the larger level
	"Ottawa, Ontario":   "Ottawa census division",
	"city of ottawa":    "Ottawa municipality",
	"Chinatown":         "Downtown, Chinatown, Penn Quarters, Mount Vernon Square, North Capitol Street neighbourhood",
	"chinatown, OR":     "Old Town-Chinatown neighbourhood",
	"Adams Morgan":      "Kalorama Heights, Adams Morgan, Lanier Heights neighbourhood",
	"The Glebe":         "Glebe - Dows Lake neighbourhood",
	"Glebe, Ottawa":     "Glebe - Dows Lake neighbourhood",
	"Saint Johns":       "St. Johns neighbourhood",
	"Mt Tabor":          "Mount Tabor neighbourhood",
	"Washington County": "Washington county",
	"Washington State":  "Washington state",
	"Kent County, DE":   "Kent County county",
	"vieil ottawa est":  "Old Ottawa East neighbourhood",
}
