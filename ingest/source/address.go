package source

import (
	"net/url"
	"regexp"
	"strings"
)

// secretParameter matches the names of parameters of addresses whose values give access.
var secretParameter = regexp.MustCompile(
	`(?i)^(.*(key|token|secret|password|passwd|signature|credential)|pass|pwd|auth|sig|key[-_]?id|appid)$`)

// hidden stands for what gives access in an address.
const hidden = "hidden"

// PublicURL is an address without what gives access: user and password are left out, and values of parameters such as key,
// token or signature become "hidden". Other addresses are returned as they are; "" where it is no address at all.
func PublicURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	same := u.User == nil && u.Fragment == ""
	u.User, u.Fragment = nil, ""
	pairs := strings.Split(u.RawQuery, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); value != "" && (err != nil || secretParameter.MatchString(plain)) {
			pairs[i], same = name+"="+hidden, false
		}
	}
	if same {
		return address
	}
	u.RawQuery = strings.Join(pairs, "&")
	return u.String()
}

// CacheName is the name in the cache of a publisher's file with a digest.
func CacheName(digest, name string) string { return digest[:16] + "-" + name }
