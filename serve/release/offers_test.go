package release_test

import (
	"testing"

	"quartier/internal/drill"
)

// TestBadOffers offers a bad release of each kind to a server of a good one.
func TestBadOffers(t *testing.T) {
	n, kinds := drill.Offers(drill.Steps(t, 1, 0), false)
	t.Logf("%d offers of %d kinds", n, kinds)
	if kinds < 40 {
		t.Errorf("%d kinds", kinds)
	}
}
