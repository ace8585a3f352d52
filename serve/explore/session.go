package explore

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"quartier/serve/limit"
)

const (
	// LinkValid is for how long a link can be opened, once.
	LinkValid = 15 * time.Minute
	// SessionValid is for how long a session lasts at most; it ends with the process, too.
	SessionValid = 12 * time.Hour

	maxLinks    = 4  // that are remembered, opened or not
	maxSessions = 16 // at once; a new one ends the oldest

	cookieName = "quartier_explore"
	secretText = 43 // characters of a key or session id: 256 bits in base64url
)

// wrongKeys limits tries of keys that are wrong, by address. A key cannot be guessed; the limit keeps those who try from
// keeping the server busy.
var wrongKeys = limit.Rate{PerSecond: 1, Burst: 10}

// secret is a random text of 256 bits, of which only the SHA-256 is kept: it has nothing that could be guessed, so that no
// salt is needed.
type secret struct {
	hash  [sha256.Size]byte
	until time.Time
}

func newSecret(until time.Time) (string, secret) {
	var random [32]byte
	rand.Read(random[:])
	text := base64.RawURLEncoding.EncodeToString(random[:])
	return text, secret{sha256.Sum256([]byte(text)), until}
}

// link is a key that was printed.
type link struct {
	secret
	opened bool
}

// door has the links and sessions of a process. The zero value is ready.
type door struct {
	mu       sync.RWMutex
	links    []link   // oldest first
	sessions []secret // oldest first
}

// newLink makes a key.
func (d *door) newLink(now time.Time) string {
	text, s := newSecret(now.Add(LinkValid))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links = append(d.links, link{secret: s})
	d.links = d.links[max(0, len(d.links)-maxLinks):]
	return text
}

// open exchanges a key for the id of a session: errWrongKey, errUsedKey or errOldKey.
func (d *door) open(key string, now time.Time) (string, error) {
	hash := sha256.Sum256([]byte(key))
	d.mu.Lock()
	defer d.mu.Unlock()
	found := -1
	for i := range d.links { // all are compared, whichever matches
		if subtle.ConstantTimeCompare(d.links[i].hash[:], hash[:]) == 1 {
			found = i
		}
	}
	switch {
	case len(key) != secretText || found < 0:
		return "", errWrongKey
	case d.links[found].opened:
		return "", errUsedKey
	case !now.Before(d.links[found].until):
		return "", errOldKey
	}
	d.links[found].opened = true
	id, s := newSecret(now.Add(SessionValid))
	d.sessions = append(d.sessions, s)
	d.sessions = d.sessions[max(0, len(d.sessions)-maxSessions):]
	return id, nil
}

// session reports whether an id is that of a session that has not ended.
func (d *door) session(id string, now time.Time) bool {
	if len(id) != secretText {
		return false
	}
	hash := sha256.Sum256([]byte(id))
	d.mu.RLock()
	defer d.mu.RUnlock()
	found := 0
	for i := range d.sessions {
		same := subtle.ConstantTimeCompare(d.sessions[i].hash[:], hash[:])
		if now.Before(d.sessions[i].until) {
			found |= same
		}
	}
	return found == 1
}

// end ends all sessions and makes links useless.
func (d *door) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links, d.sessions = nil, nil
}

// Link makes a link that begins a session once, within LinkValid. base is the address of the server for browsers,
// "http://127.0.0.1:8080".
func (e *Explorer) Link(base string) string {
	return base + Root + "open?key=" + e.door.newLink(e.now())
}

// answerOpen exchanges the key of a link for a session, and sends the browser to the page.
func (e *Explorer) answerOpen(v *visit, _ string) error {
	if err := e.follow(); err != nil {
		return err
	}
	now := e.now()
	id, err := e.door.open(v.HTTP.URL.Query().Get("key"), now)
	switch {
	case err == nil:
		v.W.Header()["Set-Cookie"] = []string{sessionCookie(v.origin, id).String()}
	case e.hasSession(v):
		// A link that was opened before, by the one who has the session: a reload, or the browser's history.
	case !e.wrong.Allow(v.Address, wrongKeys, now).Allowed:
		return errTooManyKeys
	default:
		return err
	}
	v.W.Header()["Location"] = []string{Root}
	v.W.WriteHeader(http.StatusSeeOther)
	return nil
}

func sessionCookie(origin, id string) *http.Cookie {
	return &http.Cookie{
		Name: nameOfCookie(origin), Value: id, Path: Root, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(origin, "https:"), MaxAge: int(SessionValid / time.Second),
	}
}

// nameOfCookie has the port of an origin: browsers send the cookies of a host to all of its ports, and two servers of one
// machine must not replace each other's.
func nameOfCookie(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	if _, port, err := net.SplitHostPort(host); err == nil {
		return cookieName + "_" + port
	}
	return cookieName
}

func (e *Explorer) hasSession(v *visit) bool {
	for _, c := range v.HTTP.CookiesNamed(nameOfCookie(v.origin)) {
		if e.door.session(c.Value, e.now()) {
			return true
		}
	}
	return false
}

// follow ends all sessions if the account is revoked: a session outlives nothing that made it.
func (e *Explorer) follow() error {
	if err := e.accounts.Fresh(e.now()); err != nil {
		return errStale
	}
	if e.accounts.Client(e.account) == nil {
		e.door.end()
		return errRevoked
	}
	return nil
}

// enter gives a visit the account of its session.
func (e *Explorer) enter(v *visit) error {
	if err := e.follow(); err != nil {
		return err
	}
	if !e.hasSession(v) {
		return errNoSession
	}
	if v.account = e.accounts.Client(e.account); v.account == nil {
		return errRevoked
	}
	return nil
}
