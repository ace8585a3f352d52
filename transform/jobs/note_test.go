package jobs

import (
	"testing"

	"quartier/schemas/derived"
)

// TestNoteOfOne: what there is one of is said so.
func TestNoteOfOne(t *testing.T) {
	r := Result{placed: thousandth, beyond: thousandth, unknown: 2 * thousandth, Places: make([]derived.JobPlace, 1)}
	want := "1 job is at 1 place; 1 more is in areas that the region does not have; 2 more are in blocks that the region lacks: " +
		"jobs and blocks may be of two censuses"
	if got := r.note(); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
