package publish

import (
	"crypto/ed25519"
	"fmt"
	"path/filepath"

	"quartier/internal/signature"
	"quartier/schemas"
)

// SignWith makes Publish and Rollback sign their pointers.
func (f *Folder) SignWith(key ed25519.PrivateKey) { f.key = key }

// Sign signs the components of a pointer that Refer made, so that servers which trust the key serve them, and its pointer when
// it is published. What the key signed already stays as it is.
func (f *Folder) Sign(p *schemas.Pointer, key ed25519.PrivateKey) error {
	f.SignWith(key)
	for _, c := range p.Components {
		if _, err := f.sign(f.Path(c), c, key); err != nil {
			return err
		}
	}
	return nil
}

// SignPublished signs what is published in a folder of releases: the components, of which every file is compared with the
// manifest first, and the pointer.
func SignPublished(dir string, key ed25519.PrivateKey) (*schemas.Pointer, error) {
	f, err := OpenFolder(dir, "sign")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.current == nil {
		return nil, fmt.Errorf("nothing is published in %s", dir)
	}
	if err := f.whole(f.current); err != nil {
		return nil, err
	}
	if err := f.Sign(f.current, key); err != nil {
		return nil, err
	}
	return f.current, f.signPointer(f.current)
}

// signPointer signs a pointer with the key of the folder, if there is one.
func (f *Folder) signPointer(p *schemas.Pointer) error {
	if f.key == nil {
		return nil
	}
	digest, err := p.Digest()
	if err != nil {
		return err
	}
	path := schemas.PointerSignatures(f.dir, p.Generation)
	data, err := signature.Sign(path, signature.Pointer, digest, f.key)
	if err == nil && data != nil {
		err = f.replace(path, data)
	}
	if err != nil {
		return fmt.Errorf("sign generation %d: %w", p.Generation, err)
	}
	return nil
}

// SignComponent signs the component in a folder, of which every file is compared with the manifest first. It reports whether
// the key had not signed it yet.
func SignComponent(dir string, key ed25519.PrivateKey) (schemas.ComponentRef, bool, error) {
	c, err := componentIn(dir)
	if err == nil {
		err = checkFiles(dir, c.files)
	}
	if err != nil {
		return c.ref, false, err
	}
	signed, err := (&Folder{fs: OS}).sign(dir, c.ref, key)
	return c.ref, signed, err
}

// CheckTrust returns signature.ErrUntrusted unless a trusted key signed the component in a folder.
func CheckTrust(dir string, trust signature.Trust) error {
	c, err := componentIn(dir)
	if err != nil {
		return err
	}
	return trust.Check(filepath.Join(dir, signature.File), c.ref.Name, c.ref.Digest)
}

// componentIn reads the manifest in a folder, of any component.
func componentIn(dir string) (component, error) {
	name, err := schemas.ComponentOf(dir)
	if err != nil {
		return component{}, err
	}
	return describe(name, dir)
}

func (f *Folder) sign(dir string, c schemas.ComponentRef, key ed25519.PrivateKey) (signed bool, err error) {
	path := filepath.Join(dir, signature.File)
	data, err := signature.Sign(path, c.Name, c.Digest, key)
	if err == nil && data != nil {
		err = f.replace(path, data)
	}
	if err != nil {
		return false, fmt.Errorf("sign %s: %w", dir, err)
	}
	return data != nil, nil
}
