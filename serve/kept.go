package serve

import (
	"bytes"
	"sync"
)

const (
	keptFrom = 64 << 10 // length of an answer that is compressed once, in bytes; below that it takes less than a millisecond
	keptMost = 32 << 20 // bytes of all of them
)

// kept has large answers in a content coding, by their ETags. The zero value is ready.
type kept struct {
	mu    sync.Mutex
	byTag map[string][]byte
	order []string // of byTag, the oldest first
	bytes int
}

func (k *kept) get(tag string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byTag[tag]
}

// put keeps a body, which must not change any more, in place of the oldest ones.
func (k *kept) put(tag string, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(body) > keptMost/4 || k.byTag[tag] != nil {
		return
	}
	if k.byTag == nil {
		k.byTag = map[string][]byte{}
	}
	for k.bytes+len(body) > keptMost {
		oldest := k.order[0]
		k.bytes -= len(k.byTag[oldest])
		delete(k.byTag, oldest)
		k.order = k.order[1:]
	}
	k.byTag[tag] = body
	k.order = append(k.order, tag)
	k.bytes += len(body)
}

// compress returns a body in a content coding. Large ones are compressed once for each ETag.
func (r *request) compress(coding *coding, body []byte) []byte {
	large := len(body) >= keptFrom
	if large {
		if known := r.server.kept.get(r.etag[0]); known != nil {
			return known
		}
	}
	r.compressed = coding.compress(&r.server.compressors, r.compressed[:0], body)
	if large {
		r.server.kept.put(r.etag[0], bytes.Clone(r.compressed))
	}
	return r.compressed
}
