package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Digest is the SHA-256 of a source and its size in bytes. A single file has the digest that sha256sum prints. A
// folder, and a shapefile with the files that belong to it, has the digest of the lines `<sha256>  <name>\n` of its
// files in order of their names. The error wraps ErrMissing where nothing is there.
func Digest(ctx context.Context, path string) (sum string, size int64, err error) {
	members, err := membersOf(path)
	if err != nil {
		return "", 0, err
	}
	if len(members) == 1 && members[0] == path {
		return digestFile(ctx, path)
	}
	all := sha256.New()
	root := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		root = path
	}
	for _, member := range members {
		one, n, err := digestFile(ctx, member)
		if err != nil {
			return "", 0, err
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

// membersOf lists the files that a source consists of, in order of their names.
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

func digestFile(ctx context.Context, path string) (string, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, stoppable{ctx, file})
	if err != nil {
		return "", 0, fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), size, nil
}

// stoppable ends a copy when its context does.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}
