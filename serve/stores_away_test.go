package serve_test

import (
	"testing"

	"quartier/internal/drill"
)

// TestStoresAway takes the state away in every way, and cuts its connections in the middle of statements: what is read from the
// release is answered as before, a write is done once or refused in the contract's shape, and all is as before when the state is
// back.
func TestStoresAway(t *testing.T) {
	stores := &drill.Stores{}
	t.Cleanup(stores.Stop)
	for name, steps := range map[string]int{"PostgreSQL": 4, "SQLite": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := drill.SQLiteAway
			if name == "PostgreSQL" {
				store = stores.PostgresAway
			}
			faults, writes := drill.StateAway(drill.Steps(t, 1, steps), store(t), nil)
			t.Logf("%d faults, %d writes beside cuts", faults, writes)
		})
	}
}

// TestLimitsAway takes the store of shared limits away in every way.
func TestLimitsAway(t *testing.T) {
	stores := &drill.Stores{}
	t.Cleanup(stores.Stop)
	stores.LimitsAway(drill.Steps(t, 1, 3), nil)
}
