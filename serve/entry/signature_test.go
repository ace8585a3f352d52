package entry

import (
	"net/url"
	"strings"
	"testing"
)

func TestSignedText(t *testing.T) {
	for raw, want := range map[string]string{
		"b=2&a=1&signature=x":         "/p?a=1&b=2",
		"signature=x&a=%7e-._%20+%2B": "/p?a=~-._%20%20%2B",
		"a=%c3%a9":                    "/p?a=%C3%A9",
		"a=é":                         "/p?a=%C3%A9",
		"a==&c=":                      "/p?a=%3D&c=",
		"A=1&a=2":                     "/p?A=1&a=2",
		"signature=x":                 "/p",
		"":                            "", "a": "", "a=1&": "", "&a=1": "", "=1": "", "a=1&&b=2": "", "a=%": "", "a=%zz": "", "%=1": "",
		"a=1&a=1": "", "a=1&%61=2": "", "signature=x&signature=y": "", "a=1;b=2;a=3&x=" + strings.Repeat("x", maxSigned): "",
	} {
		text, _, _, ok := signedText("/p", raw)
		if text != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", raw, text, ok, want)
		}
	}
}

// FuzzSignedText has the properties of what is signed: it stays the same when it is taken for a query again, it has no byte that is not of
// RFC 3986, and two queries with the same text have the same parameters.
func FuzzSignedText(f *testing.F) {
	for _, raw := range []string{"lat=45.2&lng=-72.8&key=qs_x&expires=1&signature=00", "b=%2b&a=+", "a=1&a=2", "a=%ff&\x00=1", "%26=%3d&=", "a;b=1"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, signature, expires, ok := signedText("/p", raw)
		if !ok {
			return
		}
		if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%=&?/") != "" {
			t.Fatalf("%q has the text %q", raw, text)
		}
		want, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		_, query, _ := strings.Cut(text, "?")
		got, err := url.ParseQuery(query)
		if err != nil || want.Get("signature") != signature || want.Get("expires") != expires {
			t.Fatalf("%q: %v, %q, %q", raw, err, signature, expires)
		}
		delete(want, "signature")
		if got.Encode() != want.Encode() {
			t.Fatalf("%q is %v, its text %v", raw, want, got)
		}
		if query == "" {
			return
		}
		if again, _, _, ok := signedText("/p", query); len(query) <= maxSigned && (!ok || again != text) {
			t.Fatalf("%q has the text %q, that has %q", raw, text, again)
		}
	})
}

// FuzzKeyOf finds a key wherever net/url finds one that is not escaped, and never misses that there are several.
func FuzzKeyOf(f *testing.F) {
	for _, raw := range []string{"key=a", "key=a&key=b", "k%65y=a", "k+ey=a", "key=", "x=key=", "%6b%65%79=x&a=%", "KEY=1", "key"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		_, times := keyOf(raw)
		values, _ := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
		if len(values["key"]) > times {
			t.Fatalf("%q has %d keys, %d are seen", raw, len(values["key"]), times)
		}
	})
}
