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

	door   door
	wrong  *limit.Memory // keys that are wrong, by address
	files  map[string]*file
	extent extents

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
	e := &Explorer{releases: o.Releases, accounts: o.Accounts, account: o.Account, hosts: o.Hosts, log: o.Log, now: o.Now, wrong: limit.NewMemory()}
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

// Visit is a request below Root, with what the server knows of it.
type Visit struct {
	W       http.ResponseWriter
	HTTP    *http.Request
	Path    string // of the URL, with escapes resolved except for slashes
	Address string // that it came from: wrong keys are limited by it

	PassedOn bool // set by Explore: the answer is that of the API to the request as a whole

	// API answers a request of a path below /v3 as an account, as if it had sent a token.
	API func(w http.ResponseWriter, in *http.Request, as *account.Client)
}

// Owns reports whether a path is the explorer's.
func Owns(path string) bool { return strings.HasPrefix(path, Root) || path == Root[:len(Root)-1] }

// handlers are the parts below Root, by the first segment of the rest of the path.
var handlers = map[string]struct {
	route  string // for metrics and the access log, which have no values of callers
	answer func(*Explorer, *visit, string) error
	allow  []string // methods; nil: GET and HEAD
}{
	"":             {"/explore/", (*Explorer).answerPage, nil},
	"open":         {"/explore/open", (*Explorer).answerOpen, []string{http.MethodGet}},
	"files":        {"/explore/files/{name}", (*Explorer).answerFile, nil},
	"api":          {"/explore/api/{path}", (*Explorer).answerAPI, anyMethod},
	"tiles":        {"/explore/tiles/{archive}/{z}/{x}/{y}.mvt", (*Explorer).answerTile, nil},
	"explain":      {"/explore/explain", (*Explorer).answerExplain, nil},
	"changes":      {"/explore/changes", (*Explorer).answerChanges, nil},
	"release.json": {"/explore/release.json", (*Explorer).answerRelease, nil},
}

// anyMethod leaves it to the API which methods a path has.
var anyMethod = []string{"*"}

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
	first, _ := divide(path)
	if h, ok := handlers[first]; ok {
		return h.route
	}
	return unknownRoute
}

// divide returns the first segment of a path below Root and what follows it.
func divide(path string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimPrefix(path, Root), "/")
	return first, rest
}

// visit is a Visit while it is answered.
type visit struct {
	*Visit
	origin  string          // of this server as the browser sees it, "http://127.0.0.1:8080"
	account *account.Client // of the session; nil without one
}

// Explore answers a request.
func (e *Explorer) Explore(in *Visit) {
	v := &visit{Visit: in}
	setHeaders(v.W.Header())
	if r := e.releases.Acquire(); r != nil {
		v.W.Header()[ReleaseHeader] = []string{r.Digest()}
		r.Done()
	}
	if err := e.explore(v); err != nil {
		e.writeError(v, err)
	}
}

func (e *Explorer) explore(v *visit) error {
	if err := e.checkOrigin(v); err != nil {
		return err
	}
	if v.Path == Root[:len(Root)-1] {
		v.W.Header()["Location"] = []string{Root}
		v.W.WriteHeader(http.StatusPermanentRedirect)
		return nil
	}
	first, rest := divide(v.Path)
	h, ok := handlers[first]
	if first != "open" {
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
