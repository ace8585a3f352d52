package token_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quartier/internal/drill"
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

func TestAttacks(t *testing.T) {
	w := newWorld(t)
	reports, err := w.authority.Issue(w.client, token.AudienceReports)
	if err != nil {
		t.Fatal(err)
	}
	f := drill.Forger{Key: w.live.Keys()[0], Subject: w.client.ID, Now: w.now, Valid: w.issue(t), Reports: reports}
	if w.rejected("Bearer " + f.Forge(nil, nil)) {
		t.Fatal("Forge does not make valid tokens")
	}
	attacks := f.Attacks()
	attacks["another server's token"] = "Bearer " + newWorld(t).issue(t)
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
		"form, other grant": {asForm, "grant_type=password&client_id=" + id + "&client_secret=" + secret, false, token.ErrBadRequest,
			"grant_type"},
		"form, twice": {asForm, "grant_type=client_credentials&client_id=a&client_id=b&client_secret=c", false, token.ErrBadRequest,
			"more than once"},
		"form and basic": {asForm, "grant_type=client_credentials&client_secret=" + secret, true, token.ErrBadRequest, "both"},
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
