package draft

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/internal/outline"
)

// sample is the beginning of a file.
type sample struct {
	path    string
	columns []string
	values  map[string][]string // of the first rows, by column; absent ones are ""
	rows    int
	shape   string // point, line or area of most features; "": a table
	points  []orb.Point
	crs     string // of a file of features
	fault   error  // why no more is known
}

const sampleRows = 400

var errEnough = errors.New("enough")

// beginning is the first bytes of a file.
func beginning(path string) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	b := make([]byte, 16<<10)
	n, _ := io.ReadFull(file, b) // a shorter file has fewer
	return b[:n]
}

// sampleOf reads the beginning of a file of features or of a table.
func sampleOf(ctx context.Context, path string) *sample {
	s := &sample{path: path, values: map[string][]string{}}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".txt", ".tsv", ".dat":
		s.fault = s.readTable()
	default:
		s.fault = s.readFeatures(ctx)
	}
	return s
}

func (s *sample) readTable() error {
	t, err := table.Open(s.path, table.Dialect{})
	if err != nil {
		return err
	}
	defer t.Close()
	s.columns = t.Columns
	for s.rows < sampleRows {
		if err := t.Next(); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		for i, name := range s.columns {
			s.values[name] = append(s.values[name], t.Text(i))
		}
		s.rows++
	}
	return nil
}

func (s *sample) readFeatures(ctx context.Context) error {
	layer, err := vector.Open(ctx, s.path, vector.Options{})
	if err != nil {
		return err
	}
	defer layer.Close()
	s.crs = layer.CRS
	shapes := map[string]int{}
	err = layer.Read(ctx, func(f vector.Feature) error {
		if shape, at := shapeOf(f.Geometry); shape != "" {
			shapes[shape]++
			s.points = append(s.points, at)
		}
		for name, value := range f.Attributes {
			column := s.values[name]
			for len(column) < s.rows {
				column = append(column, "")
			}
			s.values[name] = append(column, value)
		}
		if s.rows++; s.rows == sampleRows {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	s.columns = slices.Clone(layer.Fields)
	for shape, n := range shapes {
		if n > shapes[s.shape] || n == shapes[s.shape] && shape < s.shape {
			s.shape = shape
		}
	}
	return nil
}

func shapeOf(g orb.Geometry) (shape string, at orb.Point) {
	switch g := g.(type) {
	case orb.Point:
		return "point", g
	case orb.MultiPoint:
		if len(g) > 0 {
			return "point", g[0]
		}
	case orb.LineString, orb.MultiLineString:
		return "line", g.Bound().Center()
	case orb.Polygon, orb.MultiPolygon:
		return "area", g.Bound().Center()
	}
	return "", orb.Point{}
}

// plain is a name in lower case without what is neither letter nor number.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// column returns the first column of the names, whatever its case and underscores; "" if there is none.
func (s *sample) column(names ...string) string {
	for _, name := range names {
		for _, c := range s.columns {
			if plain(c) == plain(name) && c != "" {
				return c
			}
		}
	}
	return ""
}

// columnWith returns the first column whose name has one of the parts, the earlier ones first.
func (s *sample) columnWith(parts ...string) string {
	for _, part := range parts {
		for _, c := range s.columns {
			if strings.Contains(plain(c), part) {
				return c
			}
		}
	}
	return ""
}

// all reports whether the file has all columns.
func (s *sample) all(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return s.column(name) == "" })
}

// filled is the share of the rows that have a value.
func (s *sample) filled(column string) float64 {
	n := 0
	for _, v := range s.values[column] {
		if strings.TrimSpace(v) != "" {
			n++
		}
	}
	return float64(n) / max(float64(s.rows), 1)
}

// unique reports whether every row has a value of its own.
func (s *sample) unique(column string) bool {
	seen := map[string]bool{}
	for _, v := range s.values[column] {
		if v = strings.TrimSpace(v); v == "" || seen[v] {
			return false
		}
		seen[v] = true
	}
	return len(seen) == s.rows && s.rows > 0
}

// within reports whether nearly all values are numbers of a range.
func (s *sample) within(column string, low, high float64) bool {
	n, good := 0, 0
	for _, v := range s.values[column] {
		if v = strings.TrimSpace(v); v == "" {
			continue
		}
		n++
		if x, err := strconv.ParseFloat(v, 64); err == nil && x >= low && x <= high {
			good++
		}
	}
	return n > 0 && good*10 >= n*9
}

// unstable matches numbers that are given anew with each edition of a file, and codes of something else than the row.
var unstable = regexp.MustCompile(`^(objectid|fid)$|postal|zip|phone|_fid|^.*plyfid$`)

// key is a column that identifies the rows; "" if there is none.
func (s *sample) key() string {
	for _, c := range s.columns {
		if n := plain(c); (strings.HasSuffix(n, "id") || strings.HasSuffix(n, "code") || n == "key" || strings.HasSuffix(n, "number") ||
			n == "licnum") && !unstable.MatchString(n) && s.unique(c) {
			return c
		}
	}
	for _, name := range []string{"name", "OBJECTID", "FID", "ID"} {
		if c := s.column(name); c != "" && s.unique(c) {
			return c
		}
	}
	return ""
}

// name is the column of the name; "" if there is none.
func (s *sample) name() string {
	for _, name := range []string{"name", "name_en", "label", "title", "facility_name", "school_name", "site_name", "neighbourhood",
		"neighborhood", "fullname", "namelsad"} {
		if c := s.column(name); c != "" && s.filled(c) > 0.5 {
			return c
		}
	}
	for _, c := range s.columns {
		if n := plain(c); strings.Contains(n, "name") && !strings.Contains(n, "fr") && s.filled(c) > 0.5 && !s.within(c, -1e12, 1e12) {
			return c
		}
	}
	return ""
}

// coordinates are the columns of longitude and latitude in degrees; "" if there are none.
func (s *sample) coordinates() (lng, lat string) {
	lng = s.column("longitude", "lng", "lon", "long", "x", "x_coord", "lon_dd")
	lat = s.column("latitude", "lat", "y", "y_coord", "lat_dd")
	if lng != "" && lat != "" && s.within(lng, -180, -40) && s.within(lat, 14, 85) {
		return lng, lat
	}
	return "", ""
}

// locate fills the points of a table.
func (s *sample) locate() {
	lng, lat := s.coordinates()
	if s.shape != "" || lng == "" {
		return
	}
	for i := range s.rows {
		x, errX := strconv.ParseFloat(strings.TrimSpace(s.values[lng][i]), 64)
		y, errY := strconv.ParseFloat(strings.TrimSpace(s.values[lat][i]), 64)
		if errX == nil && errY == nil {
			s.points = append(s.points, orb.Point{x, y})
		}
	}
}

// states counts the points in each state, by the coarse outlines of the program.
func (s *sample) states() map[string]int {
	counts := map[string]int{}
	for i, p := range s.points {
		if i < 50 {
			if code := outline.At(p); code != "" {
				counts[code]++
			}
		}
	}
	return counts
}

// isJSONOf reports whether a file of JSON begins with some of the words.
func isJSONOf(start []byte, words ...string) bool {
	trimmed := bytes.TrimLeft(start, "\ufeff \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return false
	}
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(trimmed, []byte(word)) })
}
