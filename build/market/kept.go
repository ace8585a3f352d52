package market

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/internal/arrowfile"
	marketpack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/schemas"
)

// sectionsFile describes the component that is kept in the folder schemas.Kept of a work folder.
const sectionsFile = "sections.json"

// keptSections is that description.
type keptSections struct {
	ToolVersion string              // of the program that wrote the component
	Sections    map[string]sums     // by the code of the interval
	Files       map[string]keptFile // of years, by name
}

// keptFile is a file as it was when it was kept. One that has the same length and time is not read again to know its digest;
// quartier verify and servers read it.
type keptFile struct {
	schemas.ReleaseFile
	Modified int64 // nanoseconds since 1970
}

// kept is a component of an earlier day, open.
type kept struct {
	keptSections
	dir   string
	cells *marketpack.Table
	close func()
}

// openKept opens the component that is kept in a work folder; nil if there is none that this program wrote.
func openKept(work, toolVersion string) *kept {
	if work == "" {
		return nil
	}
	k := &kept{dir: filepath.Join(work, schemas.KeptFolder), close: func() {}}
	if err := k.open(); err != nil || k.ToolVersion != toolVersion {
		k.close()
		return nil
	}
	return k
}

func (k *kept) open() error {
	text, err := os.ReadFile(filepath.Join(k.dir, sectionsFile))
	if err == nil {
		err = json.Unmarshal(text, &k.keptSections)
	}
	if err == nil {
		k.cells, k.close, err = marketpack.OpenFolder(k.dir)
	}
	return err
}

// whole reports whether the files of a year are there as they were kept.
func (k *kept) whole(year int) bool {
	return !slices.ContainsFunc(yearFiles(year), func(name string) bool {
		want, ok := k.Files[name]
		info, err := os.Stat(filepath.Join(k.dir, name))
		return !ok || err != nil || info.Size() != want.Bytes || info.ModTime().UnixNano() != want.Modified
	})
}

// link makes the files of a year those in a folder, too.
func (k *kept) link(year int, dir string) error {
	for _, name := range yearFiles(year) {
		if err := linkOrCopy(filepath.Join(k.dir, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// keptRows are the rows of a year of an earlier day.
type keptRows struct {
	of      *kept
	sqlite  *sqlitepages.Reader
	parquet *arrowfile.RowGroupReader
}

// rows opens the rows of a year; nil if they cannot be read.
func (k *kept) rows(v *volume) *keptRows {
	if k == nil || v.year == 0 {
		return nil
	}
	r := &keptRows{of: k}
	if err := r.open(filepath.Join(k.dir, v.name(schemas.MarketFile)), filepath.Join(k.dir, v.name(schemas.MarketParquet))); err != nil {
		r.close()
		return nil
	}
	return r
}

func (r *keptRows) open(sqlite, parquet string) error {
	db, err := released.Open(sqlite)
	if err != nil {
		return err
	}
	root, err := rootOf(context.Background(), db)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if r.sqlite, err = sqlitepages.Open(sqlite, root); err != nil {
		return err
	}
	r.parquet, err = arrowfile.OpenRowGroups(parquet)
	return err
}

func (r *keptRows) close() {
	if r == nil {
		return
	}
	if r.sqlite != nil {
		r.sqlite.Close()
	}
	if r.parquet != nil {
		r.parquet.Close()
	}
}

// section reads the rows of a month or quarter, by its first row and its code; false if they are not those that were written.
func (r *keptRows) section(first int64, code string, s *section) bool {
	if r == nil {
		return false
	}
	want, ok := r.of.Sections[code]
	if !ok {
		return false
	}
	var err error
	if s.pages, err = r.sqlite.Pages(s.pages, first, first+intervalRows-1); err != nil {
		return false
	}
	if s.groups, err = groupsOf(r.parquet, code); err != nil {
		return false
	}
	return s.sums() == want
}

// groupsOf are the row groups of the interval with a code, which is the only value of its column.
func groupsOf(file *arrowfile.RowGroupReader, code string) (arrowfile.RowGroups, error) {
	var indexes []int
	for n, group := range file.Described.RowGroups {
		if of := group.Columns[codeColumn].MetaData.Statistics; of != nil && string(of.MinValue) == code && string(of.MaxValue) == code {
			indexes = append(indexes, n)
		}
	}
	return file.Groups(indexes)
}

// keep keeps the component for the next day, with what the computation left in the same folder, in place of what was kept
// before.
func (c *component) keep(m *schemas.MarketManifest) error {
	if c.Work == "" {
		return nil
	}
	next := filepath.Join(c.Work, schemas.KeptNext)
	if err := os.MkdirAll(next, 0o755); err != nil {
		return err
	}
	k := keptSections{c.ToolVersion, c.sections, map[string]keptFile{}}
	for _, f := range m.Files {
		if f.Name == schemas.MarketFile || f.Name == schemas.MarketParquet {
			continue // their intervals move
		}
		path := filepath.Join(next, f.Name)
		if err := linkOrCopy(filepath.Join(c.Out, f.Name), path); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		k.Files[f.Name] = keptFile{f, info.ModTime().UnixNano()}
	}
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(next, sectionsFile), text, 0o644); err != nil {
		return err
	}
	dir := filepath.Join(c.Work, schemas.KeptFolder)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(next, dir)
}

// link makes a second name of a file; a variable for tests of folders where that is not possible.
var link = os.Link

// linkOrCopy links a file, which is not changed in place after that, or copies it where links are not possible.
func linkOrCopy(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
