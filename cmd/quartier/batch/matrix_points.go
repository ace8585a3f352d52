package batch

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/paulmach/orb"
	"github.com/uber/h3-go/v4"

	"quartier/internal/arrowfile"
	"quartier/internal/coord"
	"quartier/serve/enrich"
	"quartier/serve/release"
)

// pointFile is the points of a file in its order, with their ids.
type pointFile struct {
	name string // of the file
	ids  []string
	at   []coord.Point
}

// maxPoints is how many points a file may have: a matrix keeps them in memory.
const maxPoints = 1_000_000

// h3Prefix is how the cells of a release are named in place of a file, as in h3:8.
const h3Prefix = "h3:"

// readPoints reads the points of a file, or of the cells of H3 in which the release has residents or streets.
func readPoints(from *release.Release, path string, o Options, id string) (*pointFile, error) {
	p := &pointFile{name: path}
	cells, grid := strings.CutPrefix(path, h3Prefix)
	if grid {
		resolution, err := strconv.Atoi(cells)
		if err != nil {
			return nil, fmt.Errorf("%w: %q is not %s with a resolution, such as h3:8", ErrInput, path, h3Prefix)
		}
		o.H3, id = &resolution, cellColumn
	} else {
		o.In = path
	}
	j := &job{Options: o}
	var err error
	if j.enricher, err = enrich.New(from, enrich.Choice{Add: []string{"geographies"}}, enrich.Client{}); err != nil {
		return nil, err
	}
	if grid {
		err = j.checkGrid()
	} else {
		j.InFormat, err = formatOf(path, true)
	}
	if err != nil {
		return nil, err
	}
	in, err := j.open(maxBlockRows)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := p.read(j, in, id); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// read reads all rows. Every one must have a point and an id of its own.
func (p *pointFile) read(j *job, in arrowfile.Reader, id string) error {
	named, err := idColumn(in.Schema(), id)
	if err != nil {
		return err
	}
	var lost error // there are no coordinates: ids are cells
	if j.points, lost = j.locate(in.Schema()); lost == nil {
		err = j.reference(in.Schema())
	} else if j.Lat != "" || j.Geometry != "" || j.Geohash != "" {
		err = lost
	}
	if j.crs != "" {
		err = fmt.Errorf("%w: its points are not in degrees of WGS 84", ErrInput)
	}
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for {
		rows, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		read, valueAt := cellsOf(rows.Column(named)), func(row int) string { return valueText(rows.Column(named), row) }
		if lost == nil {
			read, valueAt = j.points.in(rows), func(row int) string { return j.points.textAt(rows, row) }
		}
		for row := 0; row < int(rows.NumRows()) && err == nil; row++ {
			err = p.add(seen, valueText(rows.Column(named), row), read, row)
			if err == errCell && len(p.ids) == 0 {
				err = lost
			} else if err != nil {
				err = fmt.Errorf("%w: row %d: %w: %q", ErrInput, len(p.ids)+1, err, valueAt(row))
			}
		}
		rows.Release()
		if err != nil {
			return err
		}
	}
	if len(p.ids) == 0 {
		return fmt.Errorf("%w: it has no rows", ErrInput)
	}
	return nil
}

// add adds the point of a row of a record.
func (p *pointFile) add(seen map[string]int, id string, read pointReader, row int) error {
	at, err := read(row)
	if err != nil {
		return err
	}
	point, ok := coord.NewPoint(at[0], at[1])
	switch before, twice := seen[id], seen[id] > 0; {
	case !ok:
		return errRange
	case id == "":
		return errors.New("no id")
	case twice:
		return fmt.Errorf("the id %q is that of row %d, too", id, before)
	case len(p.ids) == maxPoints:
		return fmt.Errorf("more than %d points; divide the file", maxPoints)
	}
	p.ids, p.at = append(p.ids, id), append(p.at, point)
	seen[id] = len(p.ids)
	return nil
}

// idColumn is the column of ids: that of a name, by default "id".
func idColumn(schema *arrow.Schema, name string) (int, error) {
	found := schema.FieldIndices(name)
	if len(found) != 1 {
		return 0, fmt.Errorf("%w: %d columns are called %q; --id names that of the ids. The columns are %s", ErrInput, len(found), name,
			columnList(schema))
	}
	return found[0], nil
}

// errCell is why an id without coordinates has no point.
var errCell = errors.New("no coordinates, and the id is not a cell of H3")

// cellsOf reads the centres of cells of H3.
func cellsOf(ids arrow.Array) pointReader {
	return func(row int) (at orb.Point, err error) {
		text := valueText(ids, row)
		cell := h3.Cell(h3.IndexFromString(text))
		if !cell.IsValid() {
			return nowhere, errCell
		}
		centre := cell.LatLng()
		return orb.Point{centre.Lng, centre.Lat}, nil
	}
}

// identity names the file with its size and time, or the cells.
func (p *pointFile) identity() (string, error) {
	if strings.HasPrefix(p.name, h3Prefix) {
		return p.name, nil
	}
	return fileIdentity(p.name)
}
