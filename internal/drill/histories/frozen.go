package histories

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"quartier/schemas"
	"quartier/serve/state"
)

// Frozen is the requests file of the update that runs, and outcomes with which all of it is built: the geog_id is made of id and
// version.
func Frozen(t interface{ Fatal(...any) }, store *state.Store) (*schemas.Requests, *schemas.Outcomes) {
	ctx := context.Background()
	requests, err := store.FrozenRequests(ctx)
	if err != nil {
		t.Fatal(err)
	}
	data, err := requests.Encode()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	if err := store.RecordFile(ctx, requests.Update, digest); err != nil {
		t.Fatal(err)
	}
	outcomes := &schemas.Outcomes{Schema: schemas.RequestsSchema, Update: requests.Update, Requests: digest}
	for _, r := range requests.Requests {
		o := schemas.Outcome{ID: r.ID, Version: r.Version, GeogID: r.GeogID}
		if r.Action == schemas.PublishRequest {
			o.GeogID = GeogID(r.ID, r.Version)
		}
		outcomes.Outcomes = append(outcomes.Outcomes, o)
	}
	return requests, outcomes
}

// GeogID is that of a version of a request in outcomes of Frozen.
func GeogID(id string, version int64) string { return fmt.Sprintf("g10_%s.%d", id[:8], version) }
