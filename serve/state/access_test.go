package state_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"quartier/serve/account"
)

var page = account.AccessKey{Kind: account.Publishable, Origins: []string{"https://portal.example"}, Scores: []string{"quiet"}, Rate: 7}

// TestAccessKeysAreKept makes keys of both kinds and reads them again, as a server that starts again does.
func TestAccessKeysAreKept(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		client, _, err := store.Create("Acme", account.Agreement{Regions: []string{"CA", "US_OR"}})
		mustDo(t, err)
		key, made, err := store.CreateKey("Acme", "", page)
		mustDo(t, err)
		_, signing, err := store.CreateKey("Acme", client.ID, account.AccessKey{Kind: account.Signing, Regions: []string{"US_OR"}})
		mustDo(t, err)
		live, err := account.Follow(context.Background(), open(t, dsn), slog.New(slog.NewTextHandler(io.Discard, nil)))
		mustDo(t, err)
		c := live.Access(made.Key)
		if c == nil || c.ID != key.ID || c.Customer != "Acme" || c.Agreement.Rate != 7 || !slices.Equal(c.Agreement.Scores, []string{"quiet"}) ||
			!slices.Equal(c.Agreement.Regions, client.Agreement.Regions) || !c.Key.AllowsOrigin("https://portal.example") {
			t.Errorf("the publishable key is of %+v", c)
		}
		s := live.Access(signing.Key)
		if s == nil || string(s.Key.Verifier) != signing.Secret || !slices.Equal(s.Agreement.Regions, []string{"US_OR"}) ||
			s.Agreement.Rate != account.DefaultRate {
			t.Errorf("the signing key is of %+v", s)
		}
		if live.Access(signing.Secret) != nil || live.Access(key.ID) != nil || live.Access("") != nil ||
			live.Access(string(key.Verifier)) != nil {
			t.Error("what is no key is one")
		}
		_, later, err := store.CreateKey("Acme", client.ID, page)
		mustDo(t, err)
		if live.Access(later.Key) != nil || live.FindAccess(context.Background(), later.Key) == nil {
			t.Error("a key that was made a moment ago is not found when it is used")
		}
		if live.FindAccess(context.Background(), later.Key+"x") != nil {
			t.Error("what is no key is found")
		}
		mustDo(t, store.Revoke(client.ID))
		mustDo(t, live.Refresh(context.Background()))
		if live.Access(made.Key) != nil || live.Access(signing.Key) != nil || live.Health().AccessKeys != 0 {
			t.Error("keys of a revoked account can be used")
		}
	})
}

func TestAccessKeysAreRefused(t *testing.T) {
	store := open(t, "sqlite:"+t.TempDir()+"/state.db")
	one, _, err := store.Create("Acme", account.Agreement{Regions: []string{"CA"}, Scores: []string{"parks"}})
	mustDo(t, err)
	_, _, err = store.Create("Globex", account.Agreement{})
	mustDo(t, err)
	_, _, err = store.Create("Globex", account.Agreement{})
	mustDo(t, err)
	for name, c := range map[string]struct {
		customer, id string
		change       func(*account.AccessKey)
		want         error
	}{
		"an unknown customer":     {"Nobody", "", nil, account.ErrUnknownClient},
		"an account of another":   {"Globex", one.ID, nil, account.ErrUnknownClient},
		"one of several accounts": {"Globex", "", nil, account.ErrBadAgreement},
		"scores that it has not":  {"Acme", "", nil, account.ErrBadAgreement},
		"regions that it has not": {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Regions = nil, []string{"US"} },
			account.ErrBadAgreement},
		"a region that it has a part of": {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Regions = nil, []string{"US", "US_OR"} },
			account.ErrBadAgreement},
		"scores that there are not": {"Acme", "", func(k *account.AccessKey) { k.Scores = []string{"x"} }, account.ErrBadAgreement},
		"no origin":                 {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Origins = nil, nil }, account.ErrBadAgreement},
		"a signing key with an origin": {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Kind = nil, account.Signing },
			account.ErrBadAgreement},
		"another kind":    {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Kind = nil, "x" }, account.ErrBadAgreement},
		"a negative rate": {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Rate = nil, -1 }, account.ErrBadAgreement},
		"an origin that is no such one": {"Acme", "", func(k *account.AccessKey) { k.Scores, k.Origins = nil, []string{"*"} },
			account.ErrBadAgreement},
	} {
		terms := page
		if c.change != nil {
			c.change(&terms)
		}
		if _, _, err := store.CreateKey(c.customer, c.id, terms); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOriginsOfPages(t *testing.T) {
	for _, good := range []string{"https://portal.example", "https://a.b-c.portal.example:8443", "http://localhost", "http://localhost:8080",
		"http://127.0.0.1:3000", "http://[::1]:3000", "https://xn--bcher-kva.example", "https://192.0.2.7"} {
		if err := account.CheckPageOrigin(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "null", "*", "https://", "https://*", "https://*.example", "portal.example", "//portal.example",
		"https://portal.example/", "https://portal.example/x", "https://portal.example?", "https://portal.example#", "https://PORTAL.example",
		"HTTPS://portal.example", "https://user@portal.example", "https://portal.example:443", "http://localhost:80", "https://portal.example:",
		"http://portal.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example", "http://10.0.0.1", "ftp://portal.example",
		"https://portal.example, https://evil.example", " https://portal.example", "https://bücher.example", "https://a\x00.example",
		"javascript://portal.example", "file://"} {
		if account.CheckPageOrigin(bad) == nil {
			t.Errorf("%q is an origin", bad)
		}
	}
}

// TestPublishableKeysAreNotStored looks for a key in the file of a state.
func TestPublishableKeysAreNotStored(t *testing.T) {
	store, path := openStore(t)
	_, _, err := store.Create("Acme", account.Agreement{})
	mustDo(t, err)
	key, made, err := store.CreateKey("Acme", "", page)
	mustDo(t, err)
	for _, name := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(made.Key)) || strings.Contains(key.ID, made.Key[3:]) {
			t.Errorf("%s has the key", name)
		}
	}
}

// TestDamagedAccessKeys has a row of every kind of damage; the others are read.
func TestDamagedAccessKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		_, _, err := store.Create("Acme", account.Agreement{})
		mustDo(t, err)
		good, _, err := store.CreateKey("Acme", "", page)
		mustDo(t, err)
		damages := []string{`terms = '{"rate":'`, `terms = '{"rate":1}'`, `terms = '{"rate":0,"origins":["https://a.example"]}'`,
			`terms = '{"rate":1,"origins":["https://*"]}'`, `kind = 'signing'`, `verifier = substr(verifier, 1, 3)`}
		for _, damage := range damages {
			k, _, err := store.CreateKey("Acme", "", page)
			mustDo(t, err)
			execute(t, raw(t, dsn), `UPDATE access_key SET `+damage+` WHERE key_id = '`+k.ID+`'`)
		}
		if all := accountsOf(t, store); len(all.Access) != 1 || all.Access[0].ID != good.ID || len(all.Damaged) != len(damages) {
			t.Errorf("%d keys, %d of %d damages: %v", len(all.Access), len(all.Damaged), len(damages), all.Damaged)
		}
	})
}
