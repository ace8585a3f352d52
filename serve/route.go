package serve

import (
	"net/http"
	"net/url"
	"strings"
	"sync"

	"quartier/schemas"
	"quartier/serve/openapi"
	"quartier/serve/param"
)

// route is one method of one path: what it declares, and how it answers.
type route struct {
	method  string
	path    string // "/v3/geographies/{geog_id}"; only the last segment may be a variable
	product string // of the agreement; "" where no credential is asked for
	summary string // one line in English
	doc     string // what the document says beyond the summary
	params  []param.Spec
	levels  []schemas.Level   // of a {geog_id}; others are not found
	segment *openapi.Variable // the variable segment where it is no geog_id
	body    any               // zero value of the request body's type as JSON; nil: none
	form    any               // the same of the body as a form; nil: none
	answer  any               // zero value of the answer's type
	accepts bool              // judges Accept: the answer is JSON alone
	refuses []error           // sentinels that it can answer with, beyond those of every v3 endpoint

	serve func(*exchange) error
	*stats
}

// define completes a v3 route: its parameters are those of the set, and answer gets them parsed. The structs that
// queries are parsed into are kept for later requests.
func define[Q any](r route, set *param.Set[Q], answer func(*exchange, *Q) error) *route {
	r.method, r.accepts = http.MethodGet, true
	r.params = set.Specs()
	pool := sync.Pool{New: func() any { return new(Q) }}
	r.serve = func(x *exchange) error {
		q := pool.Get().(*Q)
		defer pool.Put(q)
		*q = *new(Q)
		var err error
		if x.canonical, err = set.Parse(x.r.URL.RawQuery, q, x.canonical); err != nil {
			return err
		}
		return answer(x, q)
	}
	return &r
}

func (r *route) hasVariable() bool { return strings.HasSuffix(r.path, "}") }

// pathOf is the path of a URL without escapes, but for escaped slashes, which separate nothing and are in no path here.
func pathOf(u *url.URL) string {
	if u.RawPath == "" {
		return u.Path
	}
	escaped := strings.NewReplacer("%2F", "%252F", "%2f", "%252F").Replace(u.EscapedPath())
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return u.Path // cannot be: the URL was read already
	}
	return path
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// table finds routes by path and method.
type table struct {
	fixed    map[string]*node // by path
	variable map[string]*node // by path up to its variable
	unknown  *stats           // of requests that no route answers
	all      []*route
}

// node is what a path offers.
type node struct {
	routes map[string]*route // by method
	levels []schemas.Level   // of its {geog_id}; nil where it has none
	allow  string            // the Allow header
}

func newTable(all []*route) *table {
	t := &table{fixed: map[string]*node{}, variable: map[string]*node{}, unknown: newStats("unknown"), all: all}
	for _, r := range all {
		r.stats = newStats(r.method + " " + r.path)
		nodes, key := t.fixed, r.path
		if r.hasVariable() {
			nodes, key = t.variable, r.path[:strings.LastIndexByte(r.path, '/')+1]
		}
		n := nodes[key]
		if n == nil {
			n = &node{routes: map[string]*route{}, levels: r.levels}
			nodes[key] = n
		}
		n.add(r)
	}
	return t
}

func (n *node) add(r *route) {
	n.routes[r.method] = r
	allow := r.method
	if r.method == http.MethodGet {
		n.routes[http.MethodHead] = r
		allow = http.MethodGet + ", " + http.MethodHead
	}
	if n.allow != "" {
		n.allow += ", "
	}
	n.allow += allow
}

// find is what a path offers, or errNoPath, or errNoGeography where only the form of the id is wrong.
func (t *table) find(path string) (*node, error) {
	if n := t.fixed[path]; n != nil {
		return n, nil
	}
	n := t.variable[path[:strings.LastIndexByte(path, '/')+1]]
	if n == nil || n.levels == nil && lastSegment(path) == "" {
		return nil, errNoPath
	}
	if n.levels != nil && !validGeogID(lastSegment(path), n.levels) {
		return nil, errNoGeography
	}
	return n, nil
}

// maxGeogID is the longest geog_id, in characters.
const maxGeogID = 36

// validGeogID reports whether id can be the id of a geography of one of the levels: g<level>_ and something more.
func validGeogID(id string, levels []schemas.Level) bool {
	if len(id) > maxGeogID || len(id) < len("g10_x") || id[0] != 'g' || id[3] != '_' {
		return false
	}
	tens, ones := int(id[1])-'0', int(id[2])-'0'
	for _, level := range levels {
		if level == schemas.Level(10*tens+ones) && ones >= 0 && ones <= 9 {
			return true
		}
	}
	return false
}
