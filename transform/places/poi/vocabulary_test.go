package poi

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/testenv"
	"quartier/schemas"
)

var update = flag.Bool("update", false, "rewrite schemas/vocabulary/overture.tsv and docs/overture.md from Overture's tables")

// Overture's tables. The first list of categories is that of the column categories, until 2025.
const (
	firstList   = "us-national/overture/overture_categories.csv"
	basicLabels = "formats/overture/taxonomy/2025-09-29-Basic-Level-Category.csv"
	counts      = "formats/overture/taxonomy/2025-12-05-counts.csv"
	moves       = "formats/overture/taxonomy/2026-03-04-categories-hierarchies.csv"
)

// spellings are ids of files of 2025 that none of the tables has, and the ids that the first list has in their place.
var spellings = map[string]string{
	"b2b_energy_mining":         "b2b_energy_and_mining",
	"cajun_creole_restaurant":   "cajun_and_creole_restaurant",
	"car_inspector":             "car_inspection",
	"children's_clothing_store": "childrens_clothing_store",
	"men's_clothing_store":      "mens_clothing_store",
	"women's_clothing_store":    "womens_clothing_store",
}

// published is what Overture has published about its categories.
type published struct {
	first  map[string]string // parents of the first list
	parent map[string]string // of all other ids
	weight map[string]int    // places by id of the first list
	second map[string]string // the id of December 2025 of an id of the first list
	third  map[string]string // the id of March 2026 of one of December 2025, where it was merged the one that it was merged with
	basic  map[string][]string
	lost   []string // ids of the first list that have no successor
}

// readPublished reads Overture's tables.
func readPublished(t *testing.T) *published {
	p := &published{first: map[string]string{}, parent: map[string]string{}, weight: map[string]int{}, second: map[string]string{},
		third: map[string]string{}, basic: map[string][]string{}}
	for _, row := range overtureTable(t, firstList, ';') {
		path := strings.Split(strings.Trim(row["Overture Taxonomy"], "[]"), ",")
		if id := row["Category code"]; path[len(path)-1] != id {
			path = append(path, id)
		}
		addPath(p.first, path)
	}
	for _, row := range overtureTable(t, counts, ',') {
		old, n := row["primary_category"], 0
		if row["_col0"] != "" {
			var err error
			if n, err = strconv.Atoi(row["_col0"]); err != nil {
				t.Fatal(err)
			}
		}
		p.weight[old], p.second[old] = n, row["primary"]
		p.addBasic(row["basic_category"], old)
		for _, path := range []string{row["hierarchy"], row["alternates"]} {
			var ids []string
			if path != "" && json.Unmarshal([]byte(path), &ids) != nil {
				t.Fatalf("%s: %s", old, path)
			}
			if path == row["hierarchy"] {
				addPath(p.parent, ids)
				continue
			}
			for _, id := range ids {
				addPath(p.parent, []string{id})
			}
		}
	}
	p.readMoves(t)
	for _, row := range overtureTable(t, basicLabels, ',') {
		p.addBasic(row["Basic label"], row["Overture label"])
	}
	return p
}

// readMoves reads the list of March 2026 beside that of December 2025.
func (p *published) readMoves(t *testing.T) {
	before := map[string][]string{}
	for _, old := range slices.Sorted(maps.Keys(p.second)) {
		before[p.second[old]] = append(before[p.second[old]], old)
	}
	rows := overtureTable(t, moves, ',')
	for _, column := range []string{"Old", "New"} {
		for _, row := range rows {
			if path := row[column+" Primary Hierarchy"]; path != "" {
				addPath(p.parent, strings.Split(path, " > "))
			}
		}
	}
	for _, row := range rows {
		old, successor := row["Old Primary Category"], cmp.Or(row["PC Redirect To"], row["New Primary Category"])
		for _, id := range before[old] {
			p.addBasic(row["Old Basic Level Category"], id)
			p.addBasic(row["New Basic Level Category"], id)
			if successor == "n/a" {
				p.lost = append(p.lost, id)
			}
		}
		if old != "" && successor != "n/a" && (p.third[old] == "" || row["PC Redirect To"] == "") {
			p.third[old] = successor
		}
	}
}

// addPath adds the parents of the ids of a hierarchy, the broadest first.
func addPath(parent map[string]string, path []string) {
	for i, id := range path {
		if i > 0 {
			parent[id] = path[i-1]
		} else if _, known := parent[id]; !known || len(path) > 1 {
			parent[id] = ""
		}
	}
}

func (p *published) addBasic(label, id string) {
	if _, known := p.first[id]; known && label != "" {
		p.basic[label] = append(p.basic[label], id)
	}
}

// successors are the later ids of one of the first list, without duplicates.
func (p *published) successors(id string) []string {
	second, ok := p.second[id]
	if !ok {
		return nil
	}
	list := []string{second}
	if third := p.third[second]; third != "" && third != second {
		list = append(list, third)
	}
	return list
}

// merged are the ids of the first list by their later id.
func (p *published) merged() map[string][]string {
	of := map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(p.first)) {
		for _, later := range p.successors(id) {
			of[later] = append(of[later], id)
		}
	}
	return of
}

// heaviest is the id with the most places.
func (p *published) heaviest(ids []string) string {
	return slices.MaxFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(p.weight[a], p.weight[b]), cmp.Compare(b, a)) })
}

// table is schemas/vocabulary/overture.tsv: the three lists, the basic categories and the ids that rules alone have.
func (p *published) table(rules map[string]*rule) string {
	lines := map[string]string{}
	for id, first := range spellings {
		lines[id] = "\t" + first
	}
	for id := range rules {
		lines[id] = "\t"
	}
	for label, ids := range p.basic {
		lines[label] = "\t" + p.heaviest(ids)
	}
	merged := p.merged()
	for id, parent := range p.parent {
		before := ""
		if len(merged[id]) > 0 {
			before = p.heaviest(merged[id])
		}
		lines[id] = parent + "\t" + before
	}
	for id, parent := range p.first {
		lines[id] = parent + "\t"
	}
	var b strings.Builder
	b.WriteString(`# The ids of Overture's place categories: of the schema until 2025 (overture_categories.csv of the Overture Maps schema, MIT
# licence), of the taxonomies of 2025-12-05 and 2026-03-04 and of the basic categories (tables of the Overture Maps documentation, CC BY 4.0).
# Made by go test ./transform/places/poi -run TestOvertureVocabulary -update.
# parent	the broader category
# Six spellings that only files of 2025 have were added.
# before	of an id that the first list does not have: the id of that list with the same places, or most of them
id	parent	before
`)
	for _, id := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "%s\t%s\n", id, lines[id])
	}
	return b.String()
}

// overtureTable reads a table of Overture's as rows by heading.
func overtureTable(t *testing.T, name string, comma rune) (list []map[string]string) {
	data, err := os.ReadFile(testenv.NeedData(t, name))
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.Comma, r.TrimLeadingSpace = comma, true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[strings.TrimSpace(rows[0][i])] = strings.TrimSpace(cell)
		}
		list = append(list, row)
	}
	return list
}

// golden compares a file with what it should be, or rewrites it.
func golden(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s differs from Overture's tables (%v): run with -update and read what changed", path, err)
	}
}

func TestOvertureVocabulary(t *testing.T) {
	golden(t, "../../../schemas/vocabulary/overture.tsv", readPublished(t).table(newMapping(t).overture))
}

// TestOvertureGenerationsAgree holds the mapping by weight: the later ids of an id of the first list have its categories, or
// where Overture merged several, those of one of them, for 99 % of the places. docs/overture.md lists all that differ.
func TestOvertureGenerationsAgree(t *testing.T) {
	p, m := readPublished(t), newMapping(t)
	merged := p.merged()
	class := func(id string) Class { return m.Classify("overture", nil, []string{id}) }
	var all, agree, same int
	var rows strings.Builder
	for _, id := range slices.SortedFunc(maps.Keys(p.weight), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.weight[b], p.weight[a]), cmp.Compare(a, b))
	}) {
		want, fits, exact := class(id), !slices.Contains(p.lost, id), true
		if !fits {
			fmt.Fprintf(&rows, "| %s | %s | none | | %d |\n", id, orNone(want), p.weight[id])
		}
		for _, later := range p.successors(id) {
			got := class(later)
			fits = fits && slices.ContainsFunc(merged[later], func(old string) bool { return class(old).categories == got.categories })
			if got.categories != want.categories {
				exact = false
				fmt.Fprintf(&rows, "| %s | %s | %s | %s | %d |\n", id, orNone(want), later, orNone(got), p.weight[id])
			} else if len(merged[later]) == 1 && !slices.Equal(got.tags, want.tags) {
				t.Errorf("%s has the tags %v, %s has %v", id, want.tags, later, got.tags)
			}
		}
		all += p.weight[id]
		if fits {
			agree += p.weight[id]
		}
		if fits && exact {
			same += p.weight[id]
		}
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(all) }
	t.Logf("%d places: %.2f %% agree, %.2f %% have the same categories\n%s", all, share(agree), share(same), rows.String())
	if all < 70_000_000 || share(agree) < 99 {
		t.Errorf("%d of %d places agree", agree, all)
	}
	page, err := os.ReadFile("testdata/overture.md") // with the verbs of fmt
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "../../../docs/overture.md", fmt.Sprintf(string(page), all, share(agree), share(same), rows.String()))
}

// TestOvertureSampleInBothGenerations maps real places of 2025 by the ids that they have, and by those that Overture gives
// the same places now.
func TestOvertureSampleInBothGenerations(t *testing.T) {
	p, m := readPublished(t), newMapping(t)
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT id, to_json([categories.primary] || coalesce(categories.alternate, []))::VARCHAR FROM read_parquet('" +
		testenv.NeedData(t, "us-national/overture/places-us-2025-02-sample.parquet") + "') WHERE categories.primary IS NOT NULL ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all, same := 0, 0
	for rows.Next() {
		var id, text string
		var old, later []string
		if err := rows.Scan(&id, &text); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &old); err != nil {
			t.Fatal(err)
		}
		for _, class := range old {
			if !schemas.KnownPlaceClass("overture", class) {
				t.Errorf("%s has the unknown category %s", id, class)
			}
			next := class
			if list := p.successors(class); len(list) > 0 {
				next = list[len(list)-1]
			}
			later = append(later, next)
		}
		all++
		if a, b := m.Classify("overture", nil, old), m.Classify("overture", nil, later); a.categories == b.categories {
			same++
		} else {
			t.Logf("%v: %s, %v: %s", old, orNone(a), later, orNone(b))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d places have the same categories", same, all)
	if all < 3000 || float64(same) < .96*float64(all) {
		t.Errorf("%d of %d places have the same categories", same, all)
	}
}

func orNone(c Class) string { return cmp.Or(c.categories.ids(), "–") }
