package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	Version int64  `json:"version"` // of the request that was built
	GeogID  string `json:"geog_id"` // "" where it cannot be built
	Problem string `json:"problem"` // why not, for the operator; "" where it was built
}

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

// ReadRequests reads a requests file and returns it with its SHA-256 in lower-case hex.
func ReadRequests(path string) (*Requests, string, error) {
	r := new(Requests)
	sum, err := readCanonical(path, r)
	if err == nil && r.Schema != RequestsSchema {
		err = fmt.Errorf("read %s: schema %d, this program reads %d", path, r.Schema, RequestsSchema)
	}
	return r, sum, err
}

// ReadOutcomes reads the outcomes of a component private.
func ReadOutcomes(path string) (*Outcomes, error) {
	o := new(Outcomes)
	_, err := readCanonical(path, o)
	if err == nil && o.Schema != RequestsSchema {
		err = fmt.Errorf("read %s: schema %d, this program reads %d", path, o.Schema, RequestsSchema)
	}
	return o, err
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
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	if canonical, err := value.Encode(); err != nil || !bytes.Equal(canonical, data) {
		return "", fmt.Errorf("read %s: %w", path, errors.Join(errors.New("not in canonical form"), err))
	}
	return sumOf(data), nil
}
