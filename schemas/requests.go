package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// maxRequestsBytes bounds a requests file: some 100,000 boundaries of 40 kB.
const maxRequestsBytes = 4 << 30

// Requests is what a general update builds: the custom geographies of all customers that are or will be published, as they
// were when the update started. It is a source of a build, in canonical JSON.
type Requests struct {
	Schema   int       `json:"schema"` // RequestsSchema
	Update   int64     `json:"update"` // number of the general update, from 1
	AsOf     string    `json:"as_of"`  // day on which it started, YYYY-MM-DD in UTC
	Requests []Request `json:"requests"`
}

// RequestsSchema is the version of the layout of requests files.
const RequestsSchema = 1

// What a general update does with a request.
const (
	KeepRequest      = "keep"      // it is published, and was not edited since
	PublishRequest   = "publish"   // it is new or was edited
	DeprecateRequest = "deprecate" // it answers by its id from now on, and is found no more; also those deprecated before
)

// Request is a custom geography in a requests file.
type Request struct {
	ID         string `json:"geo_entity_id"` // UUID
	Customer   string `json:"customer"`
	Version    int64  `json:"version"` // of the request that was frozen, from 1
	Action     string `json:"action"`  // KeepRequest, PublishRequest or DeprecateRequest
	NameEN     string `json:"name_en"`
	NameFR     string `json:"name_fr"`    // "": none
	Type       string `json:"type"`       // of the contract's list, such as NEIGHBORHOOD
	Boundaries string `json:"boundaries"` // WKT: one POLYGON with one ring
	GeogID     string `json:"geog_id"`    // of its last publication; "": none
}

// Outcome is what a build made of a request.
type Outcome struct {
	ID      string `json:"geo_entity_id"`
	Version int64  `json:"version"`        // of the request that was built
	GeogID  string `json:"geog_id"`        // "" where it cannot be built
	Problem string `json:"problem"`        // why not, for the operator and the customer; "" where it was built
	Code    string `json:"code,omitempty"` // of the reason; "": CannotBeBuilt
}

// CannotBeBuilt is the code of a problem that has none of its own.
const CannotBeBuilt = "cannot_be_built"

// Outcomes is what a component private says of each request of its requests file, in canonical JSON.
type Outcomes struct {
	Schema   int       `json:"schema"`   // RequestsSchema
	Update   int64     `json:"update"`   // of the requests file
	Requests string    `json:"requests"` // SHA-256 of the requests file
	Outcomes []Outcome `json:"outcomes"` // in the order of the file
}

// Encode returns the canonical form of r.
func (r *Requests) Encode() ([]byte, error) {
	full := *r
	full.Requests = present(r.Requests)
	return canonicalJSON(&full)
}

// Encode returns the canonical form of o.
func (o *Outcomes) Encode() ([]byte, error) {
	full := *o
	full.Outcomes = present(o.Outcomes)
	return canonicalJSON(&full)
}

// Check returns an error that lists what is invalid in r, up to ten of the requests.
func (r *Requests) Check() error {
	var problems []error
	if r.Schema != RequestsSchema {
		return fmt.Errorf("schema %d, this program reads %d", r.Schema, RequestsSchema)
	}
	if r.Update < 1 || !validDate(r.AsOf) {
		problems = append(problems, fmt.Errorf("update %d of %q", r.Update, r.AsOf))
	}
	first := map[string]int{}
	for i := range r.Requests {
		q := &r.Requests[i]
		err := q.check()
		if at, twice := first[q.ID]; twice && err == nil {
			err = fmt.Errorf("the same geo_entity_id as request %d", at+1)
		}
		first[q.ID] = i
		if err != nil {
			problems = append(problems, fmt.Errorf("request %d, geo_entity_id %q: %w", i+1, q.ID, err))
		}
		if len(problems) == 10 {
			break
		}
	}
	return errors.Join(problems...)
}

var requestIDForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z-]{0,63}$`)

// check returns the first thing that is invalid. Boundaries are checked by the build.
func (r *Request) check() error {
	_, published := LevelOfGeogID(r.GeogID)
	switch {
	case !requestIDForm.MatchString(r.ID):
		return errors.New("it is not an id")
	case r.Customer == "" || !plain(r.Customer):
		return errors.New("the customer is missing or not plain text")
	case r.Version < 1:
		return fmt.Errorf("version %d", r.Version)
	case r.Action != KeepRequest && r.Action != PublishRequest && r.Action != DeprecateRequest:
		return fmt.Errorf("unknown action %q", r.Action)
	case r.NameEN == "" || !plain(r.NameEN) || !plain(r.NameFR):
		return errors.New("the name is missing or not plain text")
	case !slices.Contains(CustomGeographyTypes, r.Type):
		return fmt.Errorf("unknown type %q", r.Type)
	case r.GeogID != "" && !published:
		return fmt.Errorf("%q is not a geog_id", r.GeogID)
	}
	return nil
}

// ReadRequests reads a requests file and returns it with its SHA-256 in lower-case hex.
func ReadRequests(path string) (*Requests, string, error) {
	r := new(Requests)
	sum, err := readCanonical(path, r)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", path, err)
	}
	return r, sum, nil
}

// ReadOutcomes reads the outcomes of a component private.
func ReadOutcomes(path string) (*Outcomes, error) {
	o := new(Outcomes)
	_, err := readCanonical(path, o)
	if err == nil && o.Schema != RequestsSchema {
		err = fmt.Errorf("schema %d, this program reads %d", o.Schema, RequestsSchema)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return o, nil
}

// readCanonical reads a file in canonical JSON into value and returns its SHA-256.
func readCanonical(path string, value interface{ Encode() ([]byte, error) }) (sum string, err error) {
	data, err := readWhole(path, maxRequestsBytes)
	if err != nil {
		return "", err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(value); err != nil {
		return "", err
	}
	if canonical, err := value.Encode(); err != nil || !bytes.Equal(canonical, data) {
		return "", errors.Join(errors.New("not in canonical form"), err)
	}
	return sumOf(data), nil
}
