package stepping

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quartier/ingest/source"
	"quartier/internal/store"
	_ "quartier/internal/store/s3"
)

// place is a work place: a store with the plan, the records of finished steps and their files.
//
//	plan.json                   what the build is made of: pipeline.Plan
//	steps/<id>/<inputs>.json    a record, by the digest of what the step depends on
//	objects/ab/<sha256>         files of steps
//	attempts/<id>/<N>/          where attempt N works, if the place is a folder
//	release/                    the release, likewise
type place struct {
	store.Store
	folder string // of the store; "": it is a bucket
}

const planName = "plan.json"

func openPlace(ctx context.Context, address string) (*place, error) {
	a, err := store.ParseAddress(address)
	if err != nil {
		return nil, fmt.Errorf("%w: --work: %w", ErrUsage, err)
	}
	s, err := store.Open(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("--work: %w", err)
	}
	return &place{s, a.Folder}, nil
}

// readJSON reads an object. store.ErrNotFound.
func (p *place) readJSON(ctx context.Context, name string, into any) error {
	from, err := p.Open(ctx, name, 0, -1)
	if err != nil {
		return err
	}
	defer from.Close()
	data, err := io.ReadAll(from)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("read %s of %s: %w", name, p, err)
	}
	return nil
}

// putJSON puts an object. store.ErrExists.
func (p *place) putJSON(ctx context.Context, name string, value any) error {
	data, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	sum := sha256.Sum256(data)
	o := store.Object{Name: name, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
	return p.Put(ctx, o, bytes.NewReader(data))
}

// fetch makes a file of an object: another name of it, or of what is kept of it, where both are on one disk, else a copy. Its
// bytes are those of its digest. It says how many were sent.
func (p *place) fetch(ctx context.Context, o output, to string, kept objects) (sent int64, err error) {
	if p.folder != "" && os.Link(p.path(o.SHA256), to) == nil {
		return 0, lost(o, sameBytes(ctx, o, to))
	}
	if kept.lend(ctx, o, to) {
		return 0, nil
	}
	from, err := p.Open(ctx, store.Blob(o.SHA256), 0, -1) // which compares its bytes
	if err != nil {
		return 0, lost(o, err)
	}
	defer from.Close()
	file, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	sent, err = io.Copy(file, from)
	if err = errors.Join(err, file.Close()); err == nil {
		err = kept.keep(o, to)
	}
	return sent, lost(o, err)
}

func (p *place) path(sha256 string) string {
	return filepath.Join(p.folder, filepath.FromSlash(store.Blob(sha256)))
}

// sameBytes compares a file with its digest. store.ErrDigest.
func sameBytes(ctx context.Context, o output, path string) error {
	got, _, err := source.DigestFile(ctx, path)
	if err == nil && got != o.SHA256 {
		err = fmt.Errorf("%w: %s", store.ErrDigest, store.Blob(o.SHA256))
	}
	return err
}

// lost says of an error of fetching a file how what is damaged is made again.
func lost(o output, err error) error {
	if err != nil {
		err = fmt.Errorf("fetch %s: %w", o.Name, err)
	}
	if errors.Is(err, store.ErrDigest) || errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// put puts a file that nobody will write to. Where both are on one disk it is another name of it.
func (p *place) put(ctx context.Context, o output, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if p.folder != "" && p.link(file, o) == nil {
		return nil
	}
	err = p.Put(ctx, store.Object{Name: store.Blob(o.SHA256), Bytes: o.Bytes, SHA256: o.SHA256}, file)
	if err != nil && !errors.Is(err, store.ErrExists) {
		return fmt.Errorf("put %s: %w", o.Name, err)
	}
	return nil
}

// link makes a synced file an object.
func (p *place) link(file *os.File, o output) error {
	if err := file.Sync(); err != nil {
		return err
	}
	to := p.path(o.SHA256)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.Link(file.Name(), to); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	folder, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
