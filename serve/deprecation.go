package serve

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// deprecate writes the headers of an answer about a geography that is superseded or deprecated: since when (RFC 9745), and
// the same resource of its successor. They say what meta.deprecation says in the body, also where there is no body.
func (r *request) deprecate() {
	since, replacedBy, ok := r.Release.Deprecated()
	if !ok {
		return
	}
	header := r.w.Header()
	if !since.IsZero() {
		header["Deprecation"] = []string{"@" + strconv.FormatInt(since.Unix(), 10)}
	}
	if replacedBy != "" {
		path := r.route.Path[:strings.LastIndexByte(r.route.Path, '/')+1]
		header["Link"] = []string{"<" + path + replacedBy + `>; rel="successor-version"`}
	}
	if r.server.sunset != nil {
		header["Sunset"] = r.server.sunset
	}
}

// sunsetHeader is the header of RFC 8594; nil without a date.
func sunsetHeader(date time.Time) []string {
	if date.IsZero() {
		return nil
	}
	return []string{date.UTC().Format(http.TimeFormat)}
}
