package releases

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"quartier/internal/signature"
	"quartier/internal/store"
	"quartier/schemas"
)

// ErrNothing is wrapped by the error of a folder or a store that has no release.
var ErrNothing = errors.New("there is no release")

// atOnce is how many files are sent or fetched at a time.
const atOnce = 4

// Transfer is what became of the files of a release: those that were sent or fetched, and those that were there.
type Transfer struct {
	Files, Bytes, HadFiles, HadBytes int64
	adding                           sync.Mutex
}

func (t *Transfer) add(f File, had bool) {
	t.adding.Lock()
	defer t.adding.Unlock()
	if had {
		t.HadFiles, t.HadBytes = t.HadFiles+1, t.HadBytes+f.Bytes
	} else {
		t.Files, t.Bytes = t.Files+1, t.Bytes+f.Bytes
	}
}

// Describe lists the release in a folder and the folders of its components: what a folder of releases publishes, or one
// component places.
func Describe(dir string) (r *Release, folders []string, err error) {
	p, err := schemas.ReadPointer(dir)
	if err != nil {
		return nil, nil, err
	}
	r = &Release{Schema: schema}
	refs := []schemas.ComponentRef{{Name: schemas.Places, Folder: "."}}
	if p != nil {
		refs = p.Components
		signatures, err := os.ReadFile(schemas.PointerSignatures(dir, p.Generation))
		if err == nil {
			r.Signed = &Signed{p.Schema, p.Generation, signatures}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	for _, ref := range refs {
		folder := filepath.Join(dir, filepath.FromSlash(ref.Folder))
		c, err := component(folder, ref)
		if err != nil {
			return nil, nil, err
		}
		if r.Signed == nil {
			c.Folder = fmt.Sprintf("%s-%.16s", c.Name, c.Digest)
		}
		r.Components, folders = append(r.Components, *c), append(folders, folder)
	}
	return r, folders, r.check()
}

// component lists the component in a folder, which is that of a reference, if it has a digest.
func component(folder string, ref schemas.ComponentRef) (*Component, error) {
	head, err := schemas.ReadHead(folder)
	if err != nil {
		return nil, err
	}
	if head.Component != ref.Name || ref.Digest != "" && (head.Digest != ref.Digest || head.AsOf != ref.AsOf) {
		return nil, fmt.Errorf("%s is the component %s %.12s of %s, not %s %.12s of %s", folder, head.Component, head.Digest, head.AsOf,
			ref.Name, ref.Digest, ref.AsOf)
	}
	ref.Digest, ref.AsOf = head.Digest, head.AsOf
	c := &Component{ComponentRef: ref}
	for _, f := range head.Files {
		c.Files = append(c.Files, File{f.Name, f.Bytes, f.SHA256})
	}
	for _, name := range []string{schemas.ManifestFile, signature.File} {
		f, err := fileOf(filepath.Join(folder, name))
		if err == nil {
			c.Files = append(c.Files, f)
		} else if name == schemas.ManifestFile || !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	slices.SortFunc(c.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return c, nil
}

// fileOf is a file by its bytes.
func fileOf(path string) (File, error) {
	file, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	return File{filepath.Base(path), n, hex.EncodeToString(sum.Sum(nil))}, err
}

// Push sends the release in a folder, as Describe lists it, to a store, and returns its digest. Objects that the store has are
// not sent again; what was sent stays when Push is cut, and the next one goes on. It fails with store.ErrDigest where a file is
// not what its manifest lists, with ErrNothing where there is no release, and with ErrBusy while objects are being removed. It does
// not publish.
func Push(ctx context.Context, s store.Store, dir string) (digest string, t *Transfer, err error) {
	r, folders, err := Describe(dir)
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	record, digest, err := r.Encode()
	if err != nil {
		return "", nil, err
	}
	if err := begin(ctx, s, digest); err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, end(context.WithoutCancel(ctx), s, digest)) }()
	t = new(Transfer)
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	seen := map[string]bool{}
	for i, c := range r.Components {
		for _, f := range c.Files {
			if !seen[f.SHA256] {
				seen[f.SHA256] = true
				group.Go(func() error { return send(limited, s, filepath.Join(folders[i], f.Name), f, t) })
			}
		}
	}
	if err := group.Wait(); err != nil {
		return "", nil, err
	}
	err = s.Put(ctx, store.Object{Name: Record(digest), Bytes: int64(len(record)), SHA256: digest}, bytes.NewReader(record))
	if err != nil && !errors.Is(err, store.ErrExists) {
		return "", nil, err
	}
	return digest, t, nil
}

// send puts a file that the store does not have.
func send(ctx context.Context, s store.Store, path string, f File, t *Transfer) error {
	o := store.Object{Name: store.Blob(f.SHA256), Bytes: f.Bytes, SHA256: f.SHA256}
	there, err := s.Stat(ctx, o.Name)
	if err == nil && there.Bytes == f.Bytes {
		t.add(f, true)
		return nil
	}
	if err == nil {
		return fmt.Errorf("%w: %s in %s has %d bytes, %s has %d", store.ErrDigest, o.Name, s, there.Bytes, path, f.Bytes)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", store.ErrDigest, err)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err = s.Put(ctx, o, file); err != nil && !errors.Is(err, store.ErrExists) {
		return fmt.Errorf("send %s: %w", path, err)
	}
	t.add(f, err != nil)
	return nil
}
