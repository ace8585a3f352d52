package market

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"quartier/build/released"
	"quartier/internal/arrowfile"
	"quartier/internal/pack"
	marketpack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/schemas"
)

// sectionsFile describes the component that is kept in the folder schemas.Kept of a work folder.
const sectionsFile = "sections.json"

// keptSections is that description.
type keptSections struct {
	ToolVersion string          // of the program that wrote the component
	Sections    map[string]sums // by the code of the interval
}

// kept is a component of an earlier day, open.
type kept struct {
	keptSections
	file    *pack.File
	cells   *marketpack.Table
	sqlite  *sqlitepages.Reader
	parquet *arrowfile.RowGroupReader
}

// openKept opens the component that is kept in a work folder; nil if there is none that this program wrote.
func openKept(work, toolVersion string) *kept {
	if work == "" {
		return nil
	}
	k := new(kept)
	if err := k.open(filepath.Join(work, schemas.KeptFolder)); err != nil || k.ToolVersion != toolVersion {
		k.close()
		return nil
	}
	return k
}

func (k *kept) open(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, sectionsFile))
	if err == nil {
		err = json.Unmarshal(text, &k.keptSections)
	}
	if err == nil {
		k.file, err = pack.Open(filepath.Join(dir, schemas.MarketPack))
	}
	if err == nil {
		err = cmp.Or(k.file.Verify(), k.file.Forget())
	}
	if err == nil {
		k.cells, err = marketpack.Open(k.file)
	}
	if err == nil {
		err = k.openRows(dir)
	}
	return err
}

func (k *kept) openRows(dir string) error {
	path := filepath.Join(dir, schemas.MarketFile)
	db, err := released.Open(path)
	if err != nil {
		return err
	}
	root, err := rootOf(context.Background(), db)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if k.sqlite, err = sqlitepages.Open(path, root); err != nil {
		return err
	}
	k.parquet, err = arrowfile.OpenRowGroups(filepath.Join(dir, schemas.MarketParquet))
	return err
}

func (k *kept) close() {
	if k.file != nil {
		k.file.Close()
	}
	if k.sqlite != nil {
		k.sqlite.Close()
	}
	if k.parquet != nil {
		k.parquet.Close()
	}
}

// section reads the rows of a month or quarter, by its first row and its code; false if they are not those that were written.
func (k *kept) section(first int64, code string, s *section) bool {
	want, ok := k.Sections[code]
	if !ok {
		return false
	}
	var err error
	if s.pages, err = k.sqlite.Pages(s.pages, first, first+intervalRows-1); err != nil {
		return false
	}
	if s.groups, err = groupsOf(k.parquet, code); err != nil {
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
func (c *component) keep() error {
	if c.Work == "" {
		return nil
	}
	text, err := json.Marshal(keptSections{c.ToolVersion, c.sections})
	if err != nil {
		return err
	}
	next := filepath.Join(c.Work, schemas.KeptNext)
	if err := os.MkdirAll(next, 0o755); err != nil {
		return err
	}
	for _, name := range marketFiles {
		if err := linkOrCopy(filepath.Join(c.Out, name), filepath.Join(next, name)); err != nil {
			return err
		}
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

// linkOrCopy links a file, or copies it where links are not possible.
func linkOrCopy(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
