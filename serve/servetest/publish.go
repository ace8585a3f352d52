package servetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"quartier/schemas"
)

// Publish writes the pointer in root to components in folders below; "" is none.
func Publish(root string, generation int64, folders ...string) error {
	p := &schemas.Pointer{Schema: schemas.PointerSchema, Generation: generation}
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		ref, err := refOf(filepath.Join(root, folder))
		if err != nil {
			return err
		}
		ref.Folder = folder
		p.Components = append(p.Components, ref)
	}
	slices.SortFunc(p.Components, func(a, b schemas.ComponentRef) int {
		return slices.Index(schemas.Components, a.Name) - slices.Index(schemas.Components, b.Name)
	})
	return WritePointer(root, p)
}

// refOf is the component in a folder, by its manifest.
func refOf(dir string) (ref schemas.ComponentRef, err error) {
	data, err := os.ReadFile(filepath.Join(dir, schemas.ManifestFile))
	if err != nil {
		return ref, err
	}
	var m struct {
		Component, Digest string
		AsOf              string `json:"as_of"`
	}
	err = json.Unmarshal(data, &m)
	return schemas.ComponentRef{Name: m.Component, Digest: m.Digest, AsOf: m.AsOf}, err
}

// WritePointer writes a pointer in root, whatever it says.
func WritePointer(root string, p *schemas.Pointer) error {
	data, err := p.Encode()
	if err != nil {
		return err
	}
	beside := filepath.Join(root, schemas.PointerFile+".new")
	if err := os.WriteFile(beside, data, 0o644); err != nil {
		return err
	}
	return os.Rename(beside, filepath.Join(root, schemas.PointerFile))
}
