package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"quartier/internal/pack"
	"quartier/schemas"
)

// packFile is a mapped pack. Its file stays open, so that the verified bytes are those that are mapped, even if another
// file replaces it in the folder.
type packFile struct {
	entry  schemas.ReleaseFile
	file   *os.File
	mapped *pack.File                  // nil if it could not be mapped
	state  atomic.Pointer[os.FileInfo] // when it was opened or last verified
}

func (p *packFile) close() {
	if p.mapped != nil {
		p.mapped.Close()
	}
	p.file.Close() // opened for reading only
}

// Verify reads all packs of the release and compares their SHA-256 with the manifests. It takes a second or
// two per gigabyte, and stops when ctx ends.
func (r *Release) Verify(ctx context.Context) error {
	_, err := r.verify(ctx, nil)
	return err
}

// verify is Verify without the components that another release has too. It returns the component that is damaged.
func (r *Release) verify(ctx context.Context, without *Release) (*component, error) {
	for _, c := range r.parts {
		if without != nil && slices.Contains(without.parts, c) {
			continue
		}
		if err := c.verify(ctx); err != nil {
			return c, err
		}
	}
	return nil, nil
}

func (c *component) verify(ctx context.Context) error {
	for _, p := range c.packs {
		before, err := p.file.Stat()
		if err != nil {
			return fmt.Errorf("verify %s: %w", p.file.Name(), err)
		}
		digest, err := fileDigest(ctx, p.file)
		if err != nil {
			return fmt.Errorf("verify %s: %w", p.file.Name(), err)
		}
		if digest != p.entry.SHA256 {
			return fmt.Errorf("verify %s: its SHA-256 is not %.12s… of the manifest", p.file.Name(), p.entry.SHA256)
		}
		p.state.Store(&before)
	}
	c.verified.Store(true)
	return nil
}

// touched reports whether a pack was written to or truncated since it was opened or verified. Replacing it by a rename
// does not count.
func (r *Release) touched() bool {
	for _, c := range r.parts {
		for _, p := range c.packs {
			now, err := p.file.Stat()
			if err != nil || !sameState(now, *p.state.Load()) {
				return true
			}
		}
	}
	return false
}

// digestChunk is read at once, in a fraction of a millisecond.
const digestChunk = 256 << 10

// fileDigest is the SHA-256 of a file in hex. It takes half a processor at most, in short turns, so that requests hardly wait
// for it.
func fileDigest(ctx context.Context, file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	in, hash := io.NewSectionReader(file, 0, info.Size()), sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		begun := time.Now()
		if _, err := io.CopyN(hash, in, digestChunk); err == io.EOF {
			return hex.EncodeToString(hash.Sum(nil)), nil
		} else if err != nil {
			return "", err
		}
		time.Sleep(time.Since(begun))
	}
}
