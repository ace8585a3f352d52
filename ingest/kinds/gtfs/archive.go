package gtfs

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// feed has the files of a feed, in a folder or an archive.
type feed struct {
	path   string
	limits source.Limits
	files  fs.FS
	close  func() error
}

// openFeed finds the files of a feed: in the folder or archive itself, in a subfolder, or in an archive in it.
func openFeed(path string, limits source.Limits) (*feed, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &feed{path: path, limits: limits, close: func() error { return nil }}
	if info.IsDir() {
		f.files = os.DirFS(path)
	} else {
		archive, err := source.OpenZip(path, limits)
		if err != nil {
			return nil, err
		}
		f.files, f.close = archive, archive.Close
	}
	if err := f.descend(); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// descend goes to the one folder that has stops.txt, or to the one archive and its folder.
func (f *feed) descend() error {
	for range 2 {
		folders, archives, err := f.find()
		switch {
		case err != nil:
			return source.BadFile(f.path, "%v", err)
		case len(folders) == 1 && folders[0] == ".":
			return nil
		case len(folders) == 1:
			f.files, err = fs.Sub(f.files, folders[0])
			return err
		case len(folders) > 1:
			return source.BadFile(f.path, "it has %d feeds, in the folders %s; make a source of each", len(folders), strings.Join(folders, ", "))
		case len(archives) == 0:
			return source.BadFile(f.path, "it has no %s, in no folder", stopsFile)
		case len(archives) > 1:
			return source.BadFile(f.path, "it has no %s and several archives, %s; make a source of each", stopsFile, strings.Join(archives, ", "))
		}
		if f.files, err = openInner(f.files, archives[0], f.limits); err != nil {
			return source.InFile(f.path, fmt.Errorf("%s: %w", archives[0], err))
		}
	}
	return source.BadFile(f.path, "it has archives in archives")
}

// find returns the folders that have stops.txt, "." for the top, and the archives. The folders that macOS and others add
// to archives are left out; where the top has the file, what else there is does not matter.
func (f *feed) find() (folders, archives []string, err error) {
	if _, err := fs.Stat(f.files, stopsFile); err == nil {
		return []string{"."}, nil, nil
	}
	err = fs.WalkDir(f.files, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch hidden := name != "." && (base == "__MACOSX" || strings.HasPrefix(base, ".")); {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden:
		case base == stopsFile:
			folders = append(folders, path.Dir(name))
		case strings.EqualFold(path.Ext(base), ".zip"):
			archives = append(archives, name)
		}
		return nil
	})
	slices.Sort(folders)
	return folders, archives, err
}

// openInner reads an archive in an archive.
func openInner(files fs.FS, name string, limits source.Limits) (fs.FS, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return source.ReadZip(file, limits)
}
