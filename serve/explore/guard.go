package explore

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// Host is a name by which browsers reach the server.
type Host struct {
	Name  string // "maps.example.com" or "maps.example.com:8443", in lower case
	HTTPS bool   // a proxy before the server speaks TLS
}

// ParseHost parses HOST, HOST:PORT, or either with http:// or https:// before it, into what browsers send: addresses in their
// shortest form, and no port where it is that of the scheme.
func ParseHost(text string) (Host, error) {
	scheme, name, given := strings.Cut(strings.ToLower(text), "://")
	if !given {
		scheme, name = "http", scheme
	}
	host, port := name, ""
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 && !strings.HasSuffix(name, "]") {
		host, port = name[:colon], name[colon+1:]
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '0' {
			return Host{}, fmt.Errorf("%q is not HOST, HOST:PORT or https://HOST: the port is no number from 1 to 65535", text)
		}
	}
	defaultPort, known := map[string]string{"http": "80", "https": "443"}[scheme]
	host, ok := hostName(host)
	if !known || !ok {
		return Host{},
			fmt.Errorf("%q is not HOST, HOST:PORT or https://HOST, with a name of letters, digits, points and hyphens, an IPv4 address, or an "+
				"IPv6 address in brackets", text)
	}
	if port != "" && port != defaultPort {
		host += ":" + port
	}
	return Host{host, scheme == "https"}, nil
}

// hostName returns a name or address as browsers send it.
func hostName(host string) (string, bool) {
	if inside, ok := strings.CutPrefix(host, "["); ok {
		address, err := netip.ParseAddr(strings.TrimSuffix(inside, "]"))
		return "[" + address.String() + "]", err == nil && address.Is6() && address.Zone() == "" && strings.HasSuffix(host, "]")
	}
	other := strings.IndexFunc(host, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_')
	})
	return host, host != "" && other < 0
}

// Origin is that of pages of the host.
func (h Host) Origin() string {
	if h.HTTPS {
		return "https://" + h.Name
	}
	return "http://" + h.Name
}

// checkOrigin refuses requests that are not of a page of this origin, or of a person who opens the page.
//
// A name that is not this server's (DNS rebinding: a name of the attacker's that now leads here) is errHost. What a page
// of another origin asks for (cross-site request forgery), one at another port of the same host included, is errOrigin.
func (e *Explorer) checkOrigin(v *visit) error {
	scheme, ok := SchemeOf(v.HTTP, e.hosts)
	if !ok {
		return errHost
	}
	v.scheme, v.host = scheme, strings.ToLower(v.HTTP.Host)
	header := v.HTTP.Header
	if origins := header["Origin"]; len(origins) > 1 || len(origins) == 1 && origins[0] != v.origin() {
		return errOrigin
	}
	safe := v.HTTP.Method == http.MethodGet || v.HTTP.Method == http.MethodHead
	switch site := header["Sec-Fetch-Site"]; {
	case len(site) > 1:
		return errOrigin
	case len(site) == 0: // an older browser, or none
		if !safe && len(header["Origin"]) == 0 {
			return errOrigin
		}
	case site[0] == "same-origin":
	case safe && site[0] == "none": // typed, or opened by another program
	case safe && isNavigation(header) && opens(v.Path):
	default:
		return errOrigin
	}
	return nil
}

// isNavigation reports whether a browser opens the answer in a window of its own, in which no other page can look.
func isNavigation(header http.Header) bool {
	return header.Get("Sec-Fetch-Mode") == "navigate" && header.Get("Sec-Fetch-Dest") == "document"
}

// opens reports whether a path is one that links of others may lead to.
func opens(path string) bool {
	return path == Root || path == Root[:len(Root)-1] || path == Root+"open" || path == againPath
}

// SchemeOf returns the scheme by which a browser reached a server; false if the Host header is neither "localhost", an address
// of this server, nor one of its other hosts. Addresses and "localhost" cannot be made to lead elsewhere by who runs a name
// server.
func SchemeOf(in *http.Request, hosts []Host) (string, bool) {
	scheme := "http"
	if in.TLS != nil {
		scheme = "https"
	}
	host := strings.ToLower(in.Host)
	for _, h := range hosts {
		if h.Name == host {
			if h.HTTPS {
				scheme = "https"
			}
			return scheme, true
		}
	}
	name := host
	if n, _, err := net.SplitHostPort(host); err == nil {
		name = n
	}
	if name == "localhost" {
		return scheme, true
	}
	address, err := netip.ParseAddr(strings.Trim(name, "[]"))
	if err != nil {
		return "", false
	}
	if address.IsLoopback() {
		return scheme, true
	}
	local, ok := in.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return scheme, ok && local.AddrPort().Addr().Unmap() == address.Unmap()
}

// checkJSON refuses bodies that pages of other origins could send without being asked whether they may.
func checkJSON(in *http.Request) error {
	if in.ContentLength == 0 && len(in.TransferEncoding) == 0 {
		return nil
	}
	types := in.Header["Content-Type"]
	if len(types) != 1 {
		return errNotJSON
	}
	kind, _, err := mime.ParseMediaType(types[0])
	if err != nil || kind != "application/json" {
		return errNotJSON
	}
	return nil
}

// Base is how a browser reaches a server that listens at an address, HOST:PORT: by the first of the hosts, else by the
// address, or by that of this machine where it listens at all.
func (e *Explorer) Base(at string) string {
	if len(e.hosts) > 0 {
		return e.hosts[0].Origin()
	}
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return "http://" + at
	}
	if address, err := netip.ParseAddr(host); err == nil && address.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
