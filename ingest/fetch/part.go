package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/lockfile"
	"quartier/internal/wholefile"
)

// part is an incomplete file, with the server's version of its bytes in a file next to it.
type part struct {
	path string
	file *os.File
	size int64 // bytes on disk
	mark mark
	sum  hash.Hash // of the first bytes
	read int64     // bytes in sum
}

// mark identifies the version of the bytes on disk. A part without a validator is not resumed.
type mark struct {
	URL          string `json:"url"`
	SHA256       string `json:"sha256"`
	ETag         string `json:"etag,omitempty"` // strong ones only
	LastModified string `json:"last_modified,omitempty"`
	Tag          string `json:"tag,omitempty"`   // ETag as it was sent
	Name         string `json:"name,omitempty"`  // that the server gave the file
	Total        int64  `json:"total,omitempty"` // bytes of the file as announced; -1: not known
}

// same reports whether a later part is of the version of the bytes on disk, as far as the server says.
func (m mark) same(said mark, total int64) bool {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return !differ(m.Tag, said.Tag) && !differ(m.LastModified, said.LastModified) && (total < 0 || m.Total <= 0 || total == m.Total)
}

func (m mark) validator() string {
	if m.ETag != "" {
		return m.ETag
	}
	return m.LastModified
}

// openPart opens and locks the part of r, creating its folder, and keeps its bytes if they are of the same request.
func openPart(r Request) (*part, error) {
	p := &part{path: r.Dest + ".part", sum: sha256.New()}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	p.file = file
	if err := lockfile.Try(file); err != nil {
		file.Close()
		if errors.Is(err, lockfile.ErrHeld) {
			return nil, ErrBusy
		}
		return nil, fmt.Errorf("lock %s: %w", p.path, err)
	}
	info, err := file.Stat()
	if err != nil {
		lockfile.Close(file)
		return nil, err
	}
	if now, err := os.Stat(p.path); err != nil || !os.SameFile(info, now) {
		lockfile.Close(file) // it was renamed between open and lock
		return nil, ErrBusy
	}
	p.size = info.Size()
	want := mark{URL: redacted(r.address()), SHA256: r.SHA256}
	if data, err := os.ReadFile(p.markPath()); err == nil && json.Unmarshal(data, &p.mark) == nil &&
		p.mark.URL == want.URL && p.mark.SHA256 == want.SHA256 && p.mark.validator() != "" {
		return p, nil
	}
	p.mark = want
	if err := p.reset(); err != nil {
		lockfile.Close(file)
		return nil, err
	}
	return p, nil
}

func (p *part) markPath() string { return p.path + ".json" }

// reset removes the bytes.
func (p *part) reset() error {
	p.mark = mark{URL: p.mark.URL, SHA256: p.mark.SHA256}
	if err := os.Remove(p.markPath()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	p.size, p.read = 0, 0
	p.sum.Reset()
	return p.file.Truncate(0)
}

// begin empties the part and records what the server said of the next bytes.
func (p *part) begin(said mark) error {
	if err := p.reset(); err != nil {
		return err
	}
	said.URL, said.SHA256 = p.mark.URL, p.mark.SHA256
	if said.ETag = said.Tag; strings.HasPrefix(said.Tag, "W/") {
		said.ETag = ""
	}
	if p.mark = said; said.validator() == "" {
		return nil
	}
	data, err := json.Marshal(p.mark)
	if err != nil {
		return err
	}
	return os.WriteFile(p.markPath(), data, 0o644)
}

// Write appends to the part.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.size)
	if p.read == p.size {
		p.sum.Write(b[:n])
		p.read += int64(n)
	}
	p.size += int64(n)
	return n, err
}

// digest is the SHA-256 of the part in lower-case hex. What another process wrote of it is read again.
func (p *part) digest(ctx context.Context) (string, error) {
	if p.read < p.size {
		digest, _, err := source.DigestFile(ctx, p.path)
		return digest, err
	}
	return hex.EncodeToString(p.sum.Sum(nil)), nil
}

// publish renames the complete part to dest and syncs file and folder.
func (p *part) publish(dest string) error {
	if err := p.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(p.path, dest); err != nil {
		return err
	}
	if err := os.Remove(p.markPath()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return wholefile.Sync(filepath.Dir(dest))
}

// close releases the part and removes an empty one.
func (p *part) close() {
	if p.size == 0 {
		os.Remove(p.path)
		os.Remove(p.markPath())
	}
	lockfile.Close(p.file)
}
