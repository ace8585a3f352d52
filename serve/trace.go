package serve

import "strings"

// trace is the part of a W3C Trace Context that logs have. The server calls nobody on whom to pass it, and answers no
// traceresponse: that header is a draft.
type trace struct {
	id     string // 32 hexadecimal digits; "" until it is asked for
	parent string // span of the caller, 16 digits; "" without one
	flags  string // of the caller, 2 digits: "01" if it records the trace
}

// traced returns the trace of a request: the caller's, or else a new one, with the id of the request where that can be one.
func (r *request) traced() *trace {
	if r.trace.id != "" {
		return &r.trace
	}
	if given, ok := parseTraceparent(r.http.Header["Traceparent"]); ok {
		r.trace = given
		return &r.trace
	}
	r.trace.id = r.id[0]
	if !isTraceID(r.trace.id) {
		r.trace.id = requestID(nil)
	}
	return &r.trace
}

// parseTraceparent parses the header, which has a version, the ids of the trace and of the caller's span, and flags:
// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01". A later version may have more after them. What is not exactly
// of this form is ignored as a whole, as the specification asks.
func parseTraceparent(given []string) (t trace, ok bool) {
	const length = len("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if len(given) != 1 || len(given[0]) < length {
		return t, false
	}
	text := given[0]
	version := text[:2]
	switch {
	case !isHex(version) || version == "ff" || text[2] != '-' || text[35] != '-' || text[52] != '-':
		return t, false
	case len(text) > length && (version == "00" || text[length] != '-'):
		return t, false
	}
	t = trace{text[3:35], text[36:52], text[53:length]}
	return t, isTraceID(t.id) && isHex(t.parent) && strings.Trim(t.parent, "0") != "" && isHex(t.flags)
}

func isTraceID(id string) bool { return len(id) == 32 && isHex(id) && strings.Trim(id, "0") != "" }

// isHex reports whether a text has lower-case hexadecimal digits alone.
func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}

// append appends the members of a log record.
func (t *trace) append(b []byte) []byte {
	b = append(b, `,"trace_id":"`...)
	b = append(b, t.id...)
	if t.parent != "" {
		b = append(b, `","parent_id":"`...)
		b = append(b, t.parent...)
		b = append(b, `","trace_flags":"`...)
		b = append(b, t.flags...)
	}
	return append(b, '"')
}
