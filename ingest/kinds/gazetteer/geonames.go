package gazetteer

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas"
)

type readCloser = io.ReadCloser

// The columns of GeoNames that are read.
const (
	columnID         = 0
	columnName       = 1
	columnASCII      = 2
	columnAlternates = 3
	columnLat        = 4
	columnLng        = 5
	columnClass      = 6
	columnCode       = 7
	columnCountry    = 8
	columns          = 19
	maxLine          = 1 << 20 // bytes
)

// levels are the levels of administrative feature codes; ADM3 is a township in the United States.
var levels = map[string]schemas.Level{
	"PCLI": schemas.Country, "ADM1": schemas.State, "ADM2": schemas.County, "ADM3": schemas.CountySubdivision, "PPLX": schemas.Neighbourhood,
}

// levelOf is the level of a feature; 0: it is of none.
func levelOf(class, code, country string) schemas.Level {
	switch {
	case code == "ADM3" && country == "CA":
		return schemas.Municipality
	case levels[code] != 0:
		return levels[code]
	case class == "P" && code != "PPLH" && code != "PPLQ" && code != "PPLW": // historical, abandoned, destroyed
		return schemas.Municipality
	}
	return 0
}

// lines reads the lines of a file.
type lines struct {
	scanner *bufio.Scanner
	path    string
	number  int      // of the line, from 1
	fields  []string // of the line
	first   bool     // the line was read ahead
}

// newLines reads the first line, which must be one of GeoNames.
func newLines(in io.Reader, path string) (*lines, error) {
	l := &lines{scanner: bufio.NewScanner(in), path: path}
	l.scanner.Buffer(make([]byte, 1<<16), maxLine)
	if ok, err := l.next(); err != nil || !ok {
		if err == nil {
			err = source.BadFile(path, "it is empty")
		}
		return nil, err
	}
	if len(l.fields) != columns {
		return nil, source.BadFile(path, "line 1 has %d fields separated by tabs, not the 19 of GeoNames", len(l.fields))
	}
	if _, err := strconv.ParseInt(l.fields[columnID], 10, 64); err != nil {
		return nil, source.BadFile(path, "line 1 begins with %q, not with a number of GeoNames; the file has no header", l.fields[columnID])
	}
	l.first = true
	return l, nil
}

// next reads a line; false at the end.
func (l *lines) next() (bool, error) {
	if l.first {
		l.first = false
		return true, nil
	}
	if !l.scanner.Scan() {
		if err := l.scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
			return false, source.BadFile(l.path, "line %d is longer than 1 MiB", l.number+1)
		} else if err != nil {
			return false, source.BadFile(l.path, "line %d: %v", l.number+1, err)
		}
		return false, nil
	}
	l.number++
	l.fields = strings.Split(l.scanner.Text(), "\t")
	return true, nil
}

// geonames stages the places of a text of GeoNames.
func (s *stage) geonames(ctx context.Context, in io.Reader, path string) error {
	l, err := newLines(in, path)
	if err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := l.next()
		if err != nil || !more {
			return err
		}
		s.out.Read(1)
		if err := s.line(l); err != nil {
			return err
		}
	}
}

// line stages the place of a line. Alternate names are separated by commas and have no language.
func (s *stage) line(l *lines) error {
	f := l.fields
	if len(f) != columns {
		s.out.Issue(source.WrongFieldCount, where(s.file, l.number, f[0]))
		return nil
	}
	here := where(s.file, l.number, f[columnName])
	lng, errLng := strconv.ParseFloat(f[columnLng], 64)
	lat, errLat := strconv.ParseFloat(f[columnLat], 64)
	if errLng != nil || errLat != nil || math.IsNaN(lng+lat) {
		s.out.Issue(source.InvalidCoordinate, here+" "+f[columnLat]+" "+f[columnLng])
		return nil
	}
	p := source.GazetteerPlace{
		Key: "geonames:" + f[columnID], Level: levelOf(f[columnClass], f[columnCode], f[columnCountry]), Name: f[columnName],
		Point: orb.Point{lng, lat},
	}
	for _, name := range append([]string{f[columnASCII]}, strings.Split(f[columnAlternates], ",")...) {
		p.Names = append(p.Names, source.FurtherName{Name: name, Kind: "alternate"})
	}
	return s.put(p, f[columnCountry], here)
}

// archive is a text in an archive.
type archive struct {
	io.ReadCloser
	zip *zip.ReadCloser
}

func (a archive) Close() error {
	a.ReadCloser.Close()
	return a.zip.Close()
}

// openArchive opens the only text of a download of GeoNames, which has a readme beside it.
func openArchive(name string, limits source.Limits) (readCloser, error) {
	z, err := source.OpenZip(name, limits)
	if err != nil {
		return nil, err
	}
	var texts []*zip.File
	for _, f := range z.File {
		if base := strings.ToLower(path.Base(f.Name)); strings.HasSuffix(base, ".txt") && base != "readme.txt" {
			texts = append(texts, f)
		}
	}
	if len(texts) != 1 {
		z.Close()
		return nil, source.BadFile(name, "the archive has %d texts beside its readme, not one", len(texts))
	}
	file, err := texts[0].Open()
	if err != nil {
		z.Close()
		return nil, source.BadFile(name, "%s: %v", texts[0].Name, err)
	}
	return archive{file, z}, nil
}
