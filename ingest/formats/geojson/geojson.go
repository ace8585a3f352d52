// Package geojson reads the features of a GeoJSON file one at a time, with their properties as JSON. It is stricter than
// other decoders: a null or missing coordinate is an error and never 0.
package geojson

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Feature is one member of the collection.
type Feature struct {
	Number     int             // position in the file, from 1
	ID         string          // the id member, a number as it is written; "": none
	Properties json.RawMessage // an object; nil: none
	Geometry   orb.Geometry    // as written; nil: null or none
}

// FeatureError is the error of a feature that cannot be read; the reader continues after it. Of one whose geometry alone cannot,
// Next returns the rest too.
type FeatureError struct {
	Number int // position in the file, from 1
	Reason reason.Reason
}

// Reasons are the reasons of FeatureError.
func Reasons() []reason.Reason {
	return []reason.Reason{
		source.InvalidUTF8, source.MalformedRecord, source.UnreadableGeometry, source.UnsupportedGeometryType, source.InvalidCoordinate,
	}
}

func (e *FeatureError) Error() string { return fmt.Sprintf("feature %d: %s", e.Number, e.Reason) }

// Reader reads a feature collection, or a file with one feature per line.
type Reader struct {
	// CRS is the name of the file's reference system if a crs member precedes the features, else "".
	CRS string

	buffered *bufio.Reader
	dec      *json.Decoder
	limits   source.Limits
	number   int
	state    state
}

type state int

const (
	atStart    state = iota // nothing read
	inFeatures              // between two features of the list
	inLines                 // between two lines
	atEnd
)

// NewReader reads from r; a byte order mark is skipped, and so are the record separators of GeoJSONSeq (RFC 8142).
func NewReader(r io.Reader, limits source.Limits) *Reader {
	buffered := withoutMark(separators{r})
	return &Reader{buffered: buffered, dec: newDecoder(buffered, limits), limits: limits}
}

// separators replaces the character RS by a space. JSON has it nowhere else: in texts it is escaped.
type separators struct{ io.Reader }

// Read reads and replaces.
func (s separators) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	for i, c := range p[:n] {
		if c == 0x1e {
			p[i] = ' '
		}
	}
	return n, err
}

// withoutMark reads JSON after the byte order mark, if there is one.
func withoutMark(r io.Reader) *bufio.Reader {
	buffered := bufio.NewReaderSize(r, 256<<10)
	if mark, _ := buffered.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		buffered.Discard(3)
	}
	return buffered
}

// Next returns the next feature. The error is io.EOF after the last one of a complete file, a *FeatureError for a feature
// that cannot be read, and one that wraps source.ErrBadFile if the file cannot be read further.
func (r *Reader) Next() (Feature, error) {
	if r.state == atStart {
		if err := r.start(); err != nil {
			return Feature{}, bad(err)
		}
	}
	switch r.state {
	case inFeatures:
		if r.dec.More() {
			return r.feature()
		}
		if err := r.finish(); err != nil {
			return Feature{}, bad(err)
		}
	case inLines:
		return r.feature()
	}
	return Feature{}, io.EOF
}

// start reads up to the first feature.
func (r *Reader) start() error {
	if line, ok := r.peekLine(); ok && isFeature(line) {
		r.state = inLines
		return nil
	}
	if err := r.expect('{'); err != nil {
		return err
	}
	return r.members()
}

// peekLine returns the first line, if it ends within the buffer.
func (r *Reader) peekLine() ([]byte, bool) {
	head, _ := r.buffered.Peek(r.buffered.Size())
	line, _, found := bytes.Cut(head, []byte("\n"))
	return line, found || len(head) < r.buffered.Size()
}

func isFeature(line []byte) bool {
	var f struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(line, &f) == nil && f.Type == "Feature"
}

// members reads members of the collection up to the list of features or to the end.
func (r *Reader) members() error {
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return err
		}
		switch key {
		case "features":
			r.state = inFeatures
			return r.expect('[')
		case "type":
			var kind string
			if err := r.dec.Decode(&kind); err != nil {
				return err
			}
			if kind != "FeatureCollection" {
				return fmt.Errorf("type is %q, not FeatureCollection", kind)
			}
		case "crs":
			var crs struct {
				Properties struct {
					Name string `json:"name"`
				} `json:"properties"`
			}
			if err := r.dec.Decode(&crs); err != nil {
				return err
			}
			r.CRS = crs.Properties.Name
		default:
			var skipped json.RawMessage
			if err := r.dec.Decode(&skipped); err != nil {
				return err
			}
		}
	}
	if r.state == atStart {
		if err := r.expect('}'); err != nil {
			return err
		}
		return errors.New("no array of features")
	}
	return nil
}

// finish reads the members after the features.
func (r *Reader) finish() error {
	if err := r.expect(']'); err != nil {
		return err
	}
	for r.dec.More() {
		var skipped json.RawMessage
		if _, err := r.dec.Token(); err != nil {
			return err
		}
		if err := r.dec.Decode(&skipped); err != nil {
			return err
		}
	}
	if err := r.expect('}'); err != nil {
		return err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return errors.New("unexpected data after the collection")
	}
	r.state = atEnd
	return nil
}

func (r *Reader) expect(want json.Delim) error {
	token, err := r.dec.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("%v instead of %q at byte %d", token, want, r.dec.InputOffset())
	}
	return nil
}

// feature reads one feature; io.EOF after the last line. After a syntax error the file cannot be read further; other errors are of one
// feature.
func (r *Reader) feature() (Feature, error) {
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		if err == io.EOF && r.state == inLines {
			r.state = atEnd
			return Feature{}, io.EOF
		}
		if errors.Is(err, source.ErrTooLarge) {
			return Feature{}, r.limits.FeatureTooLarge(fmt.Sprintf("feature %d", r.number+1))
		}
		return Feature{}, bad(fmt.Errorf("after feature %d: %w", r.number, err))
	}
	r.number++
	f := Feature{Number: r.number}
	if why := f.parse(raw); !why.OK() {
		return f, &FeatureError{Number: r.number, Reason: why}
	}
	return f, nil
}

func (f *Feature) parse(raw json.RawMessage) (why reason.Reason) {
	if !utf8.Valid(raw) {
		return source.InvalidUTF8
	}
	var members struct {
		ID         json.RawMessage `json:"id"`
		Properties json.RawMessage `json:"properties"`
		Geometry   json.RawMessage `json:"geometry"`
	}
	if json.Unmarshal(raw, &members) != nil {
		return source.MalformedRecord
	}
	if len(members.ID) > 0 && members.ID[0] == '"' {
		json.Unmarshal(members.ID, &f.ID)
	} else if id := string(members.ID); id != "null" {
		f.ID = id
	}
	if len(members.Properties) > 0 && members.Properties[0] == '{' {
		f.Properties = members.Properties
	}
	geometry, err := Geometry(members.Geometry)
	errors.As(err, &why)
	f.Geometry = geometry
	return why
}

func bad(err error) error {
	if errors.Is(err, source.ErrTooLarge) {
		return err
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("unexpected end of file")
	}
	return fmt.Errorf("%w: not GeoJSON: %w", source.ErrBadFile, err)
}
