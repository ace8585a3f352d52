package serve

import (
	"fmt"
	"math/rand/v2"
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

func cacheControl(maxAge time.Duration) []string {
	return []string{fmt.Sprintf("private, max-age=%d", int(maxAge.Seconds()))}
}
