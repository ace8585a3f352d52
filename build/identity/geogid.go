package identity

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strconv"

	"quartier/schemas"
)

// idAlphabet is RFC 4648's, in lower case.
var idAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// GeogID returns the id of a boundary version: "g", the level, "_" and the first 10 base32 characters (50 bits) of the
// SHA-256 of the source key, a zero byte and the version in decimal. Version 1 of the municipality
// "census:place:4159000" is "g30_s3o2us3csi". Private geographies use the same form.
func GeogID(level schemas.Level, key string, version int) string {
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(version)))
	return "g" + strconv.Itoa(int(level)) + "_" + idAlphabet.EncodeToString(sum[:])[:10]
}

// Version is one boundary version of a geography, identified by a geog_id.
type Version struct {
	Key    string // source key in the release
	IDKey  string // source key that the id was made from; differs from Key after a publisher renamed the key
	Number int    // boundary version, from 1
	ID     string // geog_id
}

// Registry issues geog_ids and knows all that were ever issued, so that none is reused.
type Registry struct {
	newest map[string]int    // newest version by id key
	owner  map[string]string // geog_id → "key version n"
}

// NewRegistry returns a registry without ids.
func NewRegistry() *Registry {
	return &Registry{newest: map[string]int{}, owner: map[string]string{}}
}

// AddAll enters all ids of a history.
func (r *Registry) AddAll(h History) error {
	for _, o := range h.Current {
		if err := r.Add(o.Level, o.Version); err != nil {
			return err
		}
	}
	for _, s := range h.Superseded {
		if err := r.Add(s.Level, s.Version); err != nil {
			return err
		}
	}
	return nil
}

// Add enters an existing id. It fails where the id does not follow from its key and version, or is already in use.
func (r *Registry) Add(level schemas.Level, v Version) error {
	if want := GeogID(level, v.IDKey, v.Number); want != v.ID {
		return fmt.Errorf("geog_id %s of %s version %d should be %s", v.ID, v.IDKey, v.Number, want)
	}
	owner := fmt.Sprintf("%s version %d", v.IDKey, v.Number)
	if other, taken := r.owner[v.ID]; taken {
		return fmt.Errorf("geog_id %s collides: %s and %s", v.ID, other, owner)
	}
	r.owner[v.ID] = owner
	r.newest[v.IDKey] = max(r.newest[v.IDKey], v.Number)
	return nil
}

// issue returns the next version of a key: one more than the newest of the key and of its predecessor's version, which
// is 0 where there is no predecessor.
func (r *Registry) issue(level schemas.Level, key string, predecessor int) (Version, error) {
	v := Version{Key: key, IDKey: key, Number: max(r.newest[key], predecessor) + 1}
	v.ID = GeogID(level, key, v.Number)
	return v, r.Add(level, v)
}
