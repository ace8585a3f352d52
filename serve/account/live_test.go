package account_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quartier/serve/account"
)

// directory is a store in memory that counts calls, and fails on request.
type directory struct {
	mu    sync.Mutex
	all   account.Accounts
	err   error
	looks atomic.Int64
	reads atomic.Int64
}

func (d *directory) Revision(context.Context) (account.Revision, error) {
	d.looks.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.all.Revision, d.err
}

func (d *directory) Accounts(context.Context) (*account.Accounts, error) {
	d.reads.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.all
	return &all, d.err
}

// set replaces the content.
func (d *directory) set(change func(*directory)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

// follow follows a directory with accounts of some ids.
func follow(t *testing.T, ids ...string) (*directory, *account.Live, *bytes.Buffer) {
	t.Helper()
	d := &directory{all: account.Accounts{Revision: account.Revision{Number: 7, Mark: "a"}, Keys: []account.Key{account.NewKey("")}}}
	for _, id := range ids {
		d.all.Clients = append(d.all.Clients, &account.Client{ID: id})
	}
	log := new(bytes.Buffer)
	live, err := account.Follow(t.Context(), d, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return d, live, log
}

// TestRevisions reads the accounts when the revision is another one, in number or mark, and says when it is an earlier one.
func TestRevisions(t *testing.T) {
	d, live, log := follow(t, "a")
	kept := live.Client("a")
	for _, c := range []struct {
		revision account.Revision
		restored int64
	}{
		{account.Revision{Number: 7, Mark: "a"}, 0}, {account.Revision{Number: 8, Mark: "b"}, 0}, {account.Revision{Number: 8, Mark: "c"}, 1},
		{account.Revision{Number: 3, Mark: "d"}, 2}, {account.Revision{Number: 4, Mark: "e"}, 2},
	} {
		d.set(func(d *directory) {
			d.all.Revision = c.revision
			d.all.Clients = []*account.Client{{ID: "a"}, {ID: c.revision.Mark}}
		})
		if err := live.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h := live.Health(); h.Restored != c.restored || h.Revision != c.revision.Number || live.Client(c.revision.Mark) == nil {
			t.Errorf("%v: %+v", c.revision, h)
		}
	}
	if live.Client("a") != kept {
		t.Error("an account that is as before is another record")
	}
	if n := d.reads.Load(); n != 5 {
		t.Errorf("the accounts were read %d times", n)
	}
	if strings.Count(log.String(), "restored or replaced") != 2 {
		t.Error(log)
	}
}

// TestDamagedRecords are counted and logged once; without a key the last copy stays.
func TestDamagedRecords(t *testing.T) {
	d, live, log := follow(t, "a")
	d.set(func(d *directory) { d.all.Revision.Number++; d.all.Damaged = []error{errors.New("account x")} })
	for range 3 {
		if err := live.Refresh(t.Context()); err != nil || live.Health().Damaged != 1 || live.Client("a") == nil {
			t.Fatalf("%v %+v", err, live.Health())
		}
		d.set(func(d *directory) { d.all.Revision.Number++ })
	}
	if strings.Count(log.String(), "account x") != 1 {
		t.Error(log)
	}
	d.set(func(d *directory) { d.all.Keys, d.all.Clients = nil, nil })
	if err := live.Refresh(t.Context()); err == nil || live.Client("a") == nil || len(live.Keys()) != 1 {
		t.Errorf("without a key: %v", err)
	}
}

// TestAge is that of the last look that succeeded. Beyond 5 s it is late, beyond the maximum nothing may be answered.
func TestAge(t *testing.T) {
	d, live, _ := follow(t, "a")
	live.MaxAge = time.Minute
	check := func(when string, late, stale bool) {
		t.Helper()
		h := live.Health()
		if h.Late != late || h.Stale != stale || stale != errors.Is(live.Fresh(time.Now()), account.ErrStale) {
			t.Errorf("%s: %+v", when, h)
		}
	}
	check("at first", false, false)
	d.set(func(d *directory) { d.err = errors.New("away") })
	live.Backdate(10 * time.Second)
	if err := live.Refresh(t.Context()); err == nil {
		t.Error("an error is hidden")
	}
	check("away for 10 s", true, false)
	live.Backdate(time.Minute)
	check("away for over a minute", true, true)
	if live.Client("a") == nil {
		t.Error("the last copy is lost")
	}
	d.set(func(d *directory) { d.err = nil })
	if err := live.Refresh(t.Context()); err != nil {
		t.Error(err)
	}
	check("back", false, false)
	live.MaxAge = 0
	live.Backdate(time.Hour)
	check("without a maximum", true, false)
}

// TestFind knows an account that was made a moment ago at once, and lets strangers ask the store for little.
func TestFind(t *testing.T) {
	d, live, _ := follow(t, "a")
	d.set(func(d *directory) {
		d.all.Revision = account.Revision{Number: 8, Mark: "b"}
		d.all.Clients = append(d.all.Clients, &account.Client{ID: "new"}, &account.Client{ID: "revoked", RevokedAt: "now"})
	})
	if live.Client("new") != nil || live.Find(t.Context(), "new") == nil {
		t.Fatal("a new account is not found")
	}
	before := d.looks.Load()
	for range 100 {
		if live.Find(t.Context(), "revoked") != nil || live.Find(t.Context(), "a") == nil {
			t.Fatal("a revoked account is found, or a known one is not")
		}
	}
	if n := d.looks.Load(); n != before {
		t.Errorf("the store was asked %d times for known accounts", n-before)
	}
	begun := time.Now()
	var strangers sync.WaitGroup
	for i := range 2000 {
		strangers.Go(func() {
			for n := range 5 {
				if live.Find(t.Context(), strings.Repeat("x", i%300)+strings.Repeat("y", n)) != nil {
					t.Error("a stranger is found")
				}
			}
		})
	}
	strangers.Wait()
	if n, most := d.looks.Load()-before, int64(time.Since(begun)/(50*time.Millisecond))+2; n > most || n == 0 {
		t.Errorf("strangers made the store work %d times, at most %d expected", n, most)
	}
	d.set(func(d *directory) { d.err = errors.New("away") })
	if live.Find(t.Context(), "later") != nil {
		t.Error("an account is found although the store is away")
	}
}
