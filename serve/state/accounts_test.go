package state_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/serve/account"
	"quartier/serve/state"
)

func openStore(t *testing.T) (*state.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "état & co", "state.db")
	return open(t, "sqlite:"+path), path
}

func TestStoreKeepsNoSecret(t *testing.T) {
	store, path := openStore(t)
	_, made, err := store.Create("Acme", account.Agreement{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), made.ClientSecret) {
			t.Errorf("%s contains the secret", filepath.Base(name))
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the state file has mode %v, want 0600", info.Mode().Perm())
	}
}

func TestCreateFillsTheAgreement(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		client, made, err := store.Create("Acme",
			account.Agreement{Regions: []string{"US_OR", "CA", "CA"}, Products: []string{"pois", "geographies"}})
		if err != nil {
			t.Fatal(err)
		}
		want := account.Agreement{Products: []string{"geographies", "pois"}, Scores: account.Scores, Regions: []string{"CA", "US_OR"},
			Rate: account.DefaultRate, OpenRequests: account.DefaultOpenRequests}
		if diff := cmp.Diff(want, client.Agreement); diff != "" {
			t.Error(diff)
		}
		if !client.Matches(made.ClientSecret) || client.Matches(made.ClientSecret+"x") || client.Matches("") {
			t.Error("the client does not match its secret and nothing else")
		}
	})
}

func TestCreateRejects(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		tests := map[string]struct {
			customer  string
			agreement account.Agreement
			want      string
		}{
			"no customer":     {" ", account.Agreement{}, "the name of the customer is empty"},
			"unknown product": {"A", account.Agreement{Products: []string{"poi"}}, `unknown product "poi"`},
			"unknown score":   {"A", account.Agreement{Scores: []string{"fun"}}, `unknown score "fun"`},
			"other country":   {"A", account.Agreement{Regions: []string{"FR"}}, `region "FR"`},
			"lower case":      {"A", account.Agreement{Regions: []string{"US_or"}}, `region "US_or"`},
			"no such state":   {"A", account.Agreement{Regions: []string{"US_ZZ"}}, `region "US_ZZ"`},
			"negative rate":   {"A", account.Agreement{Rate: -1}, "rate"},
		}
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				_, _, err := store.Create(tt.customer, tt.agreement)
				if !errors.Is(err, account.ErrBadAgreement) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want ErrBadAgreement with %q", err, tt.want)
				}
			})
		}
	})
}

func TestLiveFollowsTheStore(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		ctx := context.Background()
		live, err := account.Follow(ctx, store, slog.New(slog.NewTextHandler(io.Discard, nil)))
		if err != nil {
			t.Fatal(err)
		}
		operator, err := state.Open(dsn) // another process
		if err != nil {
			t.Fatal(err)
		}
		defer operator.Close()
		client, _, err := operator.Create("Acme", account.Agreement{})
		if err != nil {
			t.Fatal(err)
		}
		if err := live.Refresh(ctx); err != nil || live.Client(client.ID) == nil {
			t.Fatalf("a new account is not seen: %v", err)
		}
		if err := operator.Revoke(client.ID); err != nil {
			t.Fatal(err)
		}
		if err := live.Refresh(ctx); err != nil || live.Client(client.ID) != nil {
			t.Fatalf("a revoked account is still good: %v", err)
		}
		if err := operator.Revoke("qc_nobody"); !errors.Is(err, account.ErrUnknownClient) {
			t.Errorf("revoking nobody gave %v", err)
		}
	})
}

func TestKeysRotateWithTwoLive(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		ctx := context.Background()
		keys := func() []account.Key {
			all, err := store.Accounts(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return all.Keys
		}
		first := keys()
		if len(first) != 1 {
			t.Fatalf("a new store has %d keys", len(first))
		}
		for range 2 {
			if err := store.RotateKey(); err != nil {
				t.Fatal(err)
			}
		}
		if got := keys(); len(got) != account.LiveKeys || got[1].ID == first[0].ID {
			t.Errorf("after two rotations the keys are %v", got)
		}
	})
}
