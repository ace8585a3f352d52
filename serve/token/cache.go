package token

import (
	"sync"
	"time"
)

// cacheSize is how many verified tokens are remembered in each of two generations.
const cacheSize = 10_000

// cache remembers verified tokens, bounded: when the young generation is full it becomes the old one and the one
// before is forgotten.
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

// get returns the subject of a remembered token that has not expired and whose key still stands.
func (c *cache) get(raw string, now time.Time, keyStands func(kid string) bool) (string, bool) {
	c.mu.RLock()
	e, found := c.young[raw]
	aged := false
	if !found {
		e, found = c.old[raw]
		aged = found
	}
	c.mu.RUnlock()
	if !found || !now.Before(e.expires) || !keyStands(e.kid) {
		return "", false
	}
	if aged {
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
