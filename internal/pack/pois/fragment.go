package pois

import (
	"bytes"
	"encoding/json"
	"fmt"

	"quartier/internal/coord"
	"quartier/schemas"
)

// fragment is the JSON of a POI, which differs between answers only in the distance, in three pieces: the enhanced object
// between opening and beforeDistance, the rest of it after the distance, which many POIs share, and the base object up to its
// distance, which is followed by two braces.
type fragment struct {
	head, tail, base []byte
}

// What is the same in the JSON of all POIs.
const (
	opening        = `{"name":"`
	beforeDistance = `,"proximity":{"linear_distance_m":`
	baseTail       = "}}"
)

// The same as arrays, which are copied without a call.
var (
	openingBytes        = [len(opening)]byte([]byte(opening))
	beforeDistanceBytes = [len(beforeDistance)]byte([]byte(beforeDistance))
)

// The positions of the distance. In encoded JSON a quote inside a string has a backslash before it, so that neither can
// be inside a name.
var (
	enhancedGap = []byte(beforeDistance + `0},"`)
	baseGap     = []byte(`,"proximity":{"linear_distance":0}}`)
)

// encoder makes fragments. It does not escape <, > and &, which JSON does not require.
type encoder struct {
	buffer bytes.Buffer
}

func (e *encoder) encode(value any) ([]byte, error) {
	e.buffer.Reset()
	enc := json.NewEncoder(&e.buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(e.buffer.Bytes(), []byte("\n")), nil
}

// fragment encodes r at p.
func (e *encoder) fragment(r *Record, p coord.Point) (fragment, error) {
	var f fragment
	data, err := e.encode(enhanced(r, p))
	if err != nil {
		return f, err
	}
	at := bytes.Index(data, enhancedGap)
	if at < 0 || !bytes.HasPrefix(data, []byte(opening)) {
		return f, fmt.Errorf("no name or no distance in %s", data)
	}
	f.head, f.tail = bytes.Clone(data[len(opening):at]), bytes.Clone(data[at+len(beforeDistance)+1:])
	if len(r.BaseCategories) == 0 {
		return f, nil
	}
	if data, err = e.encode(base(r, p)); err != nil {
		return f, err
	}
	head, ok := bytes.CutSuffix(data, baseGap)
	if !ok {
		return f, fmt.Errorf("no distance in %s", data)
	}
	f.base = bytes.Clone(data[:len(head)+bytes.IndexByte(baseGap, '0')])
	return f, nil
}

func enhanced(r *Record, p coord.Point) schemas.EnhancedPOI {
	lng, lat := p.Degrees()
	return schemas.EnhancedPOI{
		Name: r.Name, Address: r.Address, City: r.City, State: r.State, PostalCode: r.PostalCode,
		Phone: r.Phone, URL: r.URL, Attributes: r.Attributes, Suite: r.Suite, Country: r.Country, Lat: lat, Lng: lng,
		Categories: r.Categories, Brands: present(r.Brands), Tags: present(r.Tags),
	}
}

func base(r *Record, p coord.Point) schemas.BasePOI {
	lng, lat := p.Degrees()
	return schemas.BasePOI{
		Name: r.Name, Address: r.Address, City: r.City, Province: r.State, PostalCode: r.PostalCode,
		Country: r.Country, Lat: lat, Lng: lng, URL: r.URL, Attributes: r.Attributes,
	}
}

// present is an empty list instead of an absent one, which JSON distinguishes.
func present(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
