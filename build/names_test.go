package build

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/build/verify"
	"quartier/internal/prose/fair"
	"quartier/schemas"
)

// Places that are called by words that are never said are built, verified, and have texts with their names.
func TestNamesOfAnyWordsAreBuilt(t *testing.T) {
	words := []string{"race", "the church quarter", "Quartier chinois", "safe", "Les Riches", "the private gated families", "JUIF ET NOIR",
		"children", "Cheap Rents", "loyer"}
	r := peopled()
	r.people.published = incomeBins("m:dover")
	for i := range r.places {
		if r.places[i].level < schemas.Metro {
			r.places[i].name = words[i%len(words)]
		}
	}
	for i := range r.pois {
		r.pois[i].name = words[i%len(words)]
	}
	_, o := built(t, "", r)
	texts := strings.Join(rows(t, o, schemas.ProfilesFile, "SELECT text FROM profile_text"), "\n")
	for _, p := range r.places {
		if p.level < schemas.Metro && !strings.Contains(strings.ToLower(texts), strings.TrimPrefix(strings.ToLower(p.name), "the ")) {
			t.Errorf("no text has %q:\n%s", p.name, texts)
		}
	}
	if n := rows(t, o, schemas.ProfilesFile, "SELECT count(*) FROM issue WHERE step = 'texts'"); n[0] != "0" {
		t.Errorf("%s texts are left out", n)
	}
}

// TestTextsThatBreakARuleAreLeftOut plants words of the texts themselves: the release is built and verifies, the texts are counted
// in its manifest, and a gate of their share holds it back.
func TestTextsThatBreakARuleAreLeftOut(t *testing.T) {
	r := peopled()
	r.people.published = incomeBins("m:dover")
	for i := range 12 { // more neighbourhoods, one beside the other
		west := -75.6 + 0.01*float64(i)
		r.places = append(r.places, testPlace{key: fmt.Sprint("n:", i), name: fmt.Sprint("Block ", i), level: schemas.Neighbourhood, west: west,
			south: 39.12, east: west + 0.01, north: 39.18})
	}
	m, before := built(t, "", r)
	if len(m.Steps) != 1 {
		t.Fatalf("issues %+v", m.Steps)
	}
	defer fair.Forbid("en", "neighborhood")()
	m, o := built(t, before.Out, r)
	i := slices.IndexFunc(m.Steps, func(s schemas.StepIssue) bool { return s.Step == "texts" })
	if i < 0 || m.Steps[i].Code != "text_left_out" || m.Steps[i].Rows < 5 ||
		!strings.Contains(m.Steps[i].Example, `"neighborhood" is about people`) {
		t.Fatalf("issues %+v", m.Steps)
	}
	left := m.Steps[i].Rows
	with := int64(len(rows(t, o, schemas.ProfilesFile, "SELECT DISTINCT geog_id FROM profile_text")))
	if all := int64(len(rows(t, before, schemas.ProfilesFile, "SELECT DISTINCT geog_id FROM profile_text"))); with+left != all || with == 0 {
		t.Errorf("%d texts are written and %d left out, of %d", with, left, all)
	}
	for _, file := range []string{schemas.GeographiesFile, schemas.ProfilesFile} {
		want := map[string]string{schemas.GeographiesFile: "0", schemas.ProfilesFile: "1"}[file]
		if n := rows(t, o, file, "SELECT count(*) FROM issue WHERE step = 'texts'"); n[0] != want {
			t.Errorf("%s rows of texts in %s", n, file)
		}
	}
	if _, err := verify.Release(t.Context(), o.Out, ""); err != nil {
		t.Error(err)
	}
	c, err := compare.Judged(t.Context(), before.Out, o.Out)
	must(t, err)
	if c.Texts != (compare.TextChange{Older: compare.TextRows{Written: with + left}, Newer: compare.TextRows{Written: with, LeftOut: left}}) {
		t.Errorf("%+v", c.Texts)
	}
	held := false
	for _, v := range gates.Judge(c, nil, nil).Tripped() {
		held = held || v.Gate == "texts"
	}
	if !held {
		t.Error("no gate holds the release back")
	}
	alter(t, filepath.Join(o.Out, schemas.ProfilesFile), "DELETE FROM issue WHERE step = 'texts'")
	updateManifest(t, o.Out)
	if _, err := verify.Release(context.Background(), o.Out, ""); err == nil || !strings.Contains(err.Error(), "issues of steps") {
		t.Errorf("without its issue: %v", err)
	}
}

// TestAnyForbiddenNames builds releases whose places have any names of such words: a few, as each is a whole build.
func TestAnyForbiddenNames(t *testing.T) {
	words := []string{"race", "church", "chinois", "safe", "riche", "famille", "children", "private", "police", "église", "poor", "loyer",
		"élite", "rated", "age"}
	parts := rapid.SampledFrom(words)
	forms := rapid.SampledFrom([]string{"%s", "the %s quarter", "The %s", "Quartier %s", "L’%s", "%s Street", "%s, DE", "%s County"})
	capital := func(name string) string { r := []rune(name); return strings.ToUpper(string(r[:1])) + string(r[1:]) }
	cases := rapid.SampledFrom([]func(string) string{strings.ToLower, strings.ToUpper, capital})
	for seed := range 3 {
		r := delaware()
		for i := range r.places {
			at := 100*seed + 3*i
			r.places[i].name = cases.Example(at)(fmt.Sprintf(forms.Example(at+1), parts.Example(at+2)))
		}
		if _, err := Release(context.Background(), options(t, r)); err != nil {
			t.Errorf("%+v: %v", r.places, err)
		}
	}
}
