package build

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strconv"

	"quartier/schemas"
)

// idAlphabet is RFC 4648's, in lower case.
var idAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// GeogID is the id of a boundary version: "g", the level, "_" and the first 10 base32 characters (50 bits) of the
// SHA-256 of the source key, a zero byte and the version in decimal. Private geographies take theirs from it too.
func GeogID(level schemas.Level, key string, version int) string {
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(version)))
	return "g" + strconv.Itoa(int(level)) + "_" + idAlphabet.EncodeToString(sum[:])[:10]
}

// edition is one version of an outline: what an id stands for.
type edition struct {
	Key     string // source key under which the release has it
	IDKey   string // source key that the id was made from
	Version int    // from 1
	ID      string
}

// ledger hands out ids and remembers every one that any release gave, so that none is given twice.
type ledger struct {
	versions map[string]int    // newest version by id key
	owner    map[string]string // id → "key version"
}

func newLedger() *ledger {
	return &ledger{versions: map[string]int{}, owner: map[string]string{}}
}

// record enters an id that stands already. It fails where the id is not the one of its key and version, or stands
// for something else as well.
func (l *ledger) record(level schemas.Level, e edition) error {
	if want := GeogID(level, e.IDKey, e.Version); want != e.ID {
		return fmt.Errorf("geog_id %s of %s version %d should be %s", e.ID, e.IDKey, e.Version, want)
	}
	what := fmt.Sprintf("%s version %d", e.IDKey, e.Version)
	if other, taken := l.owner[e.ID]; taken {
		return fmt.Errorf("geog_id %s collides: %s and %s", e.ID, other, what)
	}
	l.owner[e.ID] = what
	l.versions[e.IDKey] = max(l.versions[e.IDKey], e.Version)
	return nil
}

// issue gives an outline that is new under its key the next version: one more than any that the key and its
// predecessor (0: none) ever had.
func (l *ledger) issue(level schemas.Level, key string, predecessor int) (edition, error) {
	e := edition{Key: key, IDKey: key, Version: max(l.versions[key], predecessor) + 1}
	e.ID = GeogID(level, key, e.Version)
	return e, l.record(level, e)
}
