package schemas

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// PointerFile is the file in a folder of releases that names the components which are published together.
const PointerFile = "current.json"

// PointerSchema is the version of pointers. They had the number of the layout of their components up to 16 and the same form since
// earliestPointer, so that what is published again from a generation of an earlier program is read by that program.
const (
	PointerSchema   = 17
	earliestPointer = 8
)

const maxPointerBytes = 1 << 20

// Pointer names the components of the release that is published in a folder, in canonical JSON.
type Pointer struct {
	Schema     int            `json:"schema"`     // PointerSchema, or that of an earlier program
	Generation int64          `json:"generation"` // from 1, one more with every publication
	Components []ComponentRef `json:"components"` // in the order of schemas.Components; Places is always there
}

// ComponentRef names a component by folder and content.
type ComponentRef struct {
	Name   string `json:"name"`   // one of schemas.Components
	Folder string `json:"folder"` // path relative to the folder of the pointer, with slashes
	Digest string `json:"digest"` // of its manifest
	AsOf   string `json:"as_of"`  // of its manifest, YYYY-MM-DD
}

// Component returns the component of a name.
func (p *Pointer) Component(name string) (ComponentRef, bool) {
	i := slices.IndexFunc(p.Components, func(c ComponentRef) bool { return c.Name == name })
	if i < 0 {
		return ComponentRef{}, false
	}
	return p.Components[i], true
}

// Encode returns the canonical form of p.
func (p *Pointer) Encode() ([]byte, error) { return canonicalJSON(p) }

// Digest is the SHA-256 of the canonical form of p, in hex.
func (p *Pointer) Digest() (string, error) {
	data, err := p.Encode()
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// Check returns an error that lists what is invalid in p.
func (p *Pointer) Check() error {
	var problems []error
	if p.Schema < earliestPointer || p.Schema > PointerSchema {
		problems = append(problems, fmt.Errorf("%w: schema %d, this program reads %d to %d", ErrLayout, p.Schema, earliestPointer, PointerSchema))
	}
	if p.Generation < 1 {
		problems = append(problems, fmt.Errorf("generation %d", p.Generation))
	}
	problems = append(problems, p.checkNames())
	for _, c := range p.Components {
		if !filepath.IsLocal(filepath.FromSlash(c.Folder)) || c.Folder == "." {
			problems = append(problems, fmt.Errorf("component %s: folder %q is not below that of the pointer", c.Name, c.Folder))
		}
		if !digestForm.MatchString(c.Digest) || !validDate(c.AsOf) {
			problems = append(problems, fmt.Errorf("component %s: digest %q, as_of %q", c.Name, c.Digest, c.AsOf))
		}
	}
	return errors.Join(problems...)
}

// checkNames returns an error for components that cannot be published together.
func (p *Pointer) checkNames() error {
	last := -1
	for _, c := range p.Components {
		at := slices.Index(Components, c.Name)
		if at <= last {
			return fmt.Errorf("component %q is unknown, twice or not in order", c.Name)
		}
		last = at
	}
	_, places := p.Component(Places)
	_, private := p.Component(Private)
	_, market := p.Component(PrivateMarket)
	switch {
	case !places:
		return fmt.Errorf("no component %s", Places)
	case market && !private:
		return fmt.Errorf("%s without %s", PrivateMarket, Private)
	}
	return nil
}

// DecodePointer parses a pointer and refuses what Encode would not write.
func DecodePointer(data []byte) (*Pointer, error) {
	p := new(Pointer)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(p); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if canonical, err := p.Encode(); err != nil || !bytes.Equal(canonical, data) {
		return nil, errors.Join(errors.New("not in canonical form"), err)
	}
	return p, nil
}

// ReadPointer reads the pointer in a folder of releases; nil without an error if the folder has none.
func ReadPointer(dir string) (*Pointer, error) {
	path := filepath.Join(dir, PointerFile)
	data, err := readWhole(path, maxPointerBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read pointer: %w", err)
	}
	p, err := DecodePointer(data)
	if err != nil {
		return nil, fmt.Errorf("read pointer %s: %w", path, err)
	}
	return p, nil
}

// ComponentFolder is the folder of a component of the release at dir: dir itself, or that which the pointer in dir names. It
// is "" where the pointer names no such component.
func ComponentFolder(dir, name string) (string, error) {
	p, err := ReadPointer(dir)
	if p == nil || err != nil {
		return dir, err
	}
	c, ok := p.Component(name)
	if !ok {
		return "", nil
	}
	return filepath.Join(dir, filepath.FromSlash(c.Folder)), nil
}

// ComponentFolders are the folders of all components that the pointer in dir names, in its order; dir itself if it has none.
func ComponentFolders(dir string) ([]string, error) {
	p, err := ReadPointer(dir)
	if p == nil || err != nil {
		return []string{dir}, err
	}
	var folders []string
	for _, c := range p.Components {
		folders = append(folders, filepath.Join(dir, filepath.FromSlash(c.Folder)))
	}
	return folders, nil
}
