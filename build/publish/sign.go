package publish

import (
	"crypto/ed25519"
	"fmt"
	"path/filepath"

	"quartier/internal/signature"
	"quartier/schemas"
)

// Sign signs the components of a pointer that Refer made, so that servers which trust the key serve them. What the key signed
// already stays as it is.
func (f *Folder) Sign(p *schemas.Pointer, key ed25519.PrivateKey) error {
	for _, c := range p.Components {
		if _, err := f.sign(f.Path(c), c, key); err != nil {
			return err
		}
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
	return trust.Check(dir, c.ref.Name, c.ref.Digest)
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
	data, err := signature.Sign(dir, c.Name, c.Digest, key)
	if err == nil && data != nil {
		err = f.replace(filepath.Join(dir, signature.File), data)
	}
	if err != nil {
		return false, fmt.Errorf("sign %s: %w", dir, err)
	}
	return data != nil, nil
}
