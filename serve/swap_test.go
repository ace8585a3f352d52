package serve_test

import (
	"flag"
	"testing"

	"quartier/internal/drill"
)

var swaps = flag.Int("swaps", 100, "`number` of releases that are swapped under load")

// TestSwapUnderLoad swaps releases under requests: each answer is, byte for byte, one that a single publication gives, with
// its ETag, and what is not served any more is closed.
func TestSwapUnderLoad(t *testing.T) {
	_, requests := drill.Swaps(drill.Steps(t, 1, *swaps), nil)
	t.Logf("%d swaps beside %d requests", *swaps, requests)
}
