package overpass

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
)

// entry is an element of Overpass JSON.
type entry struct {
	Type     string            `json:"type"`
	ID       int64             `json:"id"`
	Lat      *float64          `json:"lat"`
	Lon      *float64          `json:"lon"`
	Center   *latLon           `json:"center"`
	Bounds   *bounds           `json:"bounds"`
	Geometry []*latLon         `json:"geometry"` // null outside of the query's box
	Nodes    []int64           `json:"nodes"`
	Members  []member          `json:"members"`
	Tags     map[string]string `json:"tags"`
}

type latLon struct {
	Lat *float64 `json:"lat"`
	Lon *float64 `json:"lon"`
}

type bounds struct {
	MinLat, MinLon, MaxLat, MaxLon float64
}

type member struct {
	Type     string    `json:"type"`
	Ref      int64     `json:"ref"`
	Role     string    `json:"role"`
	Lat      *float64  `json:"lat"`
	Lon      *float64  `json:"lon"`
	Geometry []*latLon `json:"geometry"`
}

func (l *latLon) point() (orb.Point, bool) {
	if l == nil || l.Lat == nil || l.Lon == nil {
		return orb.Point{}, false
	}
	return orb.Point{*l.Lon, *l.Lat}, true
}

// line returns the points of a geometry; false if one is missing.
func line(geometry []*latLon) (orb.LineString, bool) {
	points := make(orb.LineString, 0, len(geometry))
	for _, at := range geometry {
		p, ok := at.point()
		if !ok {
			return nil, false
		}
		points = append(points, p)
	}
	return points, len(points) > 0
}

// readElements reads an Overpass JSON file.
func (c *collection) readElements(ctx context.Context, r io.Reader) error {
	dec := geojson.NewDecoder(r, c.limits)
	if _, err := dec.Token(); err != nil {
		return bad(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return bad(err)
		}
		if key == "elements" {
			err = c.readList(ctx, dec)
		} else {
			err = checkMember(dec, key)
		}
		if err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return bad(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return bad(errors.New("unexpected data after the object"))
	}
	return nil
}

// checkMember skips a member other than the list; a remark about an error means that the list is incomplete.
func checkMember(dec *json.Decoder, key json.Token) error {
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return bad(err)
	}
	var remark string
	if key == "remark" && json.Unmarshal(value, &remark) == nil && strings.Contains(strings.ToLower(remark), "error") {
		return fmt.Errorf("%w: Overpass did not finish: %s", source.ErrBadFile, remark)
	}
	return nil
}

func (c *collection) readList(ctx context.Context, dec *json.Decoder) error {
	if token, err := dec.Token(); err != nil || token != json.Delim('[') {
		return bad(errors.New("elements is not an array"))
	}
	for n := 1; dec.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return bad(fmt.Errorf("after element %d: %w", n-1, err))
		}
		c.out.Read(1)
		where := fmt.Sprintf("%s element %d", c.file, n)
		var e entry
		if !utf8.Valid(raw) {
			c.out.Issue(source.InvalidUTF8, where)
		} else if json.Unmarshal(raw, &e) != nil {
			c.out.Issue(source.MalformedRecord, where)
		} else {
			c.addElement(&e, where)
		}
	}
	if _, err := dec.Token(); err != nil {
		return bad(err)
	}
	return nil
}

// addElement adds an element.
func (c *collection) addElement(e *entry, where string) {
	id, ok := newID(e.Type, e.ID)
	if !ok {
		c.out.Issue(source.MissingKey, where)
		return
	}
	o := c.object(id, e.Tags, where)
	switch id.kind {
	case element.Nodes:
		if p, ok := (&latLon{e.Lat, e.Lon}).point(); ok {
			c.addNode(e.ID, p)
		}
	case element.Ways:
		c.addWay(e)
	case element.Relations:
		if c.relations[e.ID] == nil && e.Members != nil {
			c.relations[e.ID] = e.Members
		}
	}
	if o.center == nil {
		o.center = e.center()
	}
}

// center returns the point of an object in the file; nil if there is none.
func (e *entry) center() *orb.Point {
	if p, ok := e.Center.point(); ok {
		return &p
	}
	if b := e.Bounds; b != nil && b.MinLat <= b.MaxLat && b.MinLon <= b.MaxLon {
		return &orb.Point{(b.MinLon + b.MaxLon) / 2, (b.MinLat + b.MaxLat) / 2}
	}
	return nil
}

func bad(err error) error {
	if errors.Is(err, source.ErrTooLarge) {
		return err
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("unexpected end of file")
	}
	return fmt.Errorf("%w: not an Overpass export: %w", source.ErrBadFile, err)
}
