package identity

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
)

func TestGeogID(t *testing.T) {
	for _, tt := range []struct {
		level   schemas.Level
		key     string
		version int
		want    string
	}{
		// printf '%s\0%s' census:place:4159000 1 | sha256sum | cut -c1-64 | xxd -r -p | base32 -w0 | tr A-Z a-z
		{schemas.Municipality, "census:place:4159000", 1, "g30_s3o2us3csi"},
		{schemas.Municipality, "census:place:4159000", 2, "g30_7ydeoolv5j"},
	} {
		if got := GeogID(tt.level, tt.key, tt.version); got != tt.want {
			t.Errorf("GeogID(%d, %q, %d) = %s, want %s", tt.level, tt.key, tt.version, got, tt.want)
		}
	}
}

func TestGeogIDForm(t *testing.T) {
	form := regexp.MustCompile(`^g(10|20|30|32|35|37|38|40|60|70)_[a-z2-7]{10}$`)
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.SampledFrom(schemas.Levels).Draw(t, "level")
		key, version := rapid.String().Draw(t, "key"), rapid.IntRange(1, 1000).Draw(t, "version")
		id := GeogID(level, key, version)
		if !form.MatchString(id) {
			t.Fatalf("%q", id)
		}
		if id == GeogID(level, key, version+1) || id == GeogID(level, key+"x", version) {
			t.Fatalf("%s is the id of two versions", id)
		}
	})
}

func TestRegistry(t *testing.T) {
	r := NewRegistry()
	first, err := r.issue(schemas.Borough, "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(schemas.Borough, first); err == nil || !strings.Contains(err.Error(), "collides") {
		t.Errorf("duplicate id: %v", err)
	}
	if err := r.Add(schemas.Borough, Version{Key: "b", IDKey: "b", Number: 1, ID: first.ID}); err == nil {
		t.Error("an id of another key was accepted")
	}
	r.owner[GeogID(schemas.Borough, "c", 1)] = "something else"
	if _, err := r.issue(schemas.Borough, "c", 0); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("collision: %v", err)
	}
	third, err := r.issue(schemas.Borough, "a", 6)
	if err != nil || third.Number != 7 {
		t.Errorf("version %d after a predecessor's version 6, %v", third.Number, err)
	}
}
