// Package account keeps who may call the API: clients with hashed secrets, the agreements that say what they may ask
// for, and the keys that sign their tokens. Operator commands write it, the server reads a live copy that follows the
// store within seconds.
//
// In: a state DSN (`sqlite:PATH` or a plain path). Out: Client values, never a secret.
package account

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Errors that callers tell apart.
var (
	ErrUnknownClient = errors.New("unknown client")
	ErrBadAgreement  = errors.New("bad agreement")
	ErrBadDSN        = errors.New("bad state DSN")
)

// Client is an account that may call the API.
type Client struct {
	ID        string    `json:"client_id"`
	Customer  string    `json:"customer"`
	Agreement Agreement `json:"agreement"`
	CreatedAt string    `json:"created_at"`           // RFC 3339, UTC
	RevokedAt string    `json:"revoked_at,omitempty"` // RFC 3339, UTC; absent while the client is good

	salt, hash []byte
}

// Matches reports whether secret is the client's. It takes the same time whichever byte differs.
func (c *Client) Matches(secret string) bool {
	return subtle.ConstantTimeCompare(hashSecret(c.salt, secret), c.hash) == 1
}

// Credentials are shown once, when a client is made; the store keeps only a hash.
type Credentials struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

// hashSecret is one salted SHA-256. Secrets are 256 random bits that nobody chose, so they cannot be guessed from
// their hash, and a slow password hash would only let strangers keep the token endpoint busy.
func hashSecret(salt []byte, secret string) []byte {
	h := sha256.New()
	h.Write(salt)
	h.Write([]byte(secret))
	return h.Sum(nil)
}

// newClient makes a client with fresh random credentials.
func newClient(customer string, agreement Agreement) (*Client, Credentials, error) {
	if strings.TrimSpace(customer) == "" {
		return nil, Credentials{}, fmt.Errorf("%w: the customer has no name", ErrBadAgreement)
	}
	agreement, err := agreement.normalise()
	if err != nil {
		return nil, Credentials{}, err
	}
	var id [10]byte
	var secret, salt [32]byte
	rand.Read(id[:])
	rand.Read(secret[:])
	rand.Read(salt[:])
	made := Credentials{
		ClientID:     "qc_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])),
		ClientSecret: base64.RawURLEncoding.EncodeToString(secret[:]),
	}
	client := &Client{ID: made.ClientID, Customer: customer, Agreement: agreement, salt: salt[:]}
	client.hash = hashSecret(client.salt, made.ClientSecret)
	return client, made, nil
}
