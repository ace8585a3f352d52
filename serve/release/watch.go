package release

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/internal/signature"
	"quartier/schemas"
)

// watch notices another release at a path by the state of its files, as often as it is asked. It never lists a folder, so
// that it takes the same time however many releases are kept.
type watch struct {
	paths []string      // pointer, manifests, their signatures, and the packs that manifests list
	seen  []os.FileInfo // their states when it was asked last
	tried []os.FileInfo // their states at the last attempt; nil: to be tried again
}

// begin lists the files of the release at dir for an attempt to open it.
func (w *watch) begin(dir string) {
	paths := watched(dir)
	settled := slices.Equal(paths, w.paths) && sameStates(w.seen, states(paths))
	w.paths, w.seen, w.tried = paths, states(paths), nil
	if settled {
		w.tried = w.seen
	}
}

// done is called after an attempt that needs no other one.
func (w *watch) done() { w.tried = w.seen }

// due reports whether an attempt is due: the files are not those of the last one, and have not changed since due was called
// last. So a release is not read again and again while it is being copied, and a file that is written to within the
// resolution of its time after an attempt is not missed.
func (w *watch) due() bool {
	now := states(w.paths)
	quiet := sameStates(now, w.seen)
	w.seen = now
	return quiet && (w.tried == nil || !sameStates(now, w.tried))
}

// watched are the files by which another release at dir is noticed: pointer, manifests, signatures, and the packs that
// manifests list.
func watched(dir string) []string {
	list := []string{filepath.Join(dir, schemas.PointerFile)}
	folders := []string{dir}
	if p, err := schemas.ReadPointer(dir); err == nil && p != nil {
		list = append(list, schemas.PointerSignatures(dir, p.Generation))
		folders = nil
		for _, c := range p.Components {
			folders = append(folders, filepath.Join(dir, filepath.FromSlash(c.Folder)))
		}
	}
	for _, folder := range folders {
		list = append(list, filepath.Join(folder, schemas.ManifestFile), filepath.Join(folder, signature.File))
		for _, name := range schemas.FilesListed(folder) {
			if strings.HasSuffix(name, ".pack") {
				list = append(list, filepath.Join(folder, name))
			}
		}
	}
	return list
}

// states describes files, with symbolic links resolved; nil for one that is missing.
func states(paths []string) []os.FileInfo {
	found := make([]os.FileInfo, len(paths))
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil {
			found[i] = info
		}
	}
	return found
}

func sameStates(a, b []os.FileInfo) bool { return slices.EqualFunc(a, b, sameState) }

// sameState compares files by identity, size and times. The time of the last change of a file's metadata, where there is
// one, shows that it was written to although its time of modification was set back, as cp -p and rsync do.
func sameState(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && changedAt(a) == changedAt(b)
}
