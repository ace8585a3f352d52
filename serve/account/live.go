package account

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// refreshEvery is the interval at which a running server looks for new and revoked accounts.
const refreshEvery = time.Second

// Directory is where accounts and keys are kept.
type Directory interface {
	// Revision is incremented by every change of the accounts and keys.
	Revision(context.Context) (int64, error)
	// Clients lists all clients, including revoked ones.
	Clients(context.Context) ([]*Client, error)
	// Keys lists the live signing keys, newest first.
	Keys(context.Context) ([]Key, error)
}

// Live is a copy of a directory in memory that follows it. Reads take no lock.
type Live struct {
	store   Directory
	log     *slog.Logger
	current atomic.Pointer[snapshot]
}

type snapshot struct {
	revision int64
	clients  map[string]*Client
	keys     []Key
}

// Follow loads the directory; Run keeps the copy up to date.
func Follow(ctx context.Context, store Directory, log *slog.Logger) (*Live, error) {
	live := &Live{store: store, log: log}
	return live, live.Refresh(ctx)
}

// Run follows the store until ctx ends. While the store cannot be read, the last copy is used.
func (l *Live) Run(ctx context.Context) {
	ticker := time.NewTicker(refreshEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := l.Refresh(ctx); err != nil && ctx.Err() == nil {
				l.log.Error("state cannot be read; continuing with the last known accounts", "error", err)
			}
		}
	}
}

// Refresh reads the store if it changed since the last read.
func (l *Live) Refresh(ctx context.Context) error {
	revision, err := l.store.Revision(ctx)
	if err != nil {
		return err
	}
	if old := l.current.Load(); old != nil && old.revision == revision {
		return nil
	}
	clients, err := l.store.Clients(ctx)
	if err != nil {
		return err
	}
	keys, err := l.store.Keys(ctx)
	if err != nil {
		return err
	}
	next := &snapshot{revision: revision, clients: make(map[string]*Client, len(clients)), keys: keys}
	for _, c := range clients {
		next.clients[c.ID] = c
	}
	l.current.Store(next)
	return nil
}

// Client returns a client by id; nil if it does not exist or is revoked.
func (l *Live) Client(id string) *Client {
	c := l.current.Load().clients[id]
	if c == nil || c.RevokedAt != "" {
		return nil
	}
	return c
}

// Keys returns the live signing keys; the first one signs.
func (l *Live) Keys() []Key { return l.current.Load().keys }
