package reply

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
)

// A caller's request id has at most maxRequestID of the idCharacters.
const (
	maxRequestID = 128
	idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:"
)

// requestID returns the caller's id if it is valid, else a random one.
func requestID(given []string) string {
	if len(given) == 1 && given[0] != "" && len(given[0]) <= maxRequestID && strings.Trim(given[0], idCharacters) == "" {
		return given[0]
	}
	var text [32]byte
	hex.Encode(text[:], binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, rand.Uint64()), rand.Uint64()))
	return string(text[:])
}

// Trace is the part of a W3C Trace Context that logs have. The server calls nobody on whom to pass it, and answers no
// traceresponse: that header is a draft.
type Trace struct {
	ID     string // 32 hexadecimal digits; "" until it is asked for
	Parent string // span of the caller, 16 digits; "" without one
	Flags  string // of the caller, 2 digits: "01" if it records the trace
}

// Traced returns the trace of a request: the caller's, or else a new one, with the id of the request where that can be one.
func (x *Exchange) Traced() *Trace {
	if x.trace.ID != "" {
		return &x.trace
	}
	if given, ok := parseTraceparent(x.HTTP.Header["Traceparent"]); ok {
		x.trace = given
		return &x.trace
	}
	x.trace.ID = x.ID[0]
	if !isTraceID(x.trace.ID) {
		x.trace.ID = requestID(nil)
	}
	return &x.trace
}

// parseTraceparent parses the header, which has a version, the ids of the trace and of the caller's span, and flags:
// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01". A later version may have more after them. What is not exactly
// of this form is ignored as a whole, as the specification asks.
func parseTraceparent(given []string) (t Trace, ok bool) {
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
	t = Trace{text[3:35], text[36:52], text[53:length]}
	return t, isTraceID(t.ID) && isHex(t.Parent) && strings.Trim(t.Parent, "0") != "" && isHex(t.Flags)
}

func isTraceID(id string) bool { return len(id) == 32 && isHex(id) && strings.Trim(id, "0") != "" }

// isHex reports whether a text has lower-case hexadecimal digits alone.
func isHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }
