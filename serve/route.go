package serve

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/explore"
	"quartier/serve/monitor"
	"quartier/serve/product/tiles"
	"quartier/serve/reply"
)

// route is one method of one path of a server.
type route struct {
	endpoint.Endpoint
	answer func(*request) error
	counts *monitor.Route
}

// product is the route of an endpoint of a product.
func product(e endpoint.Endpoint) *route {
	return &route{Endpoint: e, answer: func(r *request) error { return e.Answer(&r.Request) }}
}

// service is the route of a GET endpoint that needs no token. name is that of the operation. body is a zero value of the answer's type;
// nil if there is no such type.
func service(name, path, summary string, body any, answer func(*request) error) *route {
	return &route{Endpoint: endpoint.Endpoint{Name: name, Method: http.MethodGet, Path: path, Summary: summary, Body: body}, answer: answer}
}

// endpointsOf are the declarations of routes.
func endpointsOf(routes []*route) (all []endpoint.Endpoint) {
	for _, r := range routes {
		all = append(all, r.Endpoint)
	}
	return all
}

// pathOf is the path of a URL with escapes resolved, except for escaped slashes: they separate nothing, and no path
// here has one.
func pathOf(u *url.URL) string {
	if u.RawPath == "" {
		return u.Path
	}
	escaped := strings.NewReplacer("%2F", "%252F", "%2f", "%252F").Replace(u.EscapedPath())
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return u.Path // impossible: net/http parsed the URL
	}
	return path
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// table finds routes by path and method.
type table struct {
	fixed    map[string]*resource      // by path
	variable map[string]*resource      // by path up to its variable segment
	unknown  *monitor.Route            // of requests without a route
	explorer map[string]*monitor.Route // by name; empty without an explorer
	counted  []*monitor.Route          // all of them
}

// resource is a path with its methods.
type resource struct {
	routes map[string]*route // by method
	levels []schemas.Level   // of its {geog_id}; nil where it has none
	allow  string            // the Allow header
	key    string            // kind of access key that its GET takes; "": none
}

var nowhere resource

// newTable makes a table of routes. Those of the explorer, if there is one, are no part of the API and its document: they are
// counted alone.
func newTable(all []*route, explorer bool) *table {
	t := &table{fixed: map[string]*resource{}, variable: map[string]*resource{}, explorer: map[string]*monitor.Route{}}
	t.unknown = t.count("unknown")
	for _, r := range all {
		r.counts = t.count(r.Method + " " + r.Path)
		r.counts.Cost.Waits = r.Waits
		resources, key := t.fixed, r.Path
		if r.HasVariable() {
			resources, key = t.variable, r.Path[:strings.LastIndexByte(r.Path, '/')+1]
		}
		if resources[key] == nil {
			resources[key] = &resource{routes: map[string]*route{}, levels: r.Levels}
		}
		resources[key].add(r)
	}
	for _, name := range explore.Routes() {
		if explorer {
			t.explorer[name] = t.count("GET " + name)
		}
	}
	return t
}

// count makes what requests of a name are counted in.
func (t *table) count(name string) *monitor.Route {
	t.counted = append(t.counted, &monitor.Route{Name: name})
	return t.counted[len(t.counted)-1]
}

func (n *resource) add(r *route) {
	n.routes[r.Method] = r
	n.key = cmp.Or(n.key, r.Key)
	allow := r.Method
	if r.Method == http.MethodGet {
		n.routes[http.MethodHead] = r
		allow = http.MethodGet + ", " + http.MethodHead
	}
	if n.allow != "" {
		n.allow += ", "
	}
	n.allow += allow
}

// find returns the resource at a path, or an empty one and reply.ErrNoPath.
func (t *table) find(path string) (*resource, error) {
	if n := t.fixed[path]; n != nil {
		return n, nil
	}
	if strings.HasPrefix(path, tiles.Root) {
		return t.fixed[tiles.Path], nil
	}
	n := t.variable[path[:strings.LastIndexByte(path, '/')+1]]
	if n == nil || n.levels == nil && lastSegment(path) == "" {
		return &nowhere, reply.ErrNoPath
	}
	return n, nil
}
