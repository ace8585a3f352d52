package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/schemas"
)

// packFile is a mapped pack. Its file stays open, so that the verified bytes are those that are mapped, even if another
// file replaces it in the folder.
type packFile struct {
	entry  schemas.ReleaseFile
	file   *os.File
	mapped mapping                     // nil if it could not be mapped
	state  atomic.Pointer[os.FileInfo] // when it was opened or last verified
}

// mapping is a file in memory: a pack.File or a pmtiles.Archive.
type mapping interface {
	Contains(address uintptr) bool
	Close() error
}

func (p *packFile) close() {
	if p.mapped != nil {
		p.mapped.Close()
	}
	p.file.Close() // opened for reading only
}

// verify reads the pack, unless it was read in this state before, and compares its SHA-256 with the manifest.
func (p *packFile) verify(ctx context.Context, known *record, pace pace) error {
	before, err := p.file.Stat()
	if err != nil {
		return fmt.Errorf("verify %s: %w", p.file.Name(), err)
	}
	if known != nil && known.has(before, p.entry.SHA256) {
		p.state.Store(&before)
		return nil
	}
	begun := time.Now()
	digest, err := fileDigest(ctx, p.file, pace)
	if err != nil {
		return fmt.Errorf("verify %s: %w", p.file.Name(), err)
	}
	if digest != p.entry.SHA256 {
		return fmt.Errorf("verify %s: its SHA-256 is not %.12s… of the manifest", p.file.Name(), p.entry.SHA256)
	}
	if known != nil {
		known.add(before, digest, begun)
	}
	p.state.Store(&before)
	return nil
}

// Verify reads all packs of the release and compares their SHA-256 with the manifests. It stops when ctx ends.
func (r *Release) Verify(ctx context.Context) error {
	_, err := r.verify(ctx, r.parts, nil, besideRequests)
	return err
}

// verify verifies components of the release, of the packs as many at a time as there are processors if nothing else uses
// them, and the largest first. It returns the component that is damaged.
func (r *Release) verify(ctx context.Context, parts []*component, known *record, pace pace) (*component, error) {
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(1)
	if pace == nil {
		group.SetLimit(runtime.GOMAXPROCS(0))
	}
	type ofComponent struct {
		*packFile
		of *component
	}
	var packs []ofComponent
	for _, c := range parts {
		for _, p := range c.packs {
			packs = append(packs, ofComponent{p, c})
		}
	}
	slices.SortStableFunc(packs, func(a, b ofComponent) int { return int(b.entry.Bytes - a.entry.Bytes) })
	var damaged atomic.Pointer[component]
	for _, p := range packs {
		group.Go(func() error {
			err := p.verify(limited, known, pace)
			if err != nil && limited.Err() == nil {
				damaged.CompareAndSwap(nil, p.of)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return damaged.Load(), err
	}
	for _, c := range parts {
		c.verified.Store(true)
	}
	return nil, nil
}

// packs are those of all components.
func (r *Release) packs() (all []*packFile) {
	for _, c := range r.parts {
		all = append(all, c.packs...)
	}
	return all
}

// beyond are the components that another release, which may be nil, does not have.
func (r *Release) beyond(other *Release) []*component {
	if other == nil {
		return r.parts
	}
	return slices.DeleteFunc(slices.Clone(r.parts), func(c *component) bool { return slices.Contains(other.parts, c) })
}

// touched are the components with a pack that was written to or truncated since it was opened or verified. Replacing it by a
// rename does not count.
func (r *Release) touched() (parts []*component) {
	for _, c := range r.parts {
		if slices.ContainsFunc(c.packs, func(p *packFile) bool {
			now, err := p.file.Stat()
			return err != nil || !sameState(now, *p.state.Load())
		}) {
			parts = append(parts, c)
		}
	}
	return parts
}

// pace waits after n bytes of a file were read and hashed in a time; nil: it goes on at once.
type pace func(ctx context.Context, n int, spent time.Duration)

// besideRequests takes half a processor at most, in short turns, so that requests hardly wait.
func besideRequests(_ context.Context, _ int, spent time.Duration) { time.Sleep(spent) }

// digestChunk is read at once, in a fraction of a millisecond.
const digestChunk = 256 << 10

// fileDigest is the SHA-256 of a file in hex.
func fileDigest(ctx context.Context, file *os.File, pace pace) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	in, hash := io.NewSectionReader(file, 0, info.Size()), sha256.New()
	chunk := make([]byte, digestChunk)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		begun := time.Now()
		n, err := io.ReadFull(in, chunk)
		hash.Write(chunk[:n])
		if pace != nil && n > 0 {
			pace(ctx, n, time.Since(begun))
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return hex.EncodeToString(hash.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
}
