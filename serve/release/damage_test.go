package release_test

import (
	"flag"
	"testing"
	"time"

	"quartier/internal/drill"
	"quartier/internal/testenv"
)

var (
	damages    = flag.Int("damages", 2000, "`number` of damaged releases that are offered")
	damageSeed = flag.Uint64("damageseed", 0, "seed of the damages; 0: another one each time")
)

// TestDamageIsFound offers releases of which one file is damaged at random.
func TestDamageIsFound(t *testing.T) {
	seed := *damageSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	n := testenv.Few(*damages)
	t.Logf("%d damages, seed %d", n, seed)
	drill.Damage(drill.Steps(t, seed, n), 0)
}
