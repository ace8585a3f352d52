package token

import (
	"sync"
	"time"
)

// cacheSize is the number of verified tokens in each of two generations.
const cacheSize = 10_000

// cache keeps verified tokens, bounded: when the young generation is full it becomes the old one, and the previous old
// one is dropped.
type cache struct {
	mu         sync.RWMutex
	size       int
	young, old map[string]entry
}

type entry struct {
	subject string
	kid     string
	expires time.Time
}

func newCache(size int) *cache {
	return &cache{size: size, young: map[string]entry{}, old: map[string]entry{}}
}

// get returns the subject of a cached token that has not expired and whose key is still live.
func (c *cache) get(raw string, now time.Time, keyLive func(kid string) bool) (string, bool) {
	c.mu.RLock()
	e, found := c.young[raw]
	old := false
	if !found {
		e, found = c.old[raw]
		old = found
	}
	c.mu.RUnlock()
	if !found || !now.Before(e.expires) || !keyLive(e.kid) {
		return "", false
	}
	if old {
		c.put(raw, e)
	}
	return e.subject, true
}

func (c *cache) put(raw string, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.young) >= c.size {
		c.old, c.young = c.young, make(map[string]entry, c.size)
	}
	c.young[raw] = e
}
