package main

import (
	"path/filepath"
	"strings"
	"testing"

	"quartier/build/prosestats"
)

// checkTexts checks the texts of a release: how many geographies have one, that the texts of no two geographies that touch
// share more than half of their sentences, that no text has more than five sentences, and that what is known is said.
func checkTexts(t *testing.T, release string, leastShare float64) {
	t.Helper()
	f, err := prosestats.Read(t.Context(), release)
	if err != nil {
		t.Fatal(err)
	}
	geographies, profiles := int64(0), int64(0)
	for _, l := range f.Levels {
		geographies, profiles = geographies+l.Geographies, profiles+l.Profiles
	}
	if float64(profiles) < leastShare*float64(geographies) {
		t.Errorf("%d of %d geographies have a profile, want %v of them", profiles, geographies, leastShare)
	}
	if f.Known == 0 || len(f.Short) > 0 {
		t.Errorf("of %d places with many facts %q have fewer than four sections", f.Known, f.Short)
	}
	if len(f.Languages) != 2 {
		t.Errorf("texts in %d languages", len(f.Languages))
	}
	for i := range f.Languages {
		l := &f.Languages[i]
		if v := &l.Variety; v.Pairs == 0 || v.Touching.OverHalf > 0 {
			t.Errorf("%s: of %d pairs of neighbours %d share more than half of their sentences: %+v", l.Language, v.Pairs, v.Touching.OverHalf,
				v.Touching)
		}
		for section := range l.Sections {
			if s := &l.Sections[section]; s.Texts == 0 || s.Longest > 5 {
				t.Errorf("%s: section %d has %d texts, the longest of %d sentences", l.Language, section, s.Texts, s.Longest)
			}
		}
	}
}

func TestProfilesOfTheWorld(t *testing.T) {
	checkTexts(t, filepath.Join(townsDir(t), "first"), 0.8)
}

// TestProfileCommand checks what the command prints, on both sides of its argument.
func TestProfileCommand(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	quarter := geogID(t, release, "saint-aubin:quartier:Q01")
	why, _ := mustRun(t, "profile", quarter, "--release", release, "--locale", "fr", "--why")
	for _, part := range []string{"Caractère", "    pattern ", "    fact ", "      from geography_", "facts are not stated"} {
		if !strings.Contains(why, part) {
			t.Errorf("no %q in\n%s", part, why)
		}
	}
	if other, _ := mustRun(t, "profile", "--why", "--locale=fr", "--release", release, quarter); other != why {
		t.Errorf("with the flags in front:\n%s", other)
	}
	first, _ := mustRun(t, "profile", "--sample", "3", "--release", release)
	again, _ := mustRun(t, "profile", "--release", release, "--sample", "3", "--seed", "1")
	second, _ := mustRun(t, "profile", "--release", release, "--sample", "3", "--seed", "2")
	if first != again || first == second || strings.Count(first, "(level ") != 3 {
		t.Errorf("samples:\n%s\n%s", first, second)
	}
	if figures, _ := mustRun(t, "profile", "--release", release, "--figures"); !strings.Contains(figures, "### Variety, French") ||
		!strings.Contains(figures, "| touching |") {
		t.Errorf("figures:\n%s", figures)
	}
}
