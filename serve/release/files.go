package release

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"quartier/schemas"
)

// Folder is the folder of the component places.
func (r *Release) Folder() string { return r.component(schemas.Places).Folder }

// MarketFolder is the folder of the component market; "" where there is none that is served.
func (r *Release) MarketFolder() string {
	if c := r.component(schemas.Market); c != nil {
		return c.Folder
	}
	return ""
}

// Folders are those of all components.
func (r *Release) Folders() (list []string) {
	for _, c := range r.parts {
		list = append(list, c.Folder)
	}
	return list
}

// Share adds a user of a release that the caller has from Acquire. It must be released by Done, too.
func (r *Release) Share() { r.users.Add(1) }

// VerifyFile compares a file of the component places that is not served, and so was not verified with the packs, with the
// manifest. A file that was read before and has not changed since is not read again. It fails with os.ErrNotExist where the
// server's copy of the release does not have it.
func (h *Holder) VerifyFile(ctx context.Context, r *Release, name string) error {
	c := r.component(schemas.Places)
	entry, ok := c.listed(name)
	if !ok {
		return fmt.Errorf("verify %s: the manifest of %s has none: %w", name, c.Folder, os.ErrNotExist)
	}
	file, err := os.Open(filepath.Join(c.Folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return (&packFile{entry: entry, file: file}).verify(ctx, h.known, besideRequests)
}
