// Package folder lists the files of a source that is a file, a folder or a .zip, so that a kind reads downloads as they
// come: unpacked or not, with the files that describe them beside.
package folder

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// File is a file in a folder or in a zip.
type File struct {
	Path string // for messages; of a member of a zip that of the zip, a slash and the name
	Disk string // path on disk; "" in a zip

	fs   fs.FS
	name string // path within fs
}

// Base is the file's name without folders.
func (f File) Base() string { return path.Base(f.name) }

// Ext is the extension in lower case, with its dot.
func (f File) Ext() string { return strings.ToLower(path.Ext(f.name)) }

// Stem is Base without extension.
func (f File) Stem() string { return strings.TrimSuffix(f.Base(), path.Ext(f.name)) }

// Sibling returns the file with another name in the same folder, which may not exist.
func (f File) Sibling(base string) File {
	s := File{fs: f.fs, name: path.Join(path.Dir(f.name), base), Path: filepath.Join(filepath.Dir(f.Path), base)}
	if f.Disk != "" {
		s.Disk = s.Path
	}
	return s
}

// Exists reports whether the file is there.
func (f File) Exists() (bool, error) {
	_, err := fs.Stat(f.fs, f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Open opens the file.
func (f File) Open() (io.ReadCloser, error) { return f.fs.Open(f.name) }

// Folder is what a source consists of. The zips are open until it is closed.
type Folder struct {
	Files []File // ordered by the path on disk, and by name within a zip
	zips  []io.Closer
}

// Open lists the files: root itself if it is a file, the files of a folder with one of the extensions (".csv"; case is
// ignored), and those of zips. An error for a folder without any wraps source.ErrBadFile.
func Open(root string, limits source.Limits, extensions ...string) (*Folder, error) {
	paths, err := source.Files(root, append([]string{".zip"}, extensions...)...)
	if err != nil {
		return nil, err
	}
	list := &Folder{}
	for _, p := range paths {
		if strings.ToLower(filepath.Ext(p)) != ".zip" {
			list.Files = append(list.Files, File{fs: os.DirFS(filepath.Dir(p)), name: filepath.Base(p), Path: p, Disk: p})
			continue
		}
		z, err := source.OpenZip(p, limits)
		if err != nil {
			list.Close()
			return nil, err
		}
		list.zips = append(list.zips, z)
		list.Files = append(list.Files, members(p, z, extensions)...)
	}
	return list, nil
}

// Join adds the files of another folder, which need not be closed any more.
func (l *Folder) Join(other *Folder) {
	l.Files, l.zips = append(l.Files, other.Files...), append(l.zips, other.zips...)
}

// In reports whether the file is one of some paths, or in a folder or zip of them.
func (f File) In(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return f.Path == p || strings.HasPrefix(f.Path, p+"/") })
}

// Close closes the zips.
func (l *Folder) Close() {
	for _, z := range l.zips {
		z.Close()
	}
}

// members returns the files of a zip with one of the extensions.
func members(zipPath string, z *zip.ReadCloser, extensions []string) (list []File) {
	for _, m := range z.File {
		f := File{fs: z, name: m.Name, Path: zipPath + "/" + m.Name}
		if fs.ValidPath(m.Name) && slices.Contains(extensions, f.Ext()) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.name, b.name) })
	return list
}
