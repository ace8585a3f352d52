package serve

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
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

// acceptsJSON reports whether an Accept header allows application/json. An absent header allows everything.
func acceptsJSON(accept []string) bool {
	if len(accept) == 0 || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == "application/json") {
		return true
	}
	best, allowed := -1, false // the most specific range that matches decides
	for _, line := range accept {
		for entry := range strings.SplitSeq(line, ",") {
			kind, weight := qualityOf(entry)
			rank := -1
			switch {
			case strings.EqualFold(kind, "application/json"):
				rank = 2
			case strings.EqualFold(kind, "application/*"):
				rank = 1
			case kind == "*/*":
				rank = 0
			}
			if rank > best {
				best, allowed = rank, weight > 0
			}
		}
	}
	return allowed || best < 0 && strings.TrimSpace(strings.Join(accept, "")) == ""
}

// qualityOf splits an entry of an Accept or Accept-Encoding header into its name and its weight, 0 to 1:
// "gzip;q=0.5" is gzip, 0.5. An invalid weight is 0.
func qualityOf(entry string) (name string, weight float64) {
	name, rest, more := strings.Cut(entry, ";")
	weight = 1
	for more {
		var parameter string
		parameter, rest, more = strings.Cut(rest, ";")
		key, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if key != "q" && key != "Q" {
			continue
		}
		var err error
		if weight, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(weight >= 0 && weight <= 1) {
			weight = 0
		}
	}
	return strings.TrimSpace(name), weight
}

func cacheControl(maxAge time.Duration) []string {
	return []string{fmt.Sprintf("private, max-age=%d", int(maxAge.Seconds()))}
}
