package explore

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quartier/serve/account"
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
	mu       sync.Mutex               // of changes
	links    []link                   // oldest first
	sessions atomic.Pointer[[]secret] // oldest first; nil: none. Every request reads them, so that a change makes another list
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
	var sessions []secret
	if old := d.sessions.Load(); old != nil {
		sessions = slices.Clone(*old)
	}
	sessions = append(sessions, s)
	sessions = sessions[max(0, len(sessions)-maxSessions):]
	d.sessions.Store(&sessions)
	return id, nil
}

// session reports whether an id is that of a session that has not ended.
func (d *door) session(id string, now time.Time) bool {
	sessions := d.sessions.Load()
	if len(id) != secretText || sessions == nil {
		return false
	}
	hash := sha256.Sum256([]byte(id))
	found := 0
	for i := range *sessions { // all are compared, whichever matches
		s := &(*sessions)[i]
		same := subtle.ConstantTimeCompare(s.hash[:], hash[:])
		if now.Before(s.until) {
			found |= same
		}
	}
	return found == 1
}

// end ends all sessions and makes links useless.
func (d *door) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links = nil
	d.sessions.Store(nil)
}

// Link makes a link that begins a session once, within LinkValid. base is the address of the server for browsers,
// "http://127.0.0.1:8080".
func (e *Explorer) Link(base string) string {
	return base + Root + "open?key=" + e.door.newLink(e.now())
}

// answerOpen exchanges the key of a link for a session, and sends the browser to the page.
func (e *Explorer) answerOpen(v *visit, _ string) error {
	if _, err := e.follow(v.now); err != nil {
		return err
	}
	if fetchedAhead(v.HTTP) {
		return errPrefetched
	}
	id, err := e.door.open(v.HTTP.URL.Query().Get("key"), v.now)
	switch {
	case err == nil:
		v.W.Header()["Set-Cookie"] = []string{sessionCookie(v, id).String()}
	case e.hasSession(v):
		// A link that was opened before, by the one who has the session: a reload, or the browser's history.
	case !e.wrong.Allow(v.Address(), wrongKeys, v.now).Allowed:
		return errTooManyKeys
	default:
		return err
	}
	v.W.Header()["Location"] = []string{Root}
	v.W.WriteHeader(http.StatusSeeOther)
	return nil
}

// fetchedAhead reports whether a browser or a program that shows previews asks for what may be opened later, which must not
// use up the link.
func fetchedAhead(in *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		for _, purpose := range in.Header[name] {
			if strings.Contains(strings.ToLower(purpose), "prefetch") || strings.EqualFold(purpose, "preview") {
				return true
			}
		}
	}
	return false
}

func sessionCookie(v *visit, id string) *http.Cookie {
	return &http.Cookie{
		Name: nameOfCookie(v.host), Value: id, Path: Root, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: v.scheme == "https", MaxAge: int(SessionValid / time.Second),
	}
}

// nameOfCookie has the port of a host: browsers send the cookies of a host to all of its ports, and two servers of one
// machine must not replace each other's.
func nameOfCookie(host string) string {
	if _, port, err := net.SplitHostPort(host); err == nil {
		return cookieName + "_" + port
	}
	return cookieName
}

func (e *Explorer) hasSession(v *visit) bool {
	name := nameOfCookie(v.host)
	for _, line := range v.HTTP.Header["Cookie"] { // by hand: net/http's parser makes a struct of each, for every tile
		for pair := range strings.SplitSeq(line, ";") {
			key, id, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if key == name && e.door.session(id, v.now) {
				return true
			}
		}
	}
	return false
}

// follow returns the account of all sessions. It ends them if the account is revoked: a session outlives nothing that made
// it.
func (e *Explorer) follow(now time.Time) (*account.Client, error) {
	if err := e.accounts.Fresh(now); err != nil {
		return nil, errStale
	}
	client := e.accounts.Client(e.account)
	if client == nil {
		e.door.end()
		return nil, errRevoked
	}
	return client, nil
}

// enter gives a visit the account of its session.
func (e *Explorer) enter(v *visit) error {
	client, err := e.follow(v.now)
	if err != nil {
		return err
	}
	if !e.hasSession(v) {
		return errNoSession
	}
	v.account = client
	return nil
}
