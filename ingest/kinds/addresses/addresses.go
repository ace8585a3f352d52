// Package addresses is the kind for addresses with points, and for ranges of house numbers along streets. It reads files of
// features and delimited text with a mapping of columns, the National Address Register of Statistics Canada, and the addresses of an
// OpenStreetMap extract, into rows of staged.address and staged.address_range.
package addresses

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	noNumber      = reasons.Skipped("no_house_number", "The row has no house number, or the side of the street has no numbers.")
	noStreet      = reasons.Skipped("no_street", "The row has no street, or a word in its place, such as UNKNOWN or N/A.")
	noPlace       = reasons.Skipped("no_civic_address", "The row is a box, a rural route or general delivery, where nobody can go to.")
	invalidNumber = reasons.Rejected("invalid_house_number",
		"The house number is none: it is a word, 0, or has more than seven digits before its suffix.")
	unreadRange = reasons.Skipped("unread_address_range", "An end of the range is not a whole number, such as N123 or 12-34.")
)

// Kind is the source kind "addresses".
var Kind = byLayout(vector.Kind(source.Declaration[Options]{
	Kind:  "addresses",
	Title: "Addresses with points, and ranges of house numbers along streets",
	Formats: []string{
		"overture: addresses of Overture Maps (theme=addresses/type=address), GeoParquet, a file or a folder of .parquet files",
		"nar: National Address Register of Statistics Canada, the .zip or a folder with Addresses/Address_{pr}[_part_n].csv and " +
			"Locations/Location_{pr}.csv",
		"nad: National Address Database of the United States, the .txt in its .zip or unpacked, releases 4 to 23",
		"openaddresses: files of OpenAddresses, CSV or GeoJSON lines",
		"osm: nodes and buildings with addr:housenumber of an OpenStreetMap extract (.osm.pbf, .osm)",
		"addrfeat: address ranges of TIGER/Line by county", "rnf: ranges of the road network file of Statistics Canada",
		"others by a mapping of columns: CSV, workbook, GeoJSON, GeoParquet, or another file of features",
	},
	Yields: []string{"address", "address_range"},
	Own:    &reasons,
	Reasons: []reason.Reason{source.MissingGeometry, source.WrongGeometryType, source.OtherCountry, source.UnusedFile,
		source.WrongFieldCount, source.AssumedWindows1252},
	Notes: "Options of texts are names of columns, or texts with columns in braces, of several the first that is not empty; NAME[2] is the " +
		"second item of a column with a list. Layouts set them: " + source.LayoutNames(layouts) + "; options beside a layout take precedence. " +
		"A row needs a house number, a street and a point; town, state and postal code make that it is found by them. A row without a " +
		"state has that of its point, one without a town the city of the region around it. " +
		"Rows of one number, street and unit within 30 m of each other are merged in transform, over all sources of a region: the most " +
		"accurate point counts, then the source that comes first. " +
		"Ranges answer for numbers that no address has, along the line between those that it says.",
	Complete: (*Options).complete,
}, vector.Features[Options]{
	File: (*Options).file,
	Text: true,
	Name: func(o *Options, f vector.Feature) string {
		value := o.values(f.Value)
		return strings.TrimSpace(o.number(value) + " " + o.street(value))
	},
	Row: func(o *Options, r vector.Record) (source.Row, reason.Reason) {
		if o.ranged() {
			return o.ranges(r)
		}
		switch g := r.Geometry.(type) {
		case nil:
			return nil, source.MissingGeometry
		case orb.Point:
			return o.address(r.In, r.Value, g)
		case orb.MultiPoint:
			if len(g) == 1 {
				return o.address(r.In, r.Value, g[0])
			}
		}
		return nil, source.WrongGeometryType
	},
}))

// reader reads the files of a layout that are no files of features.
type reader struct {
	check func(context.Context, source.Input, *Options) error
	read  func(context.Context, source.Input, *Options, source.Sink) error
}

var readers = map[string]reader{"nar": {checkRegister, readRegister}, "osm": {checkExtract, readExtract}}

// byLayout has the files of some layouts read by readers. A small file is read by Check, which refuses one without addresses.
func byLayout(d source.Declaration[Options]) source.Declaration[Options] {
	inspect, read := d.Inspect, d.Read
	d.Inspect = func(ctx context.Context, in source.Input, o *Options) error {
		if r, own := readers[o.Layout]; own {
			return r.check(ctx, in, o)
		}
		return inspect(ctx, in, o)
	}
	d.Read = func(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
		if r, own := readers[o.Layout]; own {
			return r.read(ctx, in, o, out)
		}
		return read(ctx, in, o, out)
	}
	d.Then = func(ctx context.Context, in source.Input, o *Options) error {
		if !source.IsSmall(in.Path) {
			return nil
		}
		c := counter{why: map[reason.Reason]int{}}
		if err := d.Read(ctx, in, o, &c); err != nil || c.rows > 0 || len(c.why) == 0 {
			return err
		}
		return source.BadFile(in.Path, "none of its %d rows is an address, mostly because: %s", c.read, c.most())
	}
	return d
}

// counter is a sink that counts rows and why others have none.
type counter struct {
	source.Discard
	read, rows int
	why        map[reason.Reason]int
}

func (c *counter) Row(source.Row) error { c.rows++; return nil }

func (c *counter) Read(n int) { c.read += n }

func (c *counter) Issue(why reason.Reason, _ string) { c.why[why]++ }

// most is the most frequent reason why rows have no address.
func (c *counter) most() string {
	return slices.MaxFunc(slices.Collect(maps.Keys(c.why)), func(a, b reason.Reason) int {
		return cmp.Or(cmp.Compare(c.why[a], c.why[b]), cmp.Compare(a.Code, b.Code))
	}).Description
}
