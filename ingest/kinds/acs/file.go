package acs

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

// file is a file of a source, in a folder or in a zip.
type file struct {
	fs   fs.FS
	name string // path within fs
	path string // for messages; of a member of a zip that of the zip, a slash and the name
	disk string // path on disk; "" in a zip
}

func (f file) base() string { return path.Base(f.name) }
func (f file) ext() string  { return strings.ToLower(path.Ext(f.name)) }
func (f file) stem() string { return strings.TrimSuffix(f.base(), path.Ext(f.name)) }

// sibling returns the file with another name in the same folder.
func (f file) sibling(base string) file {
	s := file{fs: f.fs, name: path.Join(path.Dir(f.name), base), path: filepath.Join(filepath.Dir(f.path), base)}
	if f.disk != "" {
		s.disk = s.path
	}
	return s
}

func (f file) exists() (bool, error) {
	_, err := fs.Stat(f.fs, f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// maxBytes is the size, decompressed, of the largest file that is read: a table of the entire country with all block
// groups has some 300 MB.
const maxBytes = 8 << 30

func (f file) open() (io.ReadCloser, error) {
	r, err := f.fs.Open(f.name)
	if err != nil {
		return nil, err
	}
	return &limited{ReadCloser: r, path: f.path, left: maxBytes}, nil
}

// limited fails where a file is larger than its limit.
type limited struct {
	io.ReadCloser
	path string
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, source.BadFile(l.path, "it is larger than %d bytes", int64(maxBytes))
	}
	return n, err
}

// extensions are those of the files of a folder that can be tables of the survey; those of a zip are the first three.
var extensions = []string{".dat", ".csv", ".json", ".geojson"}

// files returns the files of a source that can be tables, ordered by name: the file itself, or those of a folder and of
// its zips. close closes the zips.
func files(root string, limits source.Limits) (list []file, close func(), err error) {
	var zips []io.Closer
	close = func() {
		for _, z := range zips {
			z.Close()
		}
	}
	paths, err := source.Files(root, append([]string{".zip"}, extensions...)...)
	for _, p := range paths {
		if strings.ToLower(filepath.Ext(p)) != ".zip" {
			list = append(list, file{os.DirFS(filepath.Dir(p)), filepath.Base(p), p, p})
			continue
		}
		z, failed := source.OpenZip(p, limits)
		if failed != nil {
			close()
			return nil, nil, failed
		}
		zips = append(zips, z)
		list = append(list, members(p, z)...)
	}
	return list, close, err
}

// members returns the files of a zip that can be tables.
func members(zipPath string, z *zip.ReadCloser) (list []file) {
	for _, m := range z.File {
		f := file{fs: z, name: m.Name, path: zipPath + "/" + m.Name}
		if fs.ValidPath(m.Name) && slices.Contains(extensions[:3], f.ext()) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list
}

// describesTable reports whether a file is not a table but says what the columns of one are: those that data.census.gov
// and American FactFinder pack with their tables.
func (f file) describesTable() bool {
	name := strings.ToLower(f.base())
	return strings.HasSuffix(name, "-column-metadata.csv") || strings.HasSuffix(name, "_metadata.csv") || strings.Contains(name, "_metadata_")
}
