// Package source defines what a kind of source is, its input, and the sink for its rows. A kind reads one publisher's
// format; it never opens the network and does not know the database.
package source

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"

	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// ErrBadFile is the error of a file that cannot be read: truncated, empty, of another format, without a required column.
var ErrBadFile = errors.New("bad file")

// ErrTooManyRejects is the error of a source with too large a share of rejected rows.
var ErrTooManyRejects = errors.New("too many rows rejected")

// ErrUnknownCategories is the error of a source with too large a share of places with categories that are in no list.
var ErrUnknownCategories = errors.New("places have categories that the list of categories does not have")

// ErrNothingLeft is the error of a source of which no row is left.
var ErrNothingLeft = errors.New("nothing is left of the source")

// ErrBadOptions is the error of unknown or invalid options in a region file.
var ErrBadOptions = errors.New("bad options")

// Kind reads one publisher's format. All kinds are in one list, ingest.Kinds.
type Kind interface {
	Info() Info
	// Check finds what is wrong with a source without reading its rows: invalid options, and headers, dictionaries and
	// small files that do not fit them, as Stage would. It returns several faults as Faults, and decodes and opens with the
	// functions of Stage. A file that is missing or cannot be read is a fault too.
	Check(ctx context.Context, in Input) error
	// Stage reads in.Path and passes every row to out, in an order that depends on the file only. Invalid rows are passed
	// to out.Issue. If the file cannot be read further, the error wraps ErrBadFile and gives the file and the position. It
	// returns ctx.Err() soon after ctx is cancelled.
	Stage(ctx context.Context, in Input, out Sink) error
}

// Areas is a kind whose sources are outlines of small areas, which are of no use without census tables of them.
type Areas interface {
	// Areas returns the scheme of the areas' keys, such as census:bg; "" if the options do not give one.
	Areas(in Input) string
}

// Tables is a kind whose sources are census tables.
type Tables interface {
	// Tables returns the schemes of the keys of areas that the source may have tables of.
	Tables(in Input) []string
}

// OfAreas is a kind whose rows may be of areas without an outline, of which blocks or zones of the region have them.
type OfAreas interface {
	OfAreas(in Input) bool
}

// Streets is a kind whose sources are streets, not always with the paths, stairs and footbridges between them.
type Streets interface {
	// Footpaths reports whether the source has these as completely as the streets.
	Footpaths(in Input) bool
}

// Boxed is a kind whose files have the box of what was extracted in their header.
type Boxed interface {
	// Box returns the box of a file; false if it does not have one.
	Box(in Input) (box orb.Bound, known bool, err error)
}

// Counted is a kind whose files can say how many rows they have. It serves estimates.
type Counted interface {
	// Rows returns the number of rows by the headers of the files; 0 where it is not known.
	Rows(ctx context.Context, in Input) int64
}

// Info describes a kind. DATA.md is generated from it.
type Info struct {
	Kind    string          // name used in region files, e.g. "boundaries"
	Title   string          // one line
	Formats []string        // that it reads, in the publishers' terms
	Yields  []string        // staged tables that it fills
	Options any             // zero value of the options struct; its yaml and doc tags describe the options
	Reasons []reason.Reason // all that Stage passes to Sink.Issue; those that the sink itself raises are not among them
	Notes   string          // for data engineers; may be empty
}

// Input is one source of a region file, resolved to a local file.
type Input struct {
	Source  string    // source_id
	Path    string    // local file, or folder if the format is one
	With    []string  // paths of other sources, of which a kind reads what completes tables of this one
	Country string    // of the region, 'CA' or 'US', or ''
	State   string    // state or province of the region, 'OR', or ''
	Options yaml.Node // the kind's own options; decode with Decode
	Limits  Limits    // of the region file
}

// Decode decodes the options into the kind's options struct, given by pointer. Unknown fields are an error.
func (in Input) Decode(options any) error { return in.Configure(options, func() error { return nil }) }

// Configure decodes the options into the kind's options struct, given by pointer, and calls check, which may set defaults.
// The error has all faults of the options that cannot be decoded or are not as declared, and those that check finds in others.
func (in Input) Configure(options any, check func() error) error {
	faults := decodeOptions(&in.Options, options)
	decoded := faults
	for _, err := range Flatten(check()) {
		var fault *OptionFault
		if errors.As(err, &fault) && slices.ContainsFunc(decoded, fault.sameOption) {
			continue
		}
		if !errors.Is(err, ErrBadOptions) {
			err = badOptions{err}
		}
		faults = append(faults, err)
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%w of source %s: %w", ErrBadOptions, in.Source, faults)
}

// badOptions marks an error as one of options without a word more.
type badOptions struct{ error }

func (e badOptions) Unwrap() []error { return []error{ErrBadOptions, e.error} }

// Row is a row of a staged table: Boundary, POI, Street … Readers pass it by value. The sink refuses other types.
type Row any

// Rows are several rows in place of one, for Put.
type Rows []Row

// Put stages a row, or several; nil: none.
func Put(out Sink, row Row) error {
	switch rows := row.(type) {
	case nil:
		return nil
	case Rows:
		for _, row := range rows {
			if err := out.Row(row); err != nil {
				return err
			}
		}
		return nil
	}
	return out.Row(row)
}

// Sink stages rows. It checks what applies to every source (finite coordinates in range, UTF-8, a unique key, valid rings)
// and counts a row that fails as an issue.
type Sink interface {
	// Row stages a row. Its error ends the stage (disk full, cancelled, too many rejects) and must be returned.
	Row(Row) error
	// Part begins a part of the source, such as a file of a folder or a table of a feed, or returns to it: what follows is
	// counted for it. The share of rejected rows is limited in each part. Without parts a source is one, "".
	Part(name string)
	// Read counts n rows or features of the file, staged or not.
	Read(n int)
	// Issue counts one row by reason; where names the row, line or feature.
	Issue(why reason.Reason, where string)
}

// Boundary becomes a row of staged.boundary. Geometry is in EPSG:4326 and may be invalid: the sink repairs or rejects it.
type Boundary struct {
	Key            string
	Level          schemas.Level
	NameEN, NameFR string
	Country, State string
	Population     *int64
	Names          []FurtherName // other than NameEN and NameFR
	Geometry       orb.MultiPolygon
}

// FurtherName becomes a row of staged.further_name.
type FurtherName struct {
	Name     string
	Kind     string // schemas.NameKinds
	Language string // IETF tag; may be empty
}

// GazetteerPlace becomes a row of staged.gazetteer_place.
type GazetteerPlace struct {
	Key   string
	Level schemas.Level // 30: any of a settlement
	Name  string
	Point orb.Point
	Names []FurtherName
}

// POI becomes a row of staged.poi.
type POI struct {
	Key     string
	Point   orb.Point
	Scheme  string            // vocabulary of the classes: "osm", "overture" or "quartier"
	Tags    map[string]string // of scheme osm
	Classes []string          // of other schemes, the primary one first
	staged.Details
}

// BrandRule becomes a row of staged.brand_rule.
type BrandRule struct {
	BrandID, BrandName, Wikidata string
	Key, Value                   string
	Names                        []string
	Countries                    []string
	Tags                         map[string]string
}
