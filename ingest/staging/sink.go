package staging

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/schemas/reason"
)

// sink is the source.Sink of one source. It keeps counts and hashes of keys, but no rows.
type sink struct {
	file      *File
	source    string       // source_id
	cancelled func() error // of the stage's context
	writers   map[string]io.Closer
	parts     map[string]*tally // by name
	part      *tally            // that of the current rows
	tables    map[string]*tally // rows passed to Row, by type
	table     *tally            // of the current row; nil outside of Row
	issues    map[reason.Reason]*Issue
	current   source.Row
	misplaced source.Misplaced
	keys      map[string]keySet   // by table
	cells     map[string]*cellSet // of statistics, by area
	lastArea  string              // of the last statistic
	lastCells *cellSet
	tiles     int32 // of rasters so far
	extent    extent
	listed    int64 // places whose scheme has a list of categories
	unknown   int64 // those with a category that is not in it
	failed    error // the first error that ends the stage
}

// keySet is a set of keys, each as 16 bytes of its SHA-256.
type keySet map[[16]byte]struct{}

// add reports whether the key is new.
func (s keySet) add(parts ...string) bool {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	key := [16]byte(sum[:16])
	if _, known := s[key]; known {
		return false
	}
	s[key] = struct{}{}
	return true
}

// Row checks a row and stages it.
func (s *sink) Row(row source.Row) error {
	if staged, err := s.stageSchedule(row); staged {
		return err
	}
	s.table, s.current = tallyOf(s.tables, tableName(row)), row
	defer func() { s.table = nil }()
	return s.row(row)
}

func (s *sink) row(row source.Row) error {
	switch v := row.(type) {
	case source.Boundary:
		return s.stageBoundary(v)
	case source.GazetteerPlace:
		return s.stageGazetteerPlace(v)
	case source.Correction:
		return s.stageCorrection(v)
	case source.POI:
		return s.stagePOI(v)
	case source.BrandRule:
		return s.stageBrandRule(v)
	case source.Street:
		return s.stageStreet(v)
	case source.Bikeway:
		return s.stageBikeway(v)
	case source.TrafficCount:
		return s.stageTrafficCount(v)
	case source.Feature:
		return s.stageFeature(v)
	case source.Ground:
		return s.stageGround(v)
	case source.Timetable:
		return s.stageTimetable(v)
	case source.LineList:
		v.SourceID = s.source
		return put(s, "line_list", v, "list of lines", reason.Reason{}, "")
	case source.RouteShape:
		return s.stageRouteShape(v)
	case source.Stop:
		return s.stageStop(v)
	case source.Route:
		return s.stageRoute(v)
	case source.StopService:
		return s.stageStopService(v)
	case source.ElevationTile:
		return s.stageElevationTile(v)
	case source.LandCoverTile:
		return s.stageLandCoverTile(v)
	case source.Block:
		return s.stageBlock(v)
	case source.Home:
		return s.stageHome(v)
	case source.Job:
		return s.stageJob(v)
	case source.Address:
		return s.stageAddress(v)
	case source.AddressRange:
		return s.stageAddressRange(v)
	case source.Survey:
		return s.stageSurvey(v)
	case source.Statistic:
		return s.stageStatistic(v)
	case source.Zone:
		return s.stageZone(v)
	case source.HomeValue:
		return s.stageHomeValue(v)
	case source.School:
		return s.stageSchool(v)
	case source.Catchment:
		return s.stageCatchment(v)
	case source.SchoolRating:
		return s.stageSchoolRating(v)
	}
	return s.fail(fmt.Errorf("rows of type %T are not staged", row))
}

// Part begins a part of the source.
func (s *sink) Part(name string) { s.part = tallyOf(s.parts, name) }

// Read counts rows of the file.
func (s *sink) Read(n int) { s.part.read += int64(n) }

// Issue counts one row by reason and keeps the first example.
func (s *sink) Issue(why reason.Reason, where string) {
	why.Detail = printable(why.Detail)
	if why.Severity == reason.Rejected {
		s.part.reject(why, printable(where))
		if s.table != nil {
			s.table.reject(why, printable(where))
			if p, placed := position(s.current); placed &&
				(why.Code == source.CoordinateOutOfRange.Code || why.Code == source.OutsideNorthAmerica.Code) {
				s.misplaced.Add(p)
			}
		}
	}
	issue := s.issues[why]
	if issue == nil {
		issue = &Issue{Reason: why, Example: printable(where)}
		s.issues[why] = issue
	}
	issue.Rows++
}

// printable makes a text safe for a table and a terminal: one line of UTF-8 without control characters, truncated to
// 300 characters.
func printable(text string) string {
	const longest = 300
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return text
}

// accept reports whether a row may be staged: it has no fault and its key is new in the table. A row that may not is
// counted as an issue. No key means that keys are not checked. The error is that of a stage that failed or was
// cancelled.
func (s *sink) accept(table, where string, fault reason.Reason, key ...string) (bool, error) {
	if err := s.checkContext(); err != nil {
		return false, err
	}
	if fault.OK() && len(key) > 0 {
		if s.keys[table] == nil {
			s.keys[table] = keySet{}
		}
		if !s.keys[table].add(key...) {
			fault = source.DuplicateKey
		}
	}
	if !fault.OK() {
		s.Issue(fault, where)
		return false, nil
	}
	return true, nil
}

// checkContext returns the error of a stage that failed or was cancelled.
func (s *sink) checkContext() error {
	if s.failed == nil {
		s.failed = s.cancelled()
	}
	return s.failed
}

// fail records an error that ends the stage.
func (s *sink) fail(err error) error {
	if s.failed == nil {
		s.failed = err
	}
	return err
}

// put stages a row of a table if accept does.
func put[T any](s *sink, table string, row T, where string, fault reason.Reason, key ...string) error {
	if ok, err := s.accept(table, where, fault, key...); !ok {
		return err
	}
	return write(s, table, row)
}

// write stages a row of a table and counts it.
func write[T any](s *sink, table string, row T) error {
	if err := add(s, table, row); err != nil {
		return err
	}
	s.part.staged++
	if s.table != nil {
		s.table.staged++
	}
	return nil
}

// add stages a row of a table.
func add[T any](s *sink, table string, row T) error {
	w, open := s.writers[table].(*duck.Writer[T])
	if !open {
		var err error
		if w, err = duck.NewWriter[T](context.Background(), s.file.db, table); err != nil {
			return s.fail(err)
		}
		s.writers[table] = w
	}
	if err := w.Row(row); err != nil {
		return s.fail(err)
	}
	return nil
}

// close flushes every table, even after one of them failed.
func (s *sink) close() error {
	var errs []error
	for _, table := range slices.Sorted(maps.Keys(s.writers)) {
		errs = append(errs, s.writers[table].Close())
	}
	return errors.Join(errs...)
}

func (s *sink) summary() Summary {
	sum := Summary{Issues: sorted(s.issues), Where: s.extent.Whereabouts}
	for _, p := range s.parts {
		sum.Read, sum.Staged = sum.Read+p.read, sum.Staged+p.staged
	}
	return sum
}

// allParts returns the parts of the source by name, then the rows of each type.
func (s *sink) allParts() (list []part) {
	for _, tallies := range []map[string]*tally{s.parts, s.tables} {
		for _, name := range slices.Sorted(maps.Keys(tallies)) {
			list = append(list, part{name, *tallies[name]})
		}
	}
	return list
}

// outline repairs an outline where necessary and returns its WKB; nil where the row was rejected.
func (s *sink) outline(g orb.MultiPolygon, where string) ([]byte, error) {
	if why := checkRange(g); !why.OK() {
		s.Issue(why, where)
		return nil, nil
	}
	valid, flaw, err := s.file.kernel.MakeValid(g)
	switch {
	case errors.Is(err, spatialite.ErrZeroArea):
		s.Issue(source.ZeroArea, where)
		return nil, nil
	case errors.Is(err, spatialite.ErrNotFinite):
		s.Issue(source.InvalidCoordinate, where)
		return nil, nil
	case errors.Is(err, spatialite.ErrUnrepairable):
		s.Issue(source.UnrepairableGeometry.With(flaw.Reason), where)
		return nil, nil
	case err != nil:
		return nil, s.fail(fmt.Errorf("check outline of %s: %w", where, err))
	}
	if !flaw.OK() {
		if flaw.HasAt {
			where = fmt.Sprintf("%s at %.7f %.7f", where, flaw.At[0], flaw.At[1])
		}
		s.Issue(source.InvalidGeometryRepaired.With(flaw.Reason), where)
	}
	wkb, err := geo.WKB(valid)
	if err != nil {
		return nil, s.fail(err)
	}
	return wkb, nil
}

// inRange returns a number if it is between 0 and limit; otherwise nil, and counts the row as repaired.
func (s *sink) inRange(n *float64, limit float64, repaired reason.Reason, where string) *float64 {
	if n == nil || *n >= 0 && *n <= limit {
		return n
	}
	s.Issue(repaired, where)
	return nil
}

// encode returns JSON with sorted keys, without escaping <, > and &.
func encode(v any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}
