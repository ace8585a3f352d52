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
	p := &schemas.Pointer{Schema: schemas.ManifestSchema, Generation: generation}
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, folder, schemas.ManifestFile))
		if err != nil {
			return err
		}
		var m struct {
			Component, Digest string
			AsOf              string `json:"as_of"`
		}
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		p.Components = append(p.Components, schemas.ComponentRef{Name: m.Component, Folder: folder, Digest: m.Digest, AsOf: m.AsOf})
	}
	slices.SortFunc(p.Components, func(a, b schemas.ComponentRef) int {
		return slices.Index(schemas.Components, a.Name) - slices.Index(schemas.Components, b.Name)
	})
	return WritePointer(root, p)
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
