package account

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
)

// LiveKeys is the number of live signing keys: the newest signs, all of them verify.
const LiveKeys = 2

// Key is one signing key.
type Key struct {
	ID        string // kid
	Private   ed25519.PrivateKey
	CreatedAt string // RFC 3339, UTC
}

// NewKey makes a random key.
func NewKey(createdAt string) Key {
	var id [8]byte
	var seed [ed25519.SeedSize]byte
	rand.Read(id[:])
	rand.Read(seed[:])
	return Key{ID: hex.EncodeToString(id[:]), Private: ed25519.NewKeyFromSeed(seed[:]), CreatedAt: createdAt}
}
