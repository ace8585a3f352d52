package addresses

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/folder"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/internal/coord"
	"quartier/schemas"
)

// The National Address Register is two kinds of tables for each province: addresses, and locations with the points of one or
// several addresses, by which they are joined. The locations of one province are in memory at once, 28 bytes each.

// Columns of the register.
const locationID = "LOC_GUID"

var (
	buildingPoint = [2]string{"BG_LONGITUDE", "BG_LATITUDE"}
	streetPoint   = [2]string{"BF_REPPOINT_LONGITUDE", "BF_REPPOINT_LATITUDE"}
)

// tableName is that of a table of the register: which of the two, and the code of the province.
var tableName = regexp.MustCompile(`(?i)^(Address|Location)_(\d\d)(_part_\d+)?\.csv$`)

// site is where an address is, by the beginning of the hash of its id.
type site struct {
	id       [16]byte
	at       coord.Point
	accuracy uint8 // 0: of a building, 1: of a side of a street
}

// register is the tables of a register.
type register struct {
	folder               *folder.Folder
	addresses, locations []folder.File // each by province and part
}

func openRegister(in source.Input) (*register, error) {
	list, err := folder.Open(in.Path, in.Limits, ".csv")
	if err != nil {
		return nil, err
	}
	r := &register{folder: list}
	ours, _ := schemas.FindState("CA", in.State) // tables of other provinces than that of the region are not read
	for _, f := range list.Files {
		switch parts := tableName.FindStringSubmatch(f.Base()); {
		case parts == nil || ours.PRUID != "" && parts[2] != ours.PRUID:
		case strings.EqualFold(parts[1], "Address"):
			r.addresses = append(r.addresses, f)
		default:
			r.locations = append(r.locations, f)
		}
	}
	for _, f := range r.addresses {
		if err == nil && len(r.locationsOf(f)) == 0 {
			err = source.BadFile(in.Path, "%s is there without Location_%s.csv, which has its points", f.Base(), province(f))
		}
	}
	if err == nil && len(r.addresses) == 0 {
		err = source.BadFile(in.Path, "it has no Address_{province}.csv of the National Address Register")
	}
	if err != nil {
		list.Close()
	}
	return r, err
}

func province(f folder.File) string { return tableName.FindStringSubmatch(f.Base())[2] }

// locationsOf are the tables of the locations of a table of addresses.
func (r *register) locationsOf(addresses folder.File) (list []folder.File) {
	for _, f := range r.locations {
		if province(f) == province(addresses) {
			list = append(list, f)
		}
	}
	return list
}

// checkRegister checks that the tables are there, with their columns.
func checkRegister(_ context.Context, in source.Input, o *Options) error {
	r, err := openRegister(in)
	if err != nil {
		return err
	}
	defer r.folder.Close()
	for _, f := range slices.Concat(r.locations, r.addresses) {
		t, err := openTable(f, o)
		if err != nil {
			return err
		}
		t.Close()
	}
	return nil
}

// textTable is a table with the index of its columns.
type textTable struct {
	*table.Table
	columns map[string]int
	file    io.Closer
}

// Close closes the file.
func (t *textTable) Close() error { return t.file.Close() }

func (t *textTable) value(column string) string {
	if i, there := t.columns[column]; there {
		return t.Text(i)
	}
	return ""
}

// openTable opens a table of the register and checks its columns.
func openTable(f folder.File, o *Options) (*textTable, error) {
	file, err := f.Open()
	if err != nil {
		return nil, err
	}
	text, err := table.New(file, table.Dialect{Encoding: o.Encoding})
	if err == nil {
		wanted := []string{locationID, "CIVIC_NO"}
		if strings.HasPrefix(strings.ToLower(f.Base()), "location") {
			wanted = []string{locationID, buildingPoint[0], buildingPoint[1]}
		}
		err = text.Require(wanted...)
	}
	if err != nil {
		file.Close()
		return nil, source.InFile(f.Path, err)
	}
	t := &textTable{text, map[string]int{}, file}
	for i, name := range text.Columns {
		t.columns[name] = i
	}
	return t, nil
}

// readRegister stages the addresses of one table after the other.
func readRegister(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	r, err := openRegister(in)
	if err != nil {
		return err
	}
	defer r.folder.Close()
	var points []site
	of := ""
	for _, f := range r.addresses {
		if province(f) != of {
			of, points = province(f), points[:0]
			for _, l := range r.locationsOf(f) {
				err := each(ctx, l, o, func(t *textTable) error {
					points = appendLocation(points, t)
					return nil
				})
				if err != nil {
					return err
				}
			}
			slices.SortStableFunc(points, func(a, b site) int { return bytes.Compare(a.id[:], b.id[:]) })
		}
		out.Part(f.Base())
		err := each(ctx, f, o, func(t *textTable) error {
			out.Read(1)
			return o.stage(in, t, points, out)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls take with each row of a table.
func each(ctx context.Context, f folder.File, o *Options, take func(*textTable) error) error {
	t, err := openTable(f, o)
	if err != nil {
		return err
	}
	defer t.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return source.InFile(f.Path, err)
		}
		if err := take(t); err != nil {
			return err
		}
	}
}

// appendLocation adds the location of a row: the point of its buildings, else that of its side of the street.
func appendLocation(points []site, t *textTable) []site {
	for accuracy, names := range [][2]string{buildingPoint, streetPoint} {
		lng, err := strconv.ParseFloat(t.value(names[0]), 64)
		lat, second := strconv.ParseFloat(t.value(names[1]), 64)
		if p, ok := coord.NewPoint(lng, lat); ok && err == nil && second == nil {
			return append(points, site{hash(t.value(locationID)), p, uint8(accuracy)})
		}
	}
	return points
}

func hash(id string) [16]byte {
	sum := sha256.Sum256([]byte(strings.ToLower(id)))
	return [16]byte(sum[:16])
}

// stage stages the address of a row.
func (o *Options) stage(in source.Input, t *textTable, points []site, out source.Sink) error {
	where := "line " + strconv.Itoa(t.Line)
	if t.TooShort() || t.TooLong() {
		out.Issue(source.WrongFieldCount, where)
		return nil
	}
	if t.Foreign {
		out.Issue(source.AssumedWindows1252, where)
	}
	id := hash(t.value(locationID))
	i, found := slices.BinarySearchFunc(points, id, func(s site, id [16]byte) int { return bytes.Compare(s.id[:], id[:]) })
	if !found {
		out.Issue(source.MissingGeometry, where)
		return nil
	}
	lng, lat := points[i].at.Degrees()
	with := *o
	if with.Accuracy = "rooftop"; points[i].accuracy > 0 {
		with.Accuracy = "street"
	}
	at := orb.Point{lng, lat}
	if !o.BBox.Contains(at) {
		out.Issue(source.OutsideBBox, where)
		return nil
	}
	row, why := with.address(in, t.value, at)
	if !why.OK() {
		out.Issue(why, where)
		return nil
	}
	return out.Row(row)
}
