package state_test

import (
	"flag"
	"testing"

	"quartier/internal/drill"
	"quartier/internal/drill/histories"
)

var followed = flag.Int("histories", 500, "requests whose life TestConcurrentHistories follows on each store; 170,000 make a million steps")

// TestConcurrentHistories lets callers edit and remove requests while two operators run general updates.
func TestConcurrentHistories(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		histories.Run(drill.Steps(t, 1, (*followed+histories.RequestsOfWorld-1)/histories.RequestsOfWorld), dsn, nil)
	})
}
