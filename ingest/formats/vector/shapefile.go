package vector

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// parts opens the files of a shapefile by their extension, in a folder or an archive. A missing file is fs.ErrNotExist.
type parts func(extension string) (file io.ReadCloser, size int64, err error)

// siblings returns the parts next to the .shp file, with extensions in upper or lower case.
func siblings(shpPath string) parts {
	return func(extension string) (io.ReadCloser, int64, error) {
		stem := strings.TrimSuffix(shpPath, filepath.Ext(shpPath))
		entries, err := os.ReadDir(filepath.Dir(shpPath))
		if err != nil {
			return nil, 0, err
		}
		for _, entry := range entries {
			name := filepath.Join(filepath.Dir(shpPath), entry.Name())
			if strings.TrimSuffix(name, filepath.Ext(name)) != stem || !strings.EqualFold(filepath.Ext(name), extension) {
				continue
			}
			info, err := entry.Info()
			if err != nil {
				return nil, 0, err
			}
			file, err := os.Open(name)
			return file, info.Size(), err
		}
		return nil, 0, fs.ErrNotExist
	}
}

// shapefile joins the records of the .shp and the rows of the .dbf by their number.
type shapefile struct {
	shp     *shp
	dbf     *dbase
	row     int
	closers []io.Closer
}

// openArchive opens the shapefile of the options in a .zip, or the only one, in any folder. A kind that reads tables may have the
// only table of one without shapefiles.
func (l *Layer) openArchive(ctx context.Context, o Options) error {
	archive, err := source.OpenZip(l.path, o.Limits)
	if err != nil {
		return err
	}
	files := filesOf(&archive.Reader)
	isShapefile := func(name string) bool { return strings.HasSuffix(name, ".shp") }
	if o.Columns != nil && !slices.ContainsFunc(slices.Collect(maps.Keys(files)), isShapefile) {
		return errors.Join(archive.Close(), l.openTable(ctx, o))
	}
	stem, err := pickShapefile(files, o.Layer)
	if err == nil {
		err = l.openShapefile(inArchive(files, stem), o)
	} else {
		err = l.named(err)
	}
	if err != nil {
		archive.Close()
		return err
	}
	opened := l.reader.(*shapefile)
	opened.closers = append(opened.closers, archive)
	return nil
}

// filesOf lists an archive by path with extensions in lower case, without the resource forks of macOS.
func filesOf(archive *zip.Reader) map[string]*zip.File {
	files := map[string]*zip.File{}
	for _, file := range archive.File {
		extension := path.Ext(file.Name)
		stem := strings.TrimSuffix(file.Name, extension)
		if !strings.HasPrefix(path.Base(stem), "._") {
			files[stem+strings.ToLower(extension)] = file
		}
	}
	return files
}

// pickShapefile returns the path, without extension, of the requested shapefile, or of the only one.
func pickShapefile(files map[string]*zip.File, asked string) (string, error) {
	var stems []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		stem, isSHP := strings.CutSuffix(name, ".shp")
		if isSHP && (asked == "" || path.Base(stem) == asked || stem == asked) {
			stems = append(stems, stem)
		}
	}
	switch {
	case len(stems) == 1:
		return stems[0], nil
	case len(stems) > 1:
		return "", bad("it has %d shapefiles; set the option layer to one of %s", len(stems), strings.Join(stems, ", "))
	case asked != "":
		return "", bad("it has no shapefile %q", asked)
	}
	return "", bad("it has no shapefile")
}

// inArchive returns the parts of a shapefile in an archive.
func inArchive(files map[string]*zip.File, stem string) parts {
	return func(extension string) (io.ReadCloser, int64, error) {
		file := files[stem+extension]
		if file == nil {
			return nil, 0, fs.ErrNotExist
		}
		reader, err := file.Open()
		return reader, int64(file.UncompressedSize64), err
	}
}

// openShapefile opens the parts: .shp and .dbf are required, .prj and .cpg optional.
func (l *Layer) openShapefile(open parts, o Options) (err error) {
	s := &shapefile{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if o.Encoding == "" {
		cpg, err := small(open, ".cpg")
		if err != nil {
			return l.named(err)
		}
		o.Encoding = strings.TrimSpace(cpg)
	}
	var named decoder
	if o.Encoding != "" {
		var known bool
		if named, known = encodingNamed(o.Encoding); !known {
			return l.Bad("encoding %q is not known; give encoding: in the options, e.g. UTF-8 or windows-1252", o.Encoding)
		}
	}
	if l.CRS, err = small(open, ".prj"); err != nil {
		return l.named(err)
	}
	file, size, err := s.part(open, ".shp")
	if err != nil {
		return l.named(err)
	}
	if s.shp, err = openSHP(file, size, o.Limits); err != nil {
		return l.named(err)
	}
	if file, size, err = s.part(open, ".dbf"); err != nil {
		return l.named(err)
	}
	if s.dbf, err = openDBase(file, size, named); err != nil {
		return l.named(err)
	}
	l.Fields, l.FieldsKnown, l.reader = s.dbf.names(), true, s
	return nil
}

func (s *shapefile) part(open parts, extension string) (io.Reader, int64, error) {
	file, size, err := open(extension)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, errors.New("its " + extension + " file is missing")
	}
	if err != nil {
		return nil, 0, err
	}
	s.closers = append(s.closers, file)
	return file, size, nil
}

// small reads a part that is a line of text; "" where it is missing.
func small(open parts, extension string) (string, error) {
	const most = 64 << 10
	file, _, err := open(extension)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most))
	return strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")), err
}

func (s *shapefile) next() (Feature, error) {
	for {
		geometry, fault, err := s.shp.next()
		if err == io.EOF {
			if s.dbf.row != s.dbf.rows {
				return Feature{}, bad("the .dbf has %d rows, the .shp %d records", s.dbf.rows, s.row)
			}
			return Feature{}, io.EOF
		}
		if err != nil {
			return Feature{}, err
		}
		s.row++
		attributes, deleted, err := s.dbf.next()
		if err == io.EOF {
			return Feature{}, bad("the .dbf has %d rows, the .shp more", s.dbf.rows)
		}
		if err != nil {
			return Feature{}, err
		}
		if deleted {
			continue
		}
		return Feature{Row: s.row, Attributes: attributes, Geometry: geometry, Fault: fault}, nil
	}
}

func (s *shapefile) close() error {
	var errs []error
	for _, closer := range s.closers {
		errs = append(errs, closer.Close())
	}
	return errors.Join(errs...)
}
