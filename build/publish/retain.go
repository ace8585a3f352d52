package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/internal/signature"
	"quartier/schemas"
)

// removedFolder has the releases that are being removed.
const removedFolder = ".removed"

// Retained is what becomes of a component in a folder of releases.
type Retained struct {
	Folder    string // relative to the folder of releases, with slashes
	Component string // one of schemas.Components; "" of layouts before there were any
	Bytes     int64
	Remove    bool
	Why       string
}

// Retain removes the components that were published and are not needed any more, and returns all components with what became
// of them, by folder; a dry run says what would. It keeps those of the last generations, as many as keep says, and of as many
// places the components of the last generation with them, so that a rollback can go back by days and by releases. What was
// never published is kept, unless unpublished is set, and so is a folder with files that its manifest does not list.
//
// Components are moved aside before they are removed, so that none is there in part.
func (f *Folder) Retain(keep int, unpublished, dry bool) ([]Retained, error) {
	if keep < 1 {
		return nil, fmt.Errorf("keep %d: at least the current generation is kept", keep)
	}
	published, needed, err := f.history(keep)
	if err != nil {
		return nil, err
	}
	aside := filepath.Join(f.dir, removedFolder)
	if !dry {
		if err := os.RemoveAll(aside); err != nil { // of a retain that was killed
			return nil, err
		}
	}
	list, err := f.components()
	if err != nil {
		return nil, err
	}
	for i := range list {
		r := &list[i]
		ref := f.refOf(r)
		switch foreign := f.unlisted(r.Folder); {
		case needed[ref] > 0:
			r.Why = fmt.Sprintf("of generation %d", needed[ref])
		case foreign != "":
			r.Why = fmt.Sprintf("has %s, which its manifest does not list", foreign)
		case published[ref] == 0 && !unpublished:
			r.Why = "never published"
		case published[ref] == 0:
			r.Remove, r.Why = true, "never published"
		default:
			r.Remove, r.Why = true, fmt.Sprintf("last published as generation %d", published[ref])
		}
		if r.Remove && !dry {
			if err := f.remove(r.Folder, aside); err != nil {
				return nil, fmt.Errorf("remove %s: %w", r.Folder, err)
			}
		}
	}
	return list, nil
}

// content is a component at its place.
type content struct{ folder, digest string }

// history returns the last generation in which each component was published, and those that are needed.
func (f *Folder) history(keep int) (published, needed map[content]int64, err error) {
	kept, err := schemas.Generations(f.dir)
	if err != nil {
		return nil, nil, err
	}
	published, needed = map[content]int64{}, map[content]int64{}
	places := map[string]bool{} // digests of the last ones
	generations := 0
	take := func(p *schemas.Pointer) {
		base, _ := p.Component(schemas.Places)
		need := generations < keep || len(places) < keep && !places[base.Digest]
		generations++
		places[base.Digest] = true
		for _, c := range p.Components {
			at := content{c.Folder, c.Digest}
			published[at] = max(published[at], p.Generation)
			if need {
				needed[at] = max(needed[at], p.Generation)
			}
		}
	}
	if f.current != nil {
		take(f.current)
	}
	for i := len(kept) - 1; i >= 0; i-- {
		if f.current == nil || kept[i] >= f.current.Generation {
			continue
		}
		g, err := schemas.ReadGeneration(f.dir, kept[i])
		if err != nil {
			return nil, nil, err
		}
		take(&g.Pointer)
	}
	return published, needed, nil
}

// components lists the components below the folder. It looks into no hidden folder and follows no link.
func (f *Folder) components() (list []Retained, err error) {
	err = filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() || path == f.dir {
			return nil
		}
		if strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		files := schemas.FilesListed(path)
		if files == nil {
			return nil
		}
		relative, err := filepath.Rel(f.dir, path)
		if err != nil {
			return err
		}
		r := Retained{Folder: filepath.ToSlash(relative)}
		r.Component, _ = schemas.ComponentOf(path)
		for _, name := range append(files, schemas.ManifestFile) {
			if info, err := os.Lstat(filepath.Join(path, name)); err == nil {
				r.Bytes += info.Size()
			}
		}
		list = append(list, r)
		return fs.SkipDir
	})
	return list, err
}

// refOf is what generations would call a component.
func (f *Folder) refOf(r *Retained) content {
	head, err := schemas.ReadHead(filepath.Join(f.dir, filepath.FromSlash(r.Folder)))
	if err != nil {
		return content{folder: r.Folder}
	}
	return content{r.Folder, head.Digest}
}

// unlisted is a file in a component that its manifest does not list; "": there is none.
func (f *Folder) unlisted(folder string) string {
	path := filepath.Join(f.dir, filepath.FromSlash(folder))
	entries, err := os.ReadDir(path)
	if err != nil {
		return err.Error()
	}
	listed := append(schemas.FilesListed(path), schemas.ManifestFile, signature.File)
	for _, e := range entries {
		if !slices.Contains(listed, e.Name()) || !e.Type().IsRegular() {
			return e.Name()
		}
	}
	return ""
}

// remove moves a component aside, then removes it.
func (f *Folder) remove(folder, aside string) error {
	if err := os.Mkdir(aside, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	from := filepath.Join(f.dir, filepath.FromSlash(folder))
	if err := f.fs.Rename(from, filepath.Join(aside, "release")); err != nil {
		return err
	}
	if err := f.fs.Sync(filepath.Dir(from)); err != nil {
		return err
	}
	return os.RemoveAll(aside)
}
