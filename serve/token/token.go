// Package token issues and verifies the JSON Web Tokens of v3 requests.
//
// Input: a client's credentials, or an Authorization header. Output: a signed token with its lifetime, or the account
// of a token. Tokens are signed with Ed25519; the keys are in the account store and are rotated there.
package token

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quartier/serve/account"
)

// The issuer and audiences of tokens.
const (
	Issuer          = "quartier"
	AudienceV3      = "location-insights-api" // accepted by v3; the default
	AudienceReports = "reports-api"           // the reports product; rejected by v3
)

// DefaultLifetime is the default lifetime of a token.
const DefaultLifetime = 12 * time.Hour

// maxTokenBytes is the maximum length of a token that is parsed; valid ones have about 330 bytes.
const maxTokenBytes = 2048

// Errors that the server maps to answers.
var (
	ErrForbidden   = errors.New("token is missing or invalid")
	ErrWrongClient = errors.New("wrong client_id or client_secret")
	ErrBadRequest  = errors.New("invalid token request")
)

// Directory is a live copy of the accounts; account.Live is one.
type Directory interface {
	// Client returns a client by id; nil if it is not known or is revoked.
	Client(id string) *account.Client
	// Find is Client, but looks for a client that is not known.
	Find(ctx context.Context, id string) *account.Client
	// Fresh returns account.ErrStale while the copy is too old to be used.
	Fresh(now time.Time) error
	// Access returns the account of an access key as the key may use it; nil for one that cannot be used.
	Access(key string) *account.Client
	// FindAccess is Access, but looks for a key that was made a moment ago.
	FindAccess(ctx context.Context, key string) *account.Client
	Keys() []account.Key
}

// Authority issues and verifies tokens. It is safe for concurrent use.
type Authority struct {
	directory Directory
	lifetime  time.Duration
	now       func() time.Time
	parser    *jwt.Parser
	verified  *cache
}

// NewAuthority makes an authority. The lifetime must be above 0 and under 24 hours.
func NewAuthority(directory Directory, lifetime time.Duration, now func() time.Time) (*Authority, error) {
	if lifetime <= 0 || lifetime >= 24*time.Hour {
		return nil, fmt.Errorf("token lifetime %v is not between 0 and 24 h", lifetime)
	}
	return &Authority{
		directory: directory, lifetime: lifetime, now: now, verified: newCache(cacheSize),
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}), jwt.WithIssuer(Issuer), jwt.WithAudience(AudienceV3),
			jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithTimeFunc(now), jwt.WithStrictDecoding()),
	}, nil
}

// Issue signs a token for a client whose secret was checked. The audience "" is AudienceV3.
func (a *Authority) Issue(client *account.Client, audience string) (string, error) {
	if audience == "" {
		audience = AudienceV3
	}
	var id [16]byte
	rand.Read(id[:])
	key := a.directory.Keys()[0]
	now := a.now()
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.RegisteredClaims{
		Issuer: Issuer, Subject: client.ID, Audience: jwt.ClaimStrings{audience}, ID: base64.RawURLEncoding.EncodeToString(id[:]),
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(a.lifetime)),
	})
	token.Header["kid"] = key.ID
	return token.SignedString(key.Private)
}

// Authenticate returns the account of an Authorization header, or ErrForbidden, or account.ErrStale. A verified token is cached
// until it expires; whether its account is revoked is checked on every request.
func (a *Authority) Authenticate(ctx context.Context, authorization string) (*account.Client, error) {
	raw, found := strings.CutPrefix(authorization, "Bearer ")
	if !found || raw == "" || len(raw) > maxTokenBytes {
		return nil, ErrForbidden
	}
	now := a.now()
	if err := a.directory.Fresh(now); err != nil {
		return nil, err
	}
	subject, known := a.verified.get(raw, now, a.knownKey)
	if !known {
		claims, kid, err := a.verify(raw)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrForbidden, err)
		}
		subject = claims.Subject
		a.verified.put(raw, entry{subject: subject, kid: kid, expires: claims.ExpiresAt.Time})
	}
	client := a.directory.Find(ctx, subject)
	if client == nil {
		return nil, ErrForbidden
	}
	return client, nil
}

// Recall is Authenticate for a token that was verified before, at no cost; nil for any other.
func (a *Authority) Recall(authorization string, now time.Time) *account.Client {
	raw, found := strings.CutPrefix(authorization, "Bearer ")
	if !found {
		return nil
	}
	subject, known := a.verified.get(raw, now, a.knownKey)
	if !known || a.directory.Fresh(now) != nil {
		return nil
	}
	return a.directory.Client(subject)
}

// Access returns the account of an access key as the key may use it, nil for one that cannot be used; or account.ErrStale.
func (a *Authority) Access(key string, now time.Time) (*account.Client, error) {
	if err := a.directory.Fresh(now); err != nil {
		return nil, err
	}
	return a.directory.Access(key), nil
}

// FindAccess is Access, but looks for a key that was made a moment ago.
func (a *Authority) FindAccess(ctx context.Context, key string) *account.Client {
	return a.directory.FindAccess(ctx, key)
}

func (a *Authority) verify(raw string) (*jwt.RegisteredClaims, string, error) {
	var claims jwt.RegisteredClaims
	token, err := a.parser.ParseWithClaims(raw, &claims, func(t *jwt.Token) (any, error) {
		for name := range t.Header {
			if name != "alg" && name != "typ" && name != "kid" {
				return nil, fmt.Errorf("unknown header %q", name)
			}
		}
		if t.Header["typ"] != "JWT" {
			return nil, errors.New("typ is not JWT")
		}
		kid, _ := t.Header["kid"].(string)
		key := a.publicKey(kid)
		if key == nil {
			return nil, errors.New("the signing key is not live")
		}
		return key, nil
	})
	if err != nil {
		return nil, "", err
	}
	if claims.Subject == "" || claims.IssuedAt == nil || claims.ID == "" {
		return nil, "", errors.New("a claim is missing")
	}
	return &claims, token.Header["kid"].(string), nil
}

func (a *Authority) publicKey(kid string) ed25519.PublicKey {
	for _, key := range a.directory.Keys() {
		if key.ID == kid {
			return key.Private.Public().(ed25519.PublicKey)
		}
	}
	return nil
}

// knownKey is called for every request and must not allocate.
func (a *Authority) knownKey(kid string) bool {
	for _, key := range a.directory.Keys() {
		if key.ID == kid {
			return true
		}
	}
	return false
}

// JWK is a public key as defined by RFC 8037.
type JWK struct {
	KeyType   string `json:"kty" enum:"KeyType" doc:"Kind of key."`
	Curve     string `json:"crv" enum:"Curve" doc:"Elliptic curve."`
	Use       string `json:"use" enum:"KeyUse" doc:"What the key is for."`
	Algorithm string `json:"alg" enum:"Algorithm" doc:"Algorithm of the signatures."`
	ID        string `json:"kid" doc:"Id of the key, as in the header of tokens."`
	X         string `json:"x" doc:"The public key, base64url."`
}

// KeySet is the body of /.well-known/jwks.json.
type KeySet struct {
	Keys []JWK `json:"keys" doc:"The public keys, those of a rotation included."`
}

// KeySet returns the public keys of the live signing keys.
func (a *Authority) KeySet() KeySet {
	set := KeySet{Keys: []JWK{}}
	for _, key := range a.directory.Keys() {
		public := key.Private.Public().(ed25519.PublicKey)
		set.Keys = append(set.Keys, JWK{"OKP", "Ed25519", "sig", "EdDSA", key.ID, base64.RawURLEncoding.EncodeToString(public)})
	}
	return set
}
