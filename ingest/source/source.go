// Package source is the seam between the pipeline and the publishers: what a reader is, what it is given, and where
// its rows go. A reader knows one publisher's real format; it never opens the network and never sees the database.
package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"

	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// ErrBadFile marks a file that cannot be read as what it claims to be: cut short, empty, of another format, without a
// column that the reader needs.
var ErrBadFile = errors.New("bad file")

// ErrTooManyRejects marks a source of which so many rows were rejected that the rest cannot be trusted either.
var ErrTooManyRejects = errors.New("too many rows rejected")

// ErrBadOptions marks options of a region file that a reader does not know or cannot go by.
var ErrBadOptions = errors.New("bad options")

// Kind reads one publisher's format. Readers are registered in one list, ingest.Kinds.
type Kind interface {
	Info() Info
	// Stage reads in.Path and hands every row to out. It returns an error that wraps ErrBadFile, names the file and
	// says where, if the file as a whole cannot be trusted; single bad rows go to out.Issue and the rest goes on.
	// It stops with ctx.Err() soon after ctx is cancelled. Rows leave in an order that depends on the file alone.
	Stage(ctx context.Context, in Input, out Sink) error
}

// Info tells people what a kind reads. DATA.md is made from it.
type Info struct {
	Kind    string          // name used in region files, e.g. "boundaries"
	Title   string          // one line
	Formats []string        // what it takes, in the publishers' words
	Yields  []string        // staged tables it fills
	Options any             // zero value of the options struct; its yaml and doc tags describe the options
	Reasons []reason.Reason // all that Stage passes to Sink.Issue; those that the sink itself raises are not among them
	Notes   string          // what a data engineer must know; may be empty
}

// Input is one source of a region file, resolved to a local file.
type Input struct {
	Source  string    // source_id
	Path    string    // local file; a folder where the format is one
	Country string    // the region's country, 'CA' or 'US', or ''
	State   string    // the region's state or province, 'OR', or ''
	Options yaml.Node // the kind's own options; decode with Decode
}

// Decode fills the kind's options struct, refusing unknown fields.
func (in Input) Decode(options any) error {
	if in.Options.IsZero() {
		return nil
	}
	data, err := yaml.Marshal(&in.Options)
	if err != nil {
		return fmt.Errorf("%w of source %s: %w", ErrBadOptions, in.Source, err)
	}
	return decodeStrict(data, options, in.Source)
}

// Severity, and the severities, are those of package reason.
type Severity = reason.Severity

// The severities.
const (
	Rejected = reason.Rejected
	Repaired = reason.Repaired
	Skipped  = reason.Skipped
)

// Uncoded is a reason without a code.
func Uncoded(severity Severity, sentence string) reason.Reason {
	return reason.Reason{Code: reason.UncodedPrefix + string(severity), Severity: severity, Detail: sentence}
}

// Sink takes staged rows. Its methods check what must hold for every source (finite coordinates in range, UTF-8,
// non-empty key, no key twice, valid rings) and turn a row that fails into an Issue; the error they return is for
// the stage as a whole (disk full, cancelled, too many rejects) and must be passed up.
type Sink interface {
	Boundary(Boundary) error
	Coverage(Coverage) error
	POI(POI) error
	BrandRule(BrandRule) error
	Street(Street) error
	Feature(Feature) error
	Timetable(Timetable) error
	Stop(Stop) error
	Route(Route) error
	StopService(StopService) error
	ElevationTile(ElevationTile) error
	Block(Block) error
	Home(Home) error
	Survey(Survey) error
	Statistic(Statistic) error
	Zone(Zone) error
	HomeValue(HomeValue) error
	// Read counts n rows or features of the file, staged or not.
	Read(n int)
	// Issue counts one row by reason; where names the row, line or feature.
	Issue(why reason.Reason, where string)
}

// Boundary is a row of staged.boundary. Geometry is in EPSG:4326 and may be invalid: the sink mends or rejects it.
type Boundary struct {
	Key            string
	Level          schemas.Level
	NameEN, NameFR string
	Country, State string
	Population     *int64
	Geometry       orb.MultiPolygon
}

// Coverage is a row of staged.coverage.
type Coverage struct {
	Country, State string
	Geometry       orb.MultiPolygon
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

// BrandRule is a row of staged.brand_rule.
type BrandRule struct {
	BrandID, BrandName, Wikidata string
	Key, Value                   string
	Names                        []string
	Countries                    []string
	Tags                         map[string]string
}
