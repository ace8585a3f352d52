package staged

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/schemas/reason"
)

// sink is the source.Sink of one source. It holds counts and the hashes of keys, never rows.
type sink struct {
	ctx          context.Context
	file         *File
	source       Source
	appenders    appenders
	read, staged int64
	issues       map[reason.Reason]*Issue
	pois, rules  keySet
	keys         map[string]keySet   // of the other tables
	areas        map[string]*cellSet // cells staged of areas
	area         struct {            // of them the latest
		key   string
		cells *cellSet
	}
	tiles  int   // of elevation
	failed error // the first error that is for the stage as a whole
}

// keySet remembers keys by 16 bytes of their SHA-256.
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

// Read counts rows of the file.
func (s *sink) Read(n int) { s.read += int64(n) }

// Issue counts one row by reason and keeps the first example.
func (s *sink) Issue(why reason.Reason, where string) {
	why.Detail = printable(why.Detail)
	issue := s.issues[why]
	if issue == nil {
		issue = &Issue{Reason: why, Example: printable(where)}
		s.issues[why] = issue
	}
	issue.Rows++
}

// printable makes a text fit for a table and a terminal: UTF-8, one line, nothing that a terminal obeys, not endless.
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

// Boundary stages a boundary, mended where that is needed.
func (s *sink) Boundary(b source.Boundary) error {
	if err := s.proceed(); err != nil {
		return err
	}
	where := fmt.Sprintf("%s %q", b.Key, b.NameEN)
	b.NameEN, b.NameFR = strings.TrimSpace(b.NameEN), strings.TrimSpace(b.NameFR)
	if b.NameFR == b.NameEN {
		b.NameFR = ""
	}
	if why := boundaryFault(b); !why.OK() {
		s.Issue(why, where)
		return nil
	}
	outline, err := s.outline(b.Geometry, where)
	if outline == nil || err != nil {
		return s.fail(err)
	}
	if !s.file.boundaries.add(b.Key) {
		s.Issue(source.DuplicateKey, where)
		return nil
	}
	var population driver.Value
	if b.Population != nil {
		population = *b.Population
	}
	return s.append("boundary", s.source.ID, b.Key, int32(b.Level), b.NameEN, duck.Null(b.NameFR),
		duck.Null(b.Country), duck.Null(b.State), population, outline)
}

// Coverage stages the extent of a source's data.
func (s *sink) Coverage(c source.Coverage) error {
	if err := s.proceed(); err != nil {
		return err
	}
	where := "coverage of " + c.Country + " " + c.State
	if !twoLetters(c.Country) || !twoLetters(c.State) {
		s.Issue(missingStateCode, where)
		return nil
	}
	outline, err := s.outline(c.Geometry, where)
	if outline == nil || err != nil {
		return s.fail(err)
	}
	return s.append("coverage", s.source.ID, c.Country, c.State, outline)
}

// POI stages a point of interest.
func (s *sink) POI(p source.POI) error {
	if err := s.proceed(); err != nil {
		return err
	}
	where := strings.TrimSpace(p.Key + " " + p.Name)
	if why := poiFault(&p); !why.OK() {
		s.Issue(why, where)
		return nil
	}
	if !s.pois.add(p.Key) {
		s.Issue(source.DuplicateKey, where)
		return nil
	}
	classes, err := classesJSON(p)
	if err != nil {
		return s.fail(fmt.Errorf("classes of %s: %w", p.Key, err))
	}
	confidence := s.within(p.Confidence, 1, source.ConfidenceRemoved, where)
	area := s.within(p.AreaM2, 1e15, areaRemoved, where)
	return s.append("poi", s.source.ID, p.Key, p.Point[0], p.Point[1], duck.Null(p.Name), duck.Null(p.NameFR), p.Scheme, classes,
		duck.Null(p.Brand), duck.Null(p.BrandWikidata), duck.Null(p.Operator), duck.Null(p.HouseNumber), duck.Null(p.Street),
		duck.Null(p.Address), duck.Null(p.Unit), duck.Null(p.City), duck.Null(p.State), duck.Null(p.Postal), duck.Null(p.Country),
		duck.Null(p.Phone), duck.Null(p.URL), confidence, area)
}

// within passes a number from 0 to most on; another one is left out and the row counted as repaired.
func (s *sink) within(n *float64, most float64, why reason.Reason, where string) driver.Value {
	if n == nil {
		return nil
	}
	if !(*n >= 0 && *n <= most) {
		s.Issue(why, where)
		return nil
	}
	return *n
}

// BrandRule stages a rule of a brand.
func (s *sink) BrandRule(r source.BrandRule) error {
	if err := s.proceed(); err != nil {
		return err
	}
	where := r.Key + "=" + r.Value + " " + r.BrandName
	if why := ruleFault(r); !why.OK() {
		s.Issue(why, where)
		return nil
	}
	if !s.rules.add(r.Key, r.Value, r.BrandID) {
		s.Issue(source.DuplicateKey, where)
		return nil
	}
	names, countries, tags, err := ruleJSON(r)
	if err != nil {
		return s.fail(fmt.Errorf("brand rule %s: %w", where, err))
	}
	return s.append("brand_rule", s.source.ID, r.BrandID, r.BrandName, duck.Null(r.Wikidata), r.Key, r.Value, names, countries, tags)
}

// outline checks and mends a geometry and returns its WKB; nil where the row was rejected.
func (s *sink) outline(g orb.MultiPolygon, where string) ([]byte, error) {
	if why := outOfRange(g); !why.OK() {
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
		return nil, fmt.Errorf("check outline of %s: %w", where, err)
	}
	if !flaw.OK() {
		if flaw.HasAt {
			where = fmt.Sprintf("%s at %.7f %.7f", where, flaw.At[0], flaw.At[1])
		}
		s.Issue(source.InvalidGeometryRepaired.With(flaw.Reason), where)
	}
	return geo.WKB(valid)
}

// proceed stops a reader whose stage failed or was cancelled.
func (s *sink) proceed() error {
	if s.failed == nil {
		s.failed = s.ctx.Err()
	}
	return s.failed
}

func (s *sink) fail(err error) error {
	if s.failed == nil {
		s.failed = err
	}
	return err
}

func (s *sink) append(table string, values ...driver.Value) error {
	if err := s.appenders.row(s.ctx, s.file.db, table, values); err != nil {
		return s.fail(err)
	}
	s.staged++
	return nil
}

func (s *sink) close() error { return s.appenders.close() }

func (s *sink) summary() Summary {
	return Summary{Read: s.read, Staged: s.staged, Issues: sorted(s.issues)}
}

// classesJSON is the vocabulary column of a POI: an object of tags, or a list with the primary class first.
func classesJSON(p source.POI) (string, error) {
	if p.Scheme == schemeOSM {
		return encode(p.Tags)
	}
	return encode(p.Classes)
}

// ruleJSON is the three JSON columns of a brand rule; nothing is [] or {}.
func ruleJSON(r source.BrandRule) (names, countries, tags string, err error) {
	if r.Countries == nil {
		r.Countries = []string{}
	}
	if r.Tags == nil {
		r.Tags = map[string]string{}
	}
	if names, err = encode(r.Names); err != nil {
		return
	}
	if countries, err = encode(r.Countries); err != nil {
		return
	}
	tags, err = encode(r.Tags)
	return
}

// encode writes JSON with sorted keys and with <, > and & as they are.
func encode(v any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}
