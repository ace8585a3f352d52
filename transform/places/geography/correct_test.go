package geography

import (
	"fmt"
	"strings"
	"testing"

	"quartier/schemas/staged"
)

func TestCorrect(t *testing.T) {
	boundaries := []Boundary{
		{Key: "a:1", NameEN: "Odl Town", NameFR: "Vielle-Ville"}, {Key: "a:2", NameEN: "West"}, {Source: "second", Key: "a:2", NameEN: "West"},
		{Key: "a:3", NameEN: "East"},
	}
	fix := func(line int, action, key string) staged.Correction {
		return staged.Correction{SourceID: "fixes", Line: int32(line), Action: action, PlaceKey: key, NewName: "Old Town"}
	}
	kept, of, issues := Correct(boundaries, []staged.Correction{
		fix(2, "rename", "a:1"), fix(3, "drop", "a:2"), fix(4, "rename", "a:2"), fix(5, "move", "a:3"), fix(6, "drop", "osm:node:1"),
		fix(7, "drop", ""), fix(8, "recategorise", "a:3"),
	})
	var got []string
	for _, b := range kept {
		got = append(got, fmt.Sprint(b.Key, " ", b.NameEN, "/", b.NameFR, " ", b.Names))
	}
	const want = "a:1 Old Town/Old Town [{Odl Town old  fixes} {Vielle-Ville old  fixes}]; a:3 East/ []"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	if len(of) != 5 || of[4] || of[5] {
		t.Errorf("of outlines: %v", of)
	}
	got = nil
	for _, i := range issues {
		got = append(got, fmt.Sprint(i.Reason, " ", i.Rows, " ", i.Example))
	}
	const counted = "correction_applied: drop 1 fixes line 3: a:2; correction_applied: rename 1 fixes line 2: a:1; " +
		"correction_of_outline: move 1 fixes line 5: a:3; correction_of_outline: recategorise 1 fixes line 8: a:3; correction_without_place: " +
		"rename 1 fixes line 4: a:2"
	if text := strings.Join(got, "; "); text != counted {
		t.Errorf("%s\nwant %s", text, counted)
	}
}
