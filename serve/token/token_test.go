package token_test

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quartier/serve/account"
	"quartier/serve/state"
	"quartier/serve/token"
)

type world struct {
	store     *state.Store
	live      *account.Live
	authority *token.Authority
	client    *account.Client
	made      account.Credentials
	now       time.Time
}

func newWorld(t testing.TB) *world {
	t.Helper()
	store, err := state.Open(filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w := &world{store: store, now: time.Unix(1_800_000_000, 0)}
	if w.client, w.made, err = store.Create("Acme", account.Agreement{}); err != nil {
		t.Fatal(err)
	}
	if w.live, err = account.Follow(context.Background(), store, slog.New(slog.NewTextHandler(io.Discard, nil))); err != nil {
		t.Fatal(err)
	}
	if w.authority, err = token.NewAuthority(w.live, token.DefaultLifetime, func() time.Time { return w.now }); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) issue(t testing.TB) string {
	t.Helper()
	signed, err := w.authority.Issue(w.client, "")
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func (w *world) rejected(authorization string) bool {
	client, err := w.authority.Authenticate(context.Background(), authorization)
	return client == nil && errors.Is(err, token.ErrForbidden)
}

func TestValidUntilExpiry(t *testing.T) {
	w := newWorld(t)
	bearer := "Bearer " + w.issue(t)
	for range 2 { // the second time from the cache
		client, err := w.authority.Authenticate(context.Background(), bearer)
		if err != nil || client.ID != w.client.ID {
			t.Fatalf("a valid token gave %v, %v", client, err)
		}
	}
	w.now = w.now.Add(token.DefaultLifetime)
	if !w.rejected(bearer) {
		t.Error("a remembered token outlives its expiry")
	}
}

func TestRevokedAccountIsRejectedThoughCached(t *testing.T) {
	w := newWorld(t)
	bearer := "Bearer " + w.issue(t)
	if w.rejected(bearer) {
		t.Fatal("a valid token is rejected")
	}
	if err := w.store.Revoke(w.client.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.live.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !w.rejected(bearer) {
		t.Error("the token of a revoked account is accepted")
	}
}

func TestRotation(t *testing.T) {
	w := newWorld(t)
	first := "Bearer " + w.issue(t)
	rotate := func() {
		if err := w.store.RotateKey(); err != nil {
			t.Fatal(err)
		}
		if err := w.live.Refresh(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	rotate()
	second := "Bearer " + w.issue(t)
	if w.rejected(first) || w.rejected(second) {
		t.Fatal("a token of one of the two live keys is rejected")
	}
	rotate()
	if !w.rejected(first) {
		t.Error("a token of a deleted key is accepted, because it is cached")
	}
	if w.rejected(second) {
		t.Error("the key before the newest does not verify")
	}
	if set := w.authority.KeySet(); len(set.Keys) != 2 || set.Keys[0].KeyType != "OKP" {
		t.Errorf("the key set is %+v", set)
	}
}

// forge signs header and claims with the live key, so that only the content can be invalid.
func (w *world) forge(header, claims map[string]any) string {
	key := w.live.Keys()[0]
	head := map[string]any{"alg": "EdDSA", "typ": "JWT", "kid": key.ID}
	body := map[string]any{"iss": token.Issuer, "sub": w.client.ID, "aud": token.AudienceV3, "jti": "x", "iat": w.now.Unix(), "exp": w.now.Add(time.Hour).Unix()}
	for k, v := range header {
		head[k] = v
	}
	for k, v := range claims {
		if v == nil {
			delete(body, k)
			continue
		}
		body[k] = v
	}
	signing := encode(head) + "." + encode(body)
	return signing + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key.Private, []byte(signing)))
}

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func TestAttacks(t *testing.T) {
	w := newWorld(t)
	valid := w.issue(t)
	parts := strings.Split(valid, ".")
	key := w.live.Keys()[0]
	public := key.Private.Public().(ed25519.PublicKey)
	claims := map[string]any{"iss": token.Issuer, "sub": w.client.ID, "aud": token.AudienceV3, "jti": "x", "iat": w.now.Unix(), "exp": w.now.Add(time.Hour).Unix()}
	hs256 := func() string {
		signing := encode(map[string]any{"alg": "HS256", "typ": "JWT", "kid": key.ID}) + "." + encode(claims)
		mac := hmac.New(sha256.New, public)
		mac.Write([]byte(signing))
		return signing + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	other := newWorld(t)
	if w.rejected("Bearer " + w.forge(nil, nil)) {
		t.Fatal("forge does not make valid tokens")
	}
	reports, err := w.authority.Issue(w.client, token.AudienceReports)
	if err != nil {
		t.Fatal(err)
	}
	attacks := map[string]string{
		"empty":                  "",
		"no Bearer":              valid,
		"lower-case bearer":      "bearer " + valid,
		"Bearer alone":           "Bearer ",
		"two spaces":             "Bearer  " + valid,
		"Basic":                  "Basic " + valid,
		"trailing text":          "Bearer " + valid + " x",
		"alg none, no signature": "Bearer " + encode(map[string]any{"alg": "none", "typ": "JWT"}) + "." + encode(claims) + ".",
		"alg None":               "Bearer " + encode(map[string]any{"alg": "None", "typ": "JWT", "kid": key.ID}) + "." + encode(claims) + ".",
		"HS256 with public key":  "Bearer " + hs256(),
		"signature cut off":      "Bearer " + parts[0] + "." + parts[1] + ".",
		"signature truncated":    "Bearer " + valid[:len(valid)-4],
		"signature missing":      "Bearer " + parts[0] + "." + parts[1],
		"four parts":             "Bearer " + valid + ".x",
		"other body":             "Bearer " + parts[0] + "." + encode(claims) + "." + parts[2],
		"another server's key":   "Bearer " + other.issue(t),
		"kid unknown":            "Bearer " + w.forge(map[string]any{"kid": "../../etc/passwd"}, nil),
		"kid absent":             "Bearer " + w.forge(map[string]any{"kid": ""}, nil),
		"kid a number":           "Bearer " + w.forge(map[string]any{"kid": 1}, nil),
		"jku":                    "Bearer " + w.forge(map[string]any{"jku": "http://127.0.0.1/k"}, nil),
		"jwk":                    "Bearer " + w.forge(map[string]any{"jwk": map[string]any{"kty": "OKP"}}, nil),
		"x5c":                    "Bearer " + w.forge(map[string]any{"x5c": []string{"x"}}, nil),
		"crit":                   "Bearer " + w.forge(map[string]any{"crit": []string{"exp"}}, nil),
		"typ at+jwt":             "Bearer " + w.forge(map[string]any{"typ": "at+jwt"}, nil),
		"wrong issuer":           "Bearer " + w.forge(nil, map[string]any{"iss": "else"}),
		"no issuer":              "Bearer " + w.forge(nil, map[string]any{"iss": nil}),
		"wrong audience":         "Bearer " + w.forge(nil, map[string]any{"aud": "else"}),
		"no audience":            "Bearer " + w.forge(nil, map[string]any{"aud": nil}),
		"reports audience":       "Bearer " + reports,
		"no subject":             "Bearer " + w.forge(nil, map[string]any{"sub": nil}),
		"unknown subject":        "Bearer " + w.forge(nil, map[string]any{"sub": "qc_nobody"}),
		"subject a number":       "Bearer " + w.forge(nil, map[string]any{"sub": 7}),
		"no expiry":              "Bearer " + w.forge(nil, map[string]any{"exp": nil}),
		"expired":                "Bearer " + w.forge(nil, map[string]any{"exp": w.now.Unix()}),
		"issued in the future":   "Bearer " + w.forge(nil, map[string]any{"iat": w.now.Add(time.Hour).Unix()}),
		"not issued":             "Bearer " + w.forge(nil, map[string]any{"iat": nil}),
		"not before, future":     "Bearer " + w.forge(nil, map[string]any{"nbf": w.now.Add(time.Hour).Unix()}),
		"no jti":                 "Bearer " + w.forge(nil, map[string]any{"jti": nil}),
		"huge":                   "Bearer " + valid + strings.Repeat("A", 100_000),
		"not base64":             "Bearer a!.b!.c!",
		"header not JSON":        "Bearer " + base64.RawURLEncoding.EncodeToString([]byte("{")) + "." + parts[1] + "." + parts[2],
		"padding":                "Bearer " + parts[0] + "=." + parts[1] + "." + parts[2],
		"new line inside":        "Bearer " + parts[0] + ".\n" + parts[1] + "." + parts[2],
		"null byte":              "Bearer " + valid + "\x00",
	}
	for name, authorization := range attacks {
		if !w.rejected(authorization) {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestMutationsAreRejected(t *testing.T) {
	w := newWorld(t)
	valid := w.issue(t)
	for i := range valid {
		for _, bit := range []byte{1, 2, 16} {
			mutant := []byte(valid)
			mutant[i] ^= bit
			if !w.rejected("Bearer " + string(mutant)) {
				t.Fatalf("a token with byte %d changed is accepted", i)
			}
		}
	}
}

func FuzzAuthenticate(f *testing.F) {
	w := newWorld(f)
	seed, valid := w.issue(f), w.issue(f)
	f.Add("Bearer " + seed)
	f.Add("Bearer a.b.c")
	f.Fuzz(func(t *testing.T, authorization string) {
		if authorization != "Bearer "+valid && authorization != "Bearer "+seed && !w.rejected(authorization) {
			t.Errorf("%q is accepted", authorization)
		}
	})
}

func TestGrant(t *testing.T) {
	w := newWorld(t)
	id, secret := w.made.ClientID, w.made.ClientSecret
	valid := fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, id, secret)
	const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"
	tests := map[string]struct {
		media, body string
		basic       bool
		want        error
		message     string
	}{
		"json":              {asJSON, valid, false, nil, ""},
		"json with charset": {asJSON + "; charset=utf-8", valid, false, nil, ""},
		"form":              {asForm, "grant_type=client_credentials&client_id=" + id + "&client_secret=" + secret, false, nil, ""},
		"form with basic":   {asForm, "grant_type=client_credentials", true, nil, ""},
		"reports audience":  {asJSON, strings.Replace(valid, "}", `,"audience":"reports-api"}`, 1), false, nil, ""},
		"unknown audience":  {asJSON, strings.Replace(valid, "}", `,"audience":"x"}`, 1), false, token.ErrBadRequest, "audience"},
		"wrong secret":      {asJSON, fmt.Sprintf(`{"client_id":%q,"client_secret":"x"}`, id), false, token.ErrWrongClient, ""},
		"wrong id":          {asJSON, fmt.Sprintf(`{"client_id":"x","client_secret":%q}`, secret), false, token.ErrWrongClient, ""},
		"no id":             {asJSON, `{"client_secret":"x"}`, false, token.ErrBadRequest, "client_id"},
		"no secret":         {asJSON, `{"client_id":"x"}`, false, token.ErrBadRequest, "client_secret"},
		"malformed":         {asJSON, `{"client_id":`, false, token.ErrBadRequest, "JSON"},
		"id a number":       {asJSON, `{"client_id":1,"client_secret":"x"}`, false, token.ErrBadRequest, "JSON"},
		"empty":             {asJSON, ``, false, token.ErrBadRequest, "JSON"},
		"no media type":     {"", valid, false, token.ErrBadRequest, "Content-Type"},
		"other media type":  {"text/plain", valid, false, token.ErrBadRequest, "Content-Type"},
		"too large":         {asJSON, valid + strings.Repeat(" ", 10_000), false, token.ErrBadRequest, "longer than"},
		"form, no grant":    {asForm, "client_id=" + id + "&client_secret=" + secret, false, token.ErrBadRequest, "grant_type"},
		"form, other grant": {asForm, "grant_type=password&client_id=" + id + "&client_secret=" + secret, false, token.ErrBadRequest, "grant_type"},
		"form, twice":       {asForm, "grant_type=client_credentials&client_id=a&client_id=b&client_secret=c", false, token.ErrBadRequest, "more than once"},
		"form and basic":    {asForm, "grant_type=client_credentials&client_secret=" + secret, true, token.ErrBadRequest, "both"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/oauth/token", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", tt.media)
			if tt.basic {
				r.SetBasicAuth(id, secret)
			}
			var grant token.Grant
			in, err := token.ReadRequest(httptest.NewRecorder(), r)
			if err == nil {
				grant, err = w.authority.Grant(t.Context(), in)
			}
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%v, want one with %q", err, tt.message)
			}
			if err == nil && (grant.TokenType != "Bearer" || grant.ExpiresIn != 12*3600 || grant.AccessToken == "") {
				t.Errorf("granted %+v", grant)
			}
		})
	}
}

func TestLifetimeIsUnderADay(t *testing.T) {
	for _, lifetime := range []time.Duration{0, -1, 24 * time.Hour} {
		if _, err := token.NewAuthority(nil, lifetime, time.Now); err == nil {
			t.Errorf("a lifetime of %v is accepted", lifetime)
		}
	}
}
