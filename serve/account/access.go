package account

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"quartier/schemas"
)

// ErrUnknownKey is returned for the id of an access key that there is not.
var ErrUnknownKey = errors.New("unknown key")

// The kinds of access keys.
const (
	Publishable = "publishable" // stands in web pages: whoever reads one has it
	Signing     = "signing"     // names a secret of a back end, which signs addresses of pictures
)

// What access keys and their ids begin with: they are recognised in pages, logs and leaks.
const (
	publishablePrefix = "qp_"
	publishableID     = "qpk_"
	signingPrefix     = "qs_"
)

// AccessKey lets pages and readers of an account, who must not have its secret, ask for little. It works as long as neither itself
// nor its account is revoked.
type AccessKey struct {
	ID        string   `json:"id,omitempty"` // of a signing key: the key itself
	Kind      string   `json:"kind,omitempty"`
	ClientID  string   `json:"client_id,omitempty"`  // of its account
	Origins   []string `json:"origins,omitempty"`    // of the pages of a publishable key
	Scores    []string `json:"scores,omitempty"`     // none: those of the account
	Regions   []string `json:"regions,omitempty"`    // none: those of the account
	Rate      int      `json:"rate"`                 // requests per second, beside those of the account
	CreatedAt string   `json:"created_at,omitempty"` // RFC 3339, UTC
	RevokedAt string   `json:"revoked_at,omitempty"`

	Verifier []byte `json:"-"` // SHA-256 of a publishable key; the secret of a signing key
}

// AccessCredentials are shown once, when a key is created. The secret of a publishable key is "".
type AccessCredentials struct {
	Key    string `json:"key"`
	Secret string `json:"secret,omitempty"`
}

// NewAccessKey completes a key, of which kind, origins, scores, regions and rate (0: DefaultRate) are given, for an account.
func NewAccessKey(k AccessKey, of *Client, createdAt string) (*AccessKey, AccessCredentials, error) {
	terms, err := Agreement{Scores: k.Scores, Regions: k.Regions, Rate: k.Rate}.normalise()
	if err != nil {
		return nil, AccessCredentials{}, err
	}
	if len(k.Scores) > 0 {
		k.Scores = terms.Scores
	}
	k.Regions, k.Rate, k.ClientID, k.CreatedAt = terms.Regions, terms.Rate, of.ID, createdAt
	slices.Sort(k.Origins)
	k.Origins = slices.Compact(k.Origins)
	var random [32]byte
	rand.Read(random[:])
	var made AccessCredentials
	if k.Kind == Publishable {
		made.Key = publishablePrefix + base64.RawURLEncoding.EncodeToString(random[:])
		k.ID, k.Verifier = AccessID(made.Key), hashKey(made.Key)
	} else {
		var id [10]byte
		rand.Read(id[:])
		made = AccessCredentials{signingPrefix + lowerBase32(id[:]), base64.RawURLEncoding.EncodeToString(random[:])}
		k.ID, k.Verifier = made.Key, []byte(made.Secret)
	}
	if err := k.Check(); err != nil {
		return nil, AccessCredentials{}, fmt.Errorf("%w: %w", ErrBadAgreement, err)
	}
	if k.client(of) == nil {
		return nil, AccessCredentials{}, fmt.Errorf("%w: the account %s has none of these scores or regions", ErrBadAgreement, of.ID)
	}
	return &k, made, nil
}

// AccessID is the id of an access key. Nobody can make a publishable key from its id, which logs and lists have.
func AccessID(key string) string {
	if strings.HasPrefix(key, publishablePrefix) {
		return publishableID + lowerBase32(hashKey(key)[:10])
	}
	return key
}

func lowerBase32(b []byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
}

// hashKey is one SHA-256, as keys are 256 random bits.
func hashKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// Check returns an error for a key that cannot be used, as a damaged row gives.
func (k *AccessKey) Check() error {
	switch {
	case k.ID == "" || k.ClientID == "":
		return errors.New("its id or account is empty")
	case k.Kind != Publishable && k.Kind != Signing:
		return fmt.Errorf("its kind is %q", k.Kind)
	case k.Rate < 1:
		return fmt.Errorf("its rate is %d", k.Rate)
	case len(k.Verifier) < sha256.Size:
		return fmt.Errorf("its hash or secret has %d bytes", len(k.Verifier))
	case (k.Kind == Publishable) != (len(k.Origins) > 0):
		return errors.New("publishable keys, and no others, have origins")
	}
	for _, origin := range k.Origins {
		if err := CheckPageOrigin(origin); err != nil {
			return err
		}
	}
	return nil
}

// CheckPageOrigin returns an error for what is not the origin of pages on which a publishable key may stand, as browsers send it:
// "https://portal.example". Pages that come by http can be changed on their way, unless that is inside a computer.
func CheckPageOrigin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || text != u.Scheme+"://"+u.Host || strings.Trim(u.Host, originCharacters) != "" ||
		u.Scheme != "https" && u.Scheme != "http" || u.Port() == map[string]string{"https": "443", "http": "80"}[u.Scheme] && u.Port() != "" ||
		strings.HasSuffix(u.Host, ":") {
		return fmt.Errorf("%q is not an origin such as https://portal.example: a scheme and a host in lower case, a port that is not the "+
			"usual one, no path, no wildcard", text)
	}
	if host := u.Hostname(); u.Scheme == "http" && host != "localhost" && !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("the origin %q is http, which is for this computer alone (localhost, 127.0.0.1): use https", text)
	}
	return nil
}

const originCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-.:[]"

// client is the account of a key with what the key lets of its agreement: products are limited by endpoint. It is nil where
// nothing is left, or the account is revoked.
func (k *AccessKey) client(of *Client) *Client {
	if of == nil || of.RevokedAt != "" || k.RevokedAt != "" {
		return nil
	}
	a := of.Agreement
	a.CustomGeographies, a.Rate = false, k.Rate
	if len(k.Scores) > 0 {
		a.Scores = slices.DeleteFunc(slices.Clone(a.Scores), func(s string) bool { return !slices.Contains(k.Scores, s) })
	}
	if len(k.Regions) > 0 {
		a.Regions = slices.DeleteFunc(slices.Clone(k.Regions), func(region string) bool {
			within := func(allowed string) bool { return schemas.RegionMatches(region, allowed) }
			return !of.Agreement.Unrestricted() && !slices.ContainsFunc(of.Agreement.Regions, within)
		})
	}
	if len(a.Scores) == 0 || len(k.Regions) > 0 && len(a.Regions) == 0 {
		return nil // no regions would be all of them
	}
	return &Client{ID: k.ID, Customer: of.Customer, Agreement: a, CreatedAt: k.CreatedAt, Key: k}
}

// holds reports, in constant time, whether a text is the key.
func (k *AccessKey) holds(key string) bool {
	if k.Kind == Publishable {
		return subtle.ConstantTimeCompare(hashKey(key), k.Verifier) == 1
	}
	return key == k.ID
}

// AllowsOrigin reports whether pages of an origin, as their browser sends it, may use a publishable key.
func (k *AccessKey) AllowsOrigin(origin string) bool { return slices.Contains(k.Origins, origin) }

// Signs reports, in constant time, whether a signature is the HMAC-SHA256 of a text with the secret of a signing key.
func (k *AccessKey) Signs(text string, signature []byte) bool {
	mac := hmac.New(sha256.New, k.Verifier)
	mac.Write([]byte(text))
	return k.Kind == Signing && hmac.Equal(mac.Sum(nil), signature)
}
