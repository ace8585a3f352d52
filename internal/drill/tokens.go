package drill

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/token"
)

// Forger makes tokens with the live key of a server, so that only their content can be invalid.
type Forger struct {
	Key     account.Key
	Subject string // a client_id of the server
	Now     time.Time
	Valid   string // a token of the server
	Reports string // a valid one for another audience
}

// claims are those of a valid token.
func (f Forger) claims() map[string]any {
	return map[string]any{"iss": token.Issuer, "sub": f.Subject, "aud": token.AudienceV3, "jti": "x", "iat": f.Now.Unix(),
		"exp": f.Now.Add(time.Hour).Unix()}
}

// Forge signs header and claims. A claim of nil is left out.
func (f Forger) Forge(header, claims map[string]any) string {
	head := map[string]any{"alg": "EdDSA", "typ": "JWT", "kid": f.Key.ID}
	body := f.claims()
	maps.Copy(head, header)
	for k, v := range claims {
		if v == nil {
			delete(body, k)
			continue
		}
		body[k] = v
	}
	return f.signed(encode(head), encode(body), f.Key.Private)
}

func (f Forger) signed(head, body string, key ed25519.PrivateKey) string {
	signing := head + "." + body
	return signing + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(signing)))
}

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// Attacks are Authorization headers that must be refused, by what is wrong with them.
func (f Forger) Attacks() map[string]string {
	parts := strings.Split(f.Valid, ".")
	public := f.Key.Private.Public().(ed25519.PublicKey)
	_, stranger, _ := ed25519.GenerateKey(rand.Reader)
	symmetric := encode(map[string]any{"alg": "HS256", "typ": "JWT", "kid": f.Key.ID}) + "." + encode(f.claims())
	mac := hmac.New(sha256.New, public)
	mac.Write([]byte(symmetric))
	head := encode(map[string]any{"alg": "EdDSA", "typ": "JWT", "kid": f.Key.ID})
	all := map[string]string{
		"alg none, no signature": encode(map[string]any{"alg": "none", "typ": "JWT"}) + "." + encode(f.claims()) + ".",
		"alg None":               encode(map[string]any{"alg": "None", "typ": "JWT", "kid": f.Key.ID}) + "." + encode(f.claims()) + ".",
		"HS256 with public key":  symmetric + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)),
		"signature cut off":      parts[0] + "." + parts[1] + ".",
		"signature truncated":    f.Valid[:len(f.Valid)-4],
		"signature missing":      parts[0] + "." + parts[1],
		"four parts":             f.Valid + ".x",
		"other body":             parts[0] + "." + encode(f.claims()) + "." + parts[2],
		"another server's key":   f.signed(head, encode(f.claims()), stranger),
		"reports audience":       f.Reports,
		"claim twice": f.signed(head,
			base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"qc_nobody",`+string(decode(encode(f.claims())))[1:])), stranger),
		"huge":            f.Valid + strings.Repeat("A", 100_000),
		"not base64":      "a!.b!.c!",
		"header not JSON": base64.RawURLEncoding.EncodeToString([]byte("{")) + "." + parts[1] + "." + parts[2],
		"padding":         parts[0] + "=." + parts[1] + "." + parts[2],
		"new line inside": parts[0] + ".\n" + parts[1] + "." + parts[2],
		"null byte":       f.Valid + "\x00",
		"trailing text":   f.Valid + " x",
	}
	for name, header := range map[string]map[string]any{
		"kid unknown": {"kid": "../../etc/passwd"}, "kid absent": {"kid": ""}, "kid a number": {"kid": 1}, "kid with SQL": {"kid": "' OR 1=1 --"},
		"jku": {"jku": "http://127.0.0.1/k"},
		"jwk": {"jwk": map[string]any{"kty": "OKP"}}, "x5c": {"x5c": []string{"x"}}, "x5u": {"x5u": "http://127.0.0.1/k"},
		"crit": {"crit": []string{"exp"}}, "typ at+jwt": {"typ": "at+jwt"},
		"alg ES256": {"alg": "ES256"}, "alg lower-case": {"alg": "eddsa"}, "b64 false": {"b64": false, "crit": []string{"b64"}},
		"zip": {"zip": "DEF", "crit": []string{"zip"}},
	} {
		all[name] = f.Forge(header, nil)
	}
	for name, claims := range map[string]map[string]any{
		"wrong issuer": {"iss": "else"}, "no issuer": {"iss": nil}, "issuer a list": {"iss": []string{token.Issuer}},
		"wrong audience": {"aud": "else"}, "no audience": {"aud": nil},
		"no subject": {"sub": nil}, "unknown subject": {"sub": "qc_nobody"}, "subject a number": {"sub": 7},
		"subject with a blank": {"sub": f.Subject + " "}, "no expiry": {"exp": nil},
		"expired": {"exp": f.Now.Unix()}, "expiry a text": {"exp": "tomorrow"}, "expiry negative": {"exp": -1},
		"issued in the future": {"iat": f.Now.Add(time.Hour).Unix()}, "not issued": {"iat": nil},
		"not before, future": {"nbf": f.Now.Add(time.Hour).Unix()}, "no jti": {"jti": nil},
	} {
		all[name] = f.Forge(nil, claims)
	}
	for name, raw := range all {
		all[name] = "Bearer " + raw
	}
	maps.Copy(all, map[string]string{
		"empty": "", "no Bearer": f.Valid, "lower-case bearer": "bearer " + f.Valid, "Bearer alone": "Bearer ",
		"two spaces": "Bearer  " + f.Valid, "Basic": "Basic " + f.Valid,
	})
	return all
}

func decode(part string) []byte {
	data, _ := base64.RawURLEncoding.DecodeString(part)
	return data
}

// mutate changes a token in some places: bits, letters, parts, their order, or a splice with another token.
func mutate(random *mathrand.Rand, tokens []string) string {
	text := []byte(Pick(random, tokens))
	for range 1 + random.IntN(3) {
		at := random.IntN(len(text))
		switch random.IntN(8) {
		case 0, 1, 2:
			text[at] ^= 1 << random.IntN(8)
		case 3:
			text[at] = "ABCxyz019-_.=+/ "[random.IntN(16)]
		case 4:
			text = slices.Delete(text, at, min(len(text), at+1+random.IntN(8)))
		case 5:
			text = slices.Insert(text, at, text[at:min(len(text), at+1+random.IntN(8))]...)
		case 6:
			other := Pick(random, tokens)
			text = append(text[:at:at], other[min(at, len(other)):]...)
		case 7:
			parts := strings.Split(string(text), ".")
			random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			text = []byte(strings.Join(parts, "."))
		}
		if len(text) == 0 {
			return "."
		}
	}
	return string(text)
}

// Tokens sends forged tokens and mutations of valid ones, and rotates the keys and revokes accounts: all are refused in one shape.
// It returns how many kinds of attacks and how many mutations there were.
func Tokens(r *Run, wrap Wrap) (attacks, mutations int) {
	s := r.StartWorld(wrap, hurried)
	ask := func(authorization string) Answer {
		req := httptest.NewRequest(http.MethodGet, "/v3/geographies?"+north, nil)
		name, value, _ := strings.Cut(from(r.Random), ": ")
		req.Header.Set(name, value)
		req.Header["Authorization"] = []string{authorization}
		return s.Send(req)
	}
	refused := func(what, authorization string) {
		if got := ask(authorization); got.Status != http.StatusForbidden || got.Body != `{"message":"Forbidden"}` {
			r.Fatalf("%s: %d %.100s: %.400q", what, got.Status, got.Body, authorization)
		}
	}
	client := s.Live.Client(s.Grants["full"].ClientID)
	reports, err := s.Authority.Issue(client, token.AudienceReports)
	r.Must(err)
	f := Forger{s.Live.Keys()[0], client.ID, time.Now(), s.Tokens["full"], reports}
	if got := ask("Bearer " + f.Forge(nil, nil)); got.Status != http.StatusOK {
		r.Fatalf("a token with the right content is refused: %d %s", got.Status, got.Body)
	}
	all := f.Attacks()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		refused(name, all[name])
	}
	valid := []string{s.Tokens["full"], s.Tokens["acme"], s.Tokens["pois"], f.Forge(nil, nil)}
	for _, raw := range valid {
		if got := ask("Bearer " + raw); got.Status == http.StatusForbidden {
			r.Fatalf("a valid token is refused: %s", got.Body)
		}
	}
	for ; mutations == 0 || r.More(mutations); mutations++ {
		if raw := mutate(r.Random, valid); !slices.Contains(valid, raw) {
			refused("mutation", "Bearer "+raw)
		}
	}
	r.Must(s.Store.Revoke(s.Grants["acme"].ClientID))
	r.Must(s.Live.Refresh(r.Context()))
	refused("revoked", "Bearer "+s.Tokens["acme"])
	for range 2 { // two keys are live
		r.Must(s.Store.RotateKey())
		r.Must(s.Live.Refresh(r.Context()))
	}
	refused("of a key that was rotated out", "Bearer "+s.Tokens["full"])
	return len(all) + 2, mutations
}

// TrailingBits is a planted fault: the last character of a token is not compared.
func TrailingBits(right http.Handler) http.Handler {
	known := map[string]string{} // valid tokens without their last character
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if given := r.Header.Get("Authorization"); len(given) > 100 {
			if whole, ok := known[given[:len(given)-1]]; ok {
				r.Header.Set("Authorization", whole)
			}
			recorder := httptest.NewRecorder()
			right.ServeHTTP(recorder, r)
			if recorder.Code == http.StatusOK {
				known[given[:len(given)-1]] = r.Header.Get("Authorization")
			}
		}
		right.ServeHTTP(w, r)
	})
}

// hurried gives a server a clock that goes ahead with each look at it: refusals of all strangers together are not put off.
func hurried(o *serve.Options) {
	var looks atomic.Int64
	o.Now = func() time.Time { return time.Now().Add(time.Duration(looks.Add(1)) * time.Millisecond) }
}
