// Package account has the clients of the API with hashed secrets, their agreements, and the keys that sign tokens.
// Operator commands write them into the state; the server reads a live copy that follows it within seconds.
//
// Input: a Directory, which package state has. Output: Client values, never a secret.
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

// Errors that callers distinguish.
var (
	ErrUnknownClient = errors.New("unknown client")
	ErrBadAgreement  = errors.New("invalid agreement")
)

// Client is an account that may call the API.
type Client struct {
	ID        string    `json:"client_id"`
	Customer  string    `json:"customer"`
	Agreement Agreement `json:"agreement"`
	CreatedAt string    `json:"created_at"`           // RFC 3339, UTC
	RevokedAt string    `json:"revoked_at,omitempty"` // RFC 3339, UTC; absent if not revoked

	Salt []byte `json:"-"`
	Hash []byte `json:"-"` // SHA-256 of the salt and the secret

	Key *AccessKey `json:"-"` // by which its account is called; ID is that of the key then, and Agreement what is left of the account's
}

// Matches reports whether secret is the client's, in constant time.
func (c *Client) Matches(secret string) bool {
	return subtle.ConstantTimeCompare(hashSecret(c.Salt, secret), c.Hash) == 1
}

// Check returns an error for a client that cannot be used, as a damaged row gives.
func (c *Client) Check() error {
	switch {
	case c.ID == "" || strings.TrimSpace(c.Customer) == "":
		return errors.New("its id or customer is empty")
	case len(c.Hash) != sha256.Size:
		return fmt.Errorf("its secret has a hash of %d bytes, not %d", len(c.Hash), sha256.Size)
	}
	return nil
}

// Credentials are shown once, when a client is created; the store has only a hash.
type Credentials struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

// hashSecret is one salted SHA-256. Secrets are 256 random bits, which cannot be guessed from their hash; a slow
// password hash would only make it easier to overload the token endpoint.
func hashSecret(salt []byte, secret string) []byte {
	h := sha256.New()
	h.Write(salt)
	h.Write([]byte(secret))
	return h.Sum(nil)
}

// New makes a client with random credentials. The secret cannot be retrieved later.
func New(customer string, agreement Agreement, createdAt string) (*Client, Credentials, error) {
	if strings.TrimSpace(customer) == "" {
		return nil, Credentials{}, fmt.Errorf("%w: the name of the customer is empty", ErrBadAgreement)
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
	client := &Client{ID: made.ClientID, Customer: customer, Agreement: agreement, CreatedAt: createdAt, Salt: salt[:]}
	client.Hash = hashSecret(client.Salt, made.ClientSecret)
	return client, made, nil
}
