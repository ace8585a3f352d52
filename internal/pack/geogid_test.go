package pack_test

import (
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/pack"
)

// TestIDsKeepTheirOrder checks that the numbers of ids have the order of their texts.
func TestIDsKeepTheirOrder(t *testing.T) {
	id := rapid.StringMatching(`g[0-9]{2}_[a-z2-7]{10}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := id.Draw(t, "a"), id.Draw(t, "b")
		numberA, okA := pack.GeogNumber(a)
		numberB, okB := pack.GeogNumber(b)
		if !okA || !okB || (a < b) != (numberA < numberB) || (a == b) != (numberA == numberB) {
			t.Errorf("%s is %d, %s is %d", a, numberA, b, numberB)
		}
	})
}
