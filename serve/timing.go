package serve

import (
	"strconv"
	"time"
)

// timing writes the Server-Timing header: milliseconds until the request was admitted (authenticated, within its rate, with
// a place to run) and from then until its answer was ready. Only those with a token get it.
func (r *request) timing(entered, ready time.Time) {
	var text [64]byte
	b := append(text[:0], "admit;dur="...)
	b = appendMilliseconds(b, entered.Sub(r.start))
	b = append(b, ", answer;dur="...)
	b = appendMilliseconds(b, ready.Sub(entered))
	r.w.Header()["Server-Timing"] = []string{string(b)}
}

// appendMilliseconds appends a duration with three decimals.
func appendMilliseconds(b []byte, d time.Duration) []byte {
	return strconv.AppendFloat(b, float64(d.Microseconds())/1000, 'f', 3, 64)
}
