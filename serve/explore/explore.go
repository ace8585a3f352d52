// Package explore lets a person look at a release in a browser: the page below /explore, for an operator, bound to one
// account.
//
// Input: the releases and accounts of a server, and requests below /explore that it hands over (Explore). Output: answers;
// calls of the API are passed back to the server's own handlers, with the account as the caller, so that they have the
// rights, limits, errors and headers that the account has with a token.
//
// No credential reaches the page. A link with a random key, printed once where the operator reads, is exchanged for a
// session, which the browser keeps in a cookie that scripts cannot read (session.go). Requests must be of this origin
// (guard.go).
package explore

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"quartier/serve/account"
	"quartier/serve/explore/page"
	"quartier/serve/limit"
	"quartier/serve/release"
)

// Root is the path of the page. All that the explorer answers is below it.
const Root = "/explore/"

// Accounts is a live copy of the accounts; account.Live is one.
type Accounts interface {
	// Client returns an account by id; nil if it is not known or is revoked.
	Client(id string) *account.Client
	// Fresh returns account.ErrStale while the copy is too old to be used.
	Fresh(now time.Time) error
}

// Options configure an Explorer. Releases, Accounts and Account are required.
type Options struct {
	Releases *release.Holder
	Accounts Accounts
	Account  string           // id of the account that sessions are bound to
	Hosts    []Host           // by which browsers reach the server, besides its addresses
	Against  *Comparison      // with what releases are compared; nil: nothing
	Log      *slog.Logger     // nil: discarded
	Now      func() time.Time // nil: time.Now

	Explainer func(folder string) (Explainer, error) // opens the places in a folder; nil: nothing is explained
}

// Explorer answers what is below Root. It is made by New and safe for concurrent use.
type Explorer struct {
	releases *release.Holder
	accounts Accounts
	account  string
	hosts    []Host
	log      *slog.Logger
	now      func() time.Time

	door  door
	wrong *limit.Memory // keys that are wrong, by address
	files map[string]*file
	views views

	open        func(folder string) (Explainer, error)
	explainers  prepared[Explainer]
	against     *Comparison
	comparisons prepared[*report]
}

// New makes an explorer without sessions; Link makes the link that begins one.
func New(o Options) (*Explorer, error) {
	if o.Releases == nil || o.Accounts == nil || o.Account == "" {
		return nil, errors.New("explore: no releases, no accounts or no account")
	}
	e := &Explorer{releases: o.Releases, accounts: o.Accounts, account: o.Account, hosts: o.Hosts, log: o.Log, now: o.Now,
		wrong: limit.NewMemory()}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.now == nil {
		e.now = time.Now
	}
	files, err := page.Files()
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	e.files = newFiles(files)
	e.open, e.explainers.make, e.explainers.drop = o.Explainer, e.openExplainer, e.closeExplainer
	e.against, e.comparisons.make = o.Against, e.compare
	return e, nil
}

// Close ends what runs in the background. No request may be answered afterwards.
func (e *Explorer) Close() {
	e.explainers.close()
	e.comparisons.close()
}

// Visit is a request below Root, as the server has it.
type Visit struct {
	W    http.ResponseWriter
	HTTP *http.Request
	Path string // of the URL, with escapes resolved except for slashes
	Server
}

// Server is what the explorer asks the server about a request.
type Server interface {
	// Address is where the request came from: wrong keys are limited by it.
	Address() string
	// Pace puts the answer to somebody without a session off, while very many ask so.
	Pace()
	// API answers a request of a path below /v3 as an account, as if it had sent a token.
	API(w http.ResponseWriter, in *http.Request, as *account.Client)
}

// Owns reports whether a path is the explorer's.
func Owns(path string) bool { return strings.HasPrefix(path, Root) || path == Root[:len(Root)-1] }

// handler is a part below Root.
type handler struct {
	route  string // for metrics and the access log, which have no values of callers
	answer func(e *Explorer, v *visit, rest string) error
	allow  []string // methods; nil: GET and HEAD
	below  bool     // it has paths below its own, which are rest
	public bool     // it needs no session
	tiles  bool     // answers are no documents, and many
}

// handlers are found by the first segment of the path below Root.
var handlers = map[string]handler{
	"":             {route: "/explore/", answer: (*Explorer).answerPage},
	"open":         {route: "/explore/open", answer: (*Explorer).answerOpen, allow: onlyGet, public: true},
	"again":        {route: againPath, answer: (*Explorer).answerAgain, allow: onlyGet},
	"again.js":     {route: againScript, answer: (*Explorer).answerAgainScript, public: true},
	"files":        {route: "/explore/files/{name}", answer: (*Explorer).answerFile, below: true},
	"api":          {route: "/explore/api/{path}", answer: (*Explorer).answerAPI, allow: anyMethod, below: true},
	"tiles":        {route: "/explore/tiles/{archive}/{z}/{x}/{y}.mvt", answer: (*Explorer).answerTile, below: true, tiles: true},
	"explain":      {route: "/explore/explain", answer: (*Explorer).answerExplain},
	"parents":      {route: "/explore/parents/{geog_id}", answer: (*Explorer).answerParents, below: true},
	"changes":      {route: "/explore/changes", answer: (*Explorer).answerChanges},
	"areas":        {route: "/explore/areas", answer: (*Explorer).answerAreas},
	"context":      {route: "/explore/context", answer: (*Explorer).answerContext},
	"rings":        {route: "/explore/rings", answer: (*Explorer).answerRings},
	"search":       {route: "/explore/search", answer: (*Explorer).answerSearch},
	"release.json": {route: "/explore/release.json", answer: (*Explorer).answerRelease},
}

var (
	onlyGet   = []string{http.MethodGet}
	anyMethod = []string{"*"} // the API knows which methods a path has
)

// unknownRoute is the name of the route of paths that do not exist.
const unknownRoute = "/explore/{unknown}"

// Routes are the names that RouteOf returns.
func Routes() []string {
	names := []string{unknownRoute}
	for _, h := range handlers {
		names = append(names, h.route)
	}
	return names
}

// RouteOf names the route of a path.
func RouteOf(path string) string {
	if path == Root[:len(Root)-1] {
		path = Root // where it leads to
	}
	if h, _, ok := find(path); ok {
		return h.route
	}
	return unknownRoute
}

// find returns the handler of a path and what follows its own path; false if there is none.
func find(path string) (h handler, rest string, ok bool) {
	path, ok = strings.CutPrefix(path, Root)
	if !ok { // an escaped slash
		return h, "", false
	}
	first, rest, below := strings.Cut(path, "/")
	h, ok = handlers[first]
	return h, rest, ok && below == h.below
}

// visit is a Visit while it is answered.
type visit struct {
	Visit
	now          time.Time
	scheme, host string           // of this server as the browser sees it: "http", "127.0.0.1:8080"
	account      *account.Client  // of the session; nil without one
	release      *release.Release // that is current when the request comes; nil: there is none
	passedOn     bool             // to the API: the answer is its own

	// Values of headers with one value. The header map needs slices; slices of these arrays are not allocated.
	digest, tag, length [1]string
}

// origin is that of this server as the browser sees it: "http://127.0.0.1:8080".
func (v *visit) origin() string { return v.scheme + "://" + v.host }

// Explore answers a request. passedOn reports whether the answer is that of the API to the request as a whole.
func (e *Explorer) Explore(in Visit) (passedOn bool) {
	v := &visit{Visit: in, now: e.now(), release: e.releases.Acquire()}
	setHeaders(v.W.Header(), guards)
	if v.release != nil {
		defer v.release.Done()
		v.digest[0] = v.release.Digest()
		v.W.Header()[ReleaseHeader] = v.digest[:]
	}
	err := e.explore(v)
	if v.account == nil {
		v.Server.Pace()
	}
	if err != nil {
		e.writeError(v, err)
	}
	return v.passedOn
}

func (e *Explorer) explore(v *visit) error {
	h, rest, ok := find(v.Path)
	if !h.tiles {
		setHeaders(v.W.Header(), documentGuards)
	}
	if err := e.checkOrigin(v); err != nil {
		return err
	}
	if v.Path == Root[:len(Root)-1] {
		v.W.Header()["Location"] = []string{Root}
		v.W.WriteHeader(http.StatusPermanentRedirect)
		return nil
	}
	if !h.public {
		if err := e.enter(v); err != nil {
			return err
		}
	}
	if !ok {
		return errNoPath
	}
	if err := allowMethod(v, h.allow); err != nil {
		return err
	}
	return h.answer(e, v, rest)
}

// allowMethod checks the method of a request against those of its path.
func allowMethod(v *visit, allow []string) error {
	if allow == nil {
		allow = []string{http.MethodGet, http.MethodHead}
	}
	for _, method := range allow {
		if method == v.HTTP.Method || method == "*" {
			return nil
		}
	}
	v.W.Header()["Allow"] = []string{strings.Join(allow, ", ")}
	return errMethod
}
