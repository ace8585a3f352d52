package ingest_test

import (
	"testing"

	"quartier/ingest"
	"quartier/schemas/feeds"
)

// TestFeedsAreOfKinds compares the kinds of which it is said what they are read for with those that there are: one that is written in
// another way would be cited for everything.
func TestFeedsAreOfKinds(t *testing.T) {
	for _, name := range feeds.Kinds() {
		if _, known := ingest.KindOf(name); !known {
			t.Errorf("feeds has the kind %s, which no source has", name)
		}
	}
}
