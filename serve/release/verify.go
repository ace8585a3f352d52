package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quartier/schemas"
)

// Verify reads the packs of the release in full and compares their SHA-256 with the manifest. It takes about a second
// a gigabyte and stops when ctx ends.
func (r *Release) Verify(ctx context.Context) error {
	for _, name := range []string{schemas.GeographiesPack, schemas.POIsPack} {
		entry, _ := r.Manifest.File(name)
		digest, err := fileDigest(ctx, filepath.Join(r.dir, name))
		if err != nil {
			return fmt.Errorf("verify %s: %w", name, err)
		}
		if digest != entry.SHA256 {
			return fmt.Errorf("verify %s: sha256 %s, the manifest says %s", name, digest, entry.SHA256)
		}
	}
	return nil
}

func fileDigest(ctx context.Context, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if _, err := io.CopyN(hash, file, 4<<20); err == io.EOF {
			return hex.EncodeToString(hash.Sum(nil)), nil
		} else if err != nil {
			return "", err
		}
	}
}
