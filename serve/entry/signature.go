package entry

import (
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quartier/serve/account"
)

// Limits of signed queries.
const (
	maxSigned  = 2048                 // bytes of the query, escaped as they come
	maxExpires = 400 * 24 * time.Hour // until expires
)

// signedUntil checks the signature of a request, which says of its path and all other parameters that the holder of the secret asked
// for them, and that it has not expired. It returns when it does.
func signedUntil(in *http.Request, path string, k *account.AccessKey, now time.Time) (until time.Time, ok bool) {
	text, signature, expires, ok := signedText(path, in.URL.RawQuery)
	if !ok {
		return until, false
	}
	sum, err := hex.DecodeString(signature)
	if err != nil || signature != strings.ToLower(signature) || !k.Signs(text, sum) {
		return until, false
	}
	seconds, err := strconv.ParseInt(expires, 10, 64)
	if err != nil || strconv.FormatInt(seconds, 10) != expires {
		return until, false
	}
	until = time.Unix(seconds, 0)
	return until, until.After(now) && !until.After(now.Add(maxExpires))
}

// signedText is what is signed of a request: the path, "?" and all parameters but the signature, sorted by name, each as
// name=value with all bytes escaped but the unreserved ones of RFC 3986. It depends neither on their order in the query nor on how they
// are escaped there. A query that could be read in two ways is not ok: one with a parameter twice, or with an escape that is none.
func signedText(path, raw string) (text, signature, expires string, ok bool) {
	if len(raw) > maxSigned {
		return "", "", "", false
	}
	text = path
	var pairs [][2]string
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, given := strings.Cut(pair, "=")
		plainName, errName := url.QueryUnescape(name)
		plainValue, errValue := url.QueryUnescape(value)
		if !given || name == "" || errName != nil || errValue != nil {
			return "", "", "", false
		}
		pairs = append(pairs, [2]string{plainName, plainValue})
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	separator := "?"
	for i, pair := range pairs {
		if i > 0 && pairs[i-1][0] == pair[0] {
			return "", "", "", false
		}
		switch pair[0] {
		case "signature":
			signature = pair[1]
			continue
		case "expires":
			expires = pair[1]
		}
		text += separator + escaped(pair[0]) + "=" + escaped(pair[1])
		separator = "&"
	}
	return text, signature, expires, true
}

// escaped is a text with all bytes escaped but the unreserved ones of RFC 3986.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
