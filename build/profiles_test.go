package build

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"quartier/build/verify"
	"quartier/schemas"
)

// TestVerifyFindsChangedTexts changes facts and texts of a release, with a manifest that fits.
func TestVerifyFindsChangedTexts(t *testing.T) {
	r := peopled()
	r.people.published = incomeBins("m:dover")
	_, o := built(t, "", r)
	const first = "(SELECT min(geog_id) FROM profile_text)"
	for _, tt := range []struct{ name, statement, want string }{
		{"a sentence", "UPDATE profile_text SET text = 'It is quiet.' WHERE ordinal = 0", "its facts result in"},
		{"a pattern", "UPDATE profile_text SET pattern = 'x' WHERE ordinal = 0", "its facts result in"},
		{"what is never said", "UPDATE profile_text SET text = 'It is a safe place.' WHERE ordinal = 0", "its facts result in"},
		{"a line break", "UPDATE profile_text SET text = text || char(10) || 'x' WHERE ordinal = 0", "its facts result in"},
		{"blanks", "UPDATE profile_text SET text = text || ' ' WHERE ordinal = 0", "text without blanks around it"},
		{"a walk that a score denies", "UPDATE profile_fact SET code = 'walk_time', value = 4 WHERE subject = 'cafes'; " +
			"UPDATE profile_fact SET code = 'score', subject = 'cafes', value = 0, low = NULL, high = NULL WHERE code = 'brand'",
			"which the text of the score cafes contradicts"},
		{"a name", "UPDATE profile_place SET name_en = 'Westville'", "its facts result in"},
		{"a fact that is not there", "UPDATE profile_text SET facts = '99' WHERE ordinal = 0", "states fact 99"},
		{"a missing text", "DELETE FROM profile_text WHERE geog_id = " + first, "profiles by level"},
		{"a missing fact", "DELETE FROM profile_fact", "every place has facts"},
		{"another language", "UPDATE profile_text SET locale = 'de'", "texts are in the languages of the country"},
		{"a rank", "UPDATE profile_fact SET rank = 2", "ranks from 0 to 1"},
		{"no source", "UPDATE profile_fact SET source = ''", "every fact has a source"},
		{"a geography that is not there",
			"UPDATE profile_place SET geog_id = 'g30_aaaaaaaaaa' WHERE level = 30; UPDATE profile_fact SET geog_id = 'g30_aaaaaaaaaa' WHERE " +
				"geog_id LIKE 'g30%'; UPDATE profile_text SET geog_id = 'g30_aaaaaaaaaa' WHERE geog_id LIKE 'g30%'", "which is not in the release"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyRelease(t, o.Out)
			alter(t, filepath.Join(dir, schemas.ProfilesFile), tt.statement)
			updateManifest(t, dir)
			if _, err := verify.Release(context.Background(), dir, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
