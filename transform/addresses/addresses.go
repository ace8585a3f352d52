// Package addresses merges the addresses of a region. Input: staged.address and staged.address_range. Output: the derived tables of
// these names. Of rows with one number, street and unit within 30 m of each other, whatever towns they say, the one with the most
// accurate point is kept, of equal ones that of the source that comes first; what it lacks is taken from the others.
package addresses

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	packed "quartier/internal/pack/addresses"
	"quartier/internal/sorter"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

// Reasons are those of this package.
var Reasons reason.List

var merged = Reasons.Skipped("duplicate_address",
	"Another row has the number, street and unit within 30 m, and a more accurate point, or is of a source that comes first.")

// sortRoom is how many bytes of rows are sorted in memory.
const sortRoom = 64 << 20

// Places locates addresses in the geographies of the region.
type Places interface {
	StateAt(at orb.Point) (country, state string, ok bool)
	CityAt(at orb.Point) string
}

// Result is what became of the addresses of a region.
type Result struct {
	Addresses, Ranges int64
	Issues            []issue.Issue
	Note              string // "" without sources of addresses
}

// deriver derives the addresses of a region.
type deriver struct {
	places   Places
	priority map[string]int32 // by source
	sources  []string         // by priority
	streets  map[string]address.Street
	rows     *sorter.Sorter
	issues   *issue.Counter
	result   Result
	merged   int64
}

// Derive writes the addresses of a region. Temporary files are in folder.
func Derive(ctx context.Context, from, to *duck.DB, folder string, places Places) (*Result, error) {
	d := &deriver{places: places, streets: map[string]address.Street{},
		rows: sorter.New(folder, sortRoom, bytes.Compare), issues: issue.NewCounter("addresses")}
	defer d.rows.Close()
	if err := d.readSources(ctx, from); err != nil {
		return nil, err
	}
	if err := duck.EachRow(ctx, from, "address", d.add); err != nil {
		return nil, err
	}
	if err := duck.Fill(ctx, to, "address", d.merge); err != nil {
		return nil, err
	}
	err := duck.Fill(ctx, to, "address_range", func(write func(derived.AddressRange) error) error {
		return duck.EachRow(ctx, from, "address_range", func(r *staged.AddressRange) error { return d.addRange(r, write) })
	})
	if d.result.Issues = d.issues.Issues(); d.result.Addresses+d.result.Ranges > 0 {
		d.result.Note = fmt.Sprintf("%d addresses and %d ranges of numbers; %d rows were merged into others", d.result.Addresses,
			d.result.Ranges, d.merged)
	}
	return &d.result, err
}

func (d *deriver) readSources(ctx context.Context, db *duck.DB) error {
	rows, err := sqlrow.All[staged.Source](ctx, db, "SELECT * FROM source ORDER BY priority")
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	d.priority = map[string]int32{}
	for i := range rows {
		d.priority[rows[i].SourceID] = int32(i)
		d.sources = append(d.sources, rows[i].SourceID)
	}
	return nil
}

// stateOf is the state of a row, such as CA_ON: its own, or that of its point; "" if there is none, which is an issue.
func (d *deriver) stateOf(code string, at orb.Point, what string) string {
	for _, country := range schemas.Countries {
		if _, known := schemas.FindState(country, code); known {
			return country + "_" + code
		}
	}
	if country, state, ok := d.places.StateAt(at); ok {
		return country + "_" + state
	}
	d.issues.Add(issue.OutsideCoverage, what)
	return ""
}

// Fields of the records that are sorted, texts with a zero byte between them: what says that two addresses are the same, what
// says which of them is kept, then the row.
const (
	ofState = iota
	ofName
	ofWays
	ofNumber
	ofUnit
	ofAccuracy
	ofSource
	ofText // number as it is written
	ofStreet
	ofWritten // unit as it is written
	ofCity
	ofPostal
	ofLng
	ofLat
	sameFields = ofAccuracy // how many say that two are the same
)

// add adds a row to those that are sorted.
func (d *deriver) add(a *staged.Address) error {
	at := orb.Point{a.Lng, a.Lat}
	state := d.stateOf(a.StateCode, at, a.Number+" "+a.Street)
	if state == "" {
		return nil
	}
	street, number := d.street(a.Street), address.ReadNumber(a.Number)
	accuracy := slices.Index(schemas.AddressAccuracies, a.Accuracy)
	return d.rows.Add([]byte(strings.Join([]string{
		state, street.Name, fmt.Sprintf("%03x %x %x", street.Type, street.Before, street.After),
		fmt.Sprintf("%08d%s", number.Value, number.Suffix), strings.ToUpper(strings.Join(strings.Fields(a.Unit), " ")),
		strconv.Itoa(accuracy), fmt.Sprintf("%06d", d.priority[a.SourceID]), a.Number, a.Street, a.Unit, a.City, a.PostalCode,
		strconv.FormatFloat(a.Lng, 'g', -1, 64), strconv.FormatFloat(a.Lat, 'g', -1, 64),
	}, "\x00")))
}

// street is address.ReadStreet. Rows mostly come street by street.
func (d *deriver) street(text string) address.Street {
	s, known := d.streets[text]
	if !known {
		const most = 1 << 16
		if len(d.streets) == most {
			clear(d.streets)
		}
		s = address.ReadStreet(text)
		d.streets[strings.Clone(text)] = s
	}
	return s
}

// kept is an address that is written when all of its group are read.
type kept struct {
	fields []string
	at     coord.Point
}

// group is the addresses with one number, street and unit.
type group struct {
	key   string
	list  []kept
	cells map[[2]int32][]int // of list, by cells of a grid
}

// merge writes one row for each address.
func (d *deriver) merge(write func(derived.Address) error) error {
	var g group
	flush := func() error {
		for i := range g.list {
			if err := write(d.row(g.list[i].fields)); err != nil {
				return err
			}
		}
		d.result.Addresses += int64(len(g.list))
		g = group{cells: map[[2]int32][]int{}}
		return nil
	}
	err := d.rows.Each(func(record []byte) error {
		fields := strings.Split(string(record), "\x00")
		if key := strings.Join(fields[:sameFields], "\x00"); key != g.key || g.cells == nil {
			if err := flush(); err != nil {
				return err
			}
			g.key = key
		}
		if !g.add(fields) {
			d.merged++
			d.issues.Add(merged, fields[ofText]+" "+fields[ofStreet])
		}
		return nil
	})
	return cmp.Or(err, flush())
}

// add adds an address; false if one of the group is within packed.SameM, which takes what it lacks of this one.
func (g *group) add(fields []string) bool {
	lng, _ := strconv.ParseFloat(fields[ofLng], 64)
	lat, _ := strconv.ParseFloat(fields[ofLat], 64)
	at, _ := coord.NewPoint(lng, lat)
	plane := coord.NewPlane(at)
	const cell = 10_000 // 0.001 degrees, which is more than packed.SameM up to the arctic circle
	x, y := at.Lng/cell, at.Lat/cell
	for i := range int32(9) {
		for _, n := range g.cells[[2]int32{x + i%3 - 1, y + i/3 - 1}] {
			if k := &g.list[n]; plane.Square(k.at) <= packed.SameM*packed.SameM {
				for _, field := range []int{ofCity, ofPostal} {
					k.fields[field] = cmp.Or(k.fields[field], fields[field])
				}
				return false
			}
		}
	}
	g.cells[[2]int32{x, y}] = append(g.cells[[2]int32{x, y}], len(g.list))
	g.list = append(g.list, kept{fields, at})
	return true
}

// row is the derived row of an address.
func (d *deriver) row(f []string) derived.Address {
	accuracy, _ := strconv.Atoi(f[ofAccuracy])
	source, _ := strconv.Atoi(f[ofSource])
	a := derived.Address{SourceID: d.sources[source], Number: f[ofText], Street: f[ofStreet], Unit: f[ofWritten], City: f[ofCity],
		State: f[ofState], PostalCode: f[ofPostal], Accuracy: schemas.AddressAccuracies[accuracy]}
	a.Lng, _ = strconv.ParseFloat(f[ofLng], 64)
	a.Lat, _ = strconv.ParseFloat(f[ofLat], 64)
	a.City = cmp.Or(a.City, d.places.CityAt(orb.Point{a.Lng, a.Lat}))
	return a
}

// addRange writes a range with its state and town.
func (d *deriver) addRange(r *staged.AddressRange, write func(derived.AddressRange) error) error {
	line, err := geo.LineString(r.Geom)
	if err != nil {
		return fmt.Errorf("range of %s: %w", r.Street, err)
	}
	middle := line[len(line)/2]
	state := d.stateOf(r.StateCode, middle, r.Street)
	if state == "" {
		return nil
	}
	d.result.Ranges++
	return write(derived.AddressRange{SourceID: r.SourceID, Street: r.Street, City: cmp.Or(r.City, d.places.CityAt(middle)), State: state,
		Low: r.Low, High: r.High, Step: r.Step, Geom: bytes.Clone(r.Geom)})
}
