package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"quartier/ingest/source"
)

// Digest returns the SHA-256 of a source and its size in bytes. The digest of a file is that of sha256sum. The digest of a
// folder, or of a shapefile with its sidecar files, is that of the lines `<sha256>  <name>\n` of its files, ordered by
// name. The error wraps ErrMissing if the file does not exist.
func Digest(ctx context.Context, path string) (sum string, size int64, err error) {
	members, err := membersOf(path)
	if err != nil {
		return "", 0, err
	}
	if len(members) == 1 && members[0] == path {
		if sum, size, err = source.DigestFile(ctx, path); err != nil {
			err = fmt.Errorf("read %s: %w", path, err)
		}
		return sum, size, err
	}
	all := sha256.New()
	root := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		root = path
	}
	for _, member := range members {
		one, n, err := source.DigestFile(ctx, member)
		if err != nil {
			return "", 0, fmt.Errorf("read %s: %w", member, err)
		}
		name, err := filepath.Rel(root, member)
		if err != nil {
			return "", 0, err
		}
		fmt.Fprintf(all, "%s  %s\n", one, filepath.ToSlash(name))
		size += n
	}
	return hex.EncodeToString(all.Sum(nil)), size, nil
}

// membersOf returns the files of a source, ordered by name.
func membersOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, missing(err)
	}
	var members []string
	switch {
	case info.IsDir():
		err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				members = append(members, p)
			}
			return err
		})
	case strings.EqualFold(filepath.Ext(path), ".shp"):
		stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		var entries []os.DirEntry
		entries, err = os.ReadDir(filepath.Dir(path))
		for _, e := range entries {
			if e.Type().IsRegular() && strings.HasPrefix(e.Name(), stem+".") {
				members = append(members, filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	default:
		members = []string{path}
	}
	sort.Strings(members)
	return members, err
}
