// Package releases keeps releases in a store: their files as objects by SHA-256, a record that lists them, and the pointer to the
// one that is published.
//
//	objects/ab/<sha256>        the bytes of a file, of every release that has it
//	releases/<digest>.json     a Release, by the SHA-256 of these bytes
//	current.json               the pointer, a Published
//	work.json                  the pointer to who sends and removes objects
//
// A release is what a folder of releases publishes together, or one component places.
package releases

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"quartier/internal/store"
	"quartier/schemas"
)

const (
	schema     = 1
	mostRecord = 16 << 20 // bytes
)

// ErrRecord is wrapped by the error of a record or pointer in a store that is not what this package writes.
var ErrRecord = errors.New("not the record of a release")

// Release lists what a release consists of, in canonical JSON: indented by one space, with a final newline.
type Release struct {
	Schema     int         `json:"schema"`
	Signed     *Signed     `json:"signed,omitempty"` // nil: its pointer was not signed, and has the generation of the store
	Components []Component `json:"components"`       // in the order of schemas.Components; Places is always there
}

// Signed is what a signed pointer has besides components. It can only be published as it is.
type Signed struct {
	Schema     int    `json:"schema"`
	Generation int64  `json:"generation"`
	Signatures []byte `json:"signatures"` // file of the pointer's signatures
}

// Component is a component of a release. Its folder is that of the signed pointer, or made of its name and digest.
type Component struct {
	schemas.ComponentRef
	Files []File `json:"files"` // all of its folder, by name
}

// File is a file of a component.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Private reports whether c is about what customers drew, which its owner alone can read.
func (c *Component) Private() bool {
	return c.Name == schemas.Private || c.Name == schemas.PrivateMarket
}

// Record is the name of the object that lists the release of a digest.
func Record(digest string) string { return "releases/" + digest + ".json" }

// Encode returns the canonical form of r and its SHA-256, the digest of the release.
func (r *Release) Encode() (data []byte, digest string, err error) {
	data, err = canonical(r)
	return data, store.Sum(data), err
}

func canonical(value any) ([]byte, error) {
	data, err := json.MarshalIndent(value, "", " ")
	return append(data, '\n'), err
}

// decode parses the canonical form of value.
func decode(data []byte, value any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(value); err != nil {
		return fmt.Errorf("%w: %w", ErrRecord, err)
	}
	if again, err := canonical(value); err != nil || !bytes.Equal(again, data) {
		return fmt.Errorf("%w: not in canonical form", ErrRecord)
	}
	return nil
}

// Decode parses a release and refuses what Encode would not write.
func Decode(data []byte) (*Release, error) {
	r := new(Release)
	if err := decode(data, r); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecord, err)
	}
	return r, nil
}

func (r *Release) check() error {
	if r.Schema != schema {
		return fmt.Errorf("schema %d, this program reads %d", r.Schema, schema)
	}
	if err := r.Pointer(1).Check(); err != nil {
		return err
	}
	folders := []string{schemas.GenerationsFolder, schemas.PointerFile}
	for _, c := range r.Components {
		within := func(a, b string) bool { return strings.HasPrefix(a+"/", b+"/") }
		used := slices.ContainsFunc(folders, func(other string) bool { return within(c.Folder, other) || within(other, c.Folder) })
		if used || strings.Contains("/"+c.Folder, "/.") || c.Folder != path.Clean(c.Folder) {
			return fmt.Errorf("%s: folder %q is hidden, used already or not in its shortest form", c.Name, c.Folder)
		}
		folders = append(folders, c.Folder)
		last, manifest := "", false
		for _, f := range c.Files {
			if store.CheckName(f.Name) != nil || strings.Contains(f.Name, "/") || f.Name <= last || f.Bytes < 0 || !store.IsDigest(f.SHA256) {
				return fmt.Errorf("%s: file %q of %d bytes with SHA-256 %q is not valid or not in order", c.Name, f.Name, f.Bytes, f.SHA256)
			}
			last, manifest = f.Name, manifest || f.Name == schemas.ManifestFile
		}
		if !manifest {
			return fmt.Errorf("%s: no %s", c.Name, schemas.ManifestFile)
		}
	}
	return nil
}

// Pointer is the pointer of a folder of releases to r: that which was signed, or with the generation of the store.
func (r *Release) Pointer(generation int64) *schemas.Pointer {
	p := &schemas.Pointer{Schema: schemas.PointerSchema, Generation: generation}
	if r.Signed != nil {
		p.Schema, p.Generation = r.Signed.Schema, r.Signed.Generation
	}
	for _, c := range r.Components {
		p.Components = append(p.Components, c.ComponentRef)
	}
	return p
}

// Read reads the record of a release, whose bytes are those of its digest. store.ErrNotFound, store.ErrDigest, ErrRecord.
func Read(ctx context.Context, s store.Store, digest string) (*Release, error) {
	from, err := s.Open(ctx, Record(digest), 0, -1)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, mostRecord))
	if err != nil {
		return nil, err
	}
	if store.Sum(data) != digest {
		return nil, fmt.Errorf("%w: %s", store.ErrDigest, Record(digest))
	}
	return Decode(data)
}

// List lists the digests of the releases of a store, in their order.
func List(ctx context.Context, s store.Store) (digests []string, err error) {
	for o, err := range s.List(ctx, "releases/") {
		if err != nil {
			return nil, err
		}
		if digest := strings.TrimSuffix(path.Base(o.Name), ".json"); store.IsDigest(digest) && Record(digest) == o.Name {
			digests = append(digests, digest)
		}
	}
	return slices.Clip(digests), nil
}
