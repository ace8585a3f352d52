package serve

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// maxRequestID is the maximum length of a caller's request id, in characters.
const maxRequestID = 128

// requestID returns the caller's id if it is valid, else a random one.
func requestID(given []string) string {
	if len(given) == 1 && validRequestID(given[0]) {
		return given[0]
	}
	var text [32]byte
	const digits = "0123456789abcdef"
	for i := 0; i < len(text); i += 16 {
		n := rand.Uint64()
		for j := range 16 {
			text[i+j] = digits[n&15]
			n >>= 4
		}
	}
	return string(text[:])
}

func validRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		c := id[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// maxField is the maximum length of one of the boundedFields, in bytes: fifty ETags.
const maxField = 4 << 10

// boundedFields are the header fields that are read as lists or conditions, or will be by somebody's cache.
var boundedFields = []string{"Accept", "Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
	"If-Unmodified-Since"}

// checkFields refuses a request with a header field that would be expensive to read, and names the field (RFC 6585, 5).
func checkFields(header http.Header) error {
	for _, name := range boundedFields {
		length := 0
		for _, line := range header[name] {
			length += len(line)
		}
		if length > maxField {
			return fmt.Errorf("%w: %s", errHeader, name)
		}
	}
	return nil
}

func cacheControl(maxAge time.Duration) []string {
	return []string{fmt.Sprintf("private, max-age=%d", int(maxAge.Seconds()))}
}
