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

// entry is a member of Overpass JSON's list of elements.
type entry struct {
	Type     string            `json:"type"`
	ID       int64             `json:"id"`
	Lat      *float64          `json:"lat"`
	Lon      *float64          `json:"lon"`
	Center   *latLon           `json:"center"`
	Bounds   *bounds           `json:"bounds"`
	Geometry []*latLon         `json:"geometry"` // null where the query's box cut the way
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
	Geometry []*latLon `json:"geometry"`
}

func (l *latLon) point() (orb.Point, bool) {
	if l == nil || l.Lat == nil || l.Lon == nil {
		return orb.Point{}, false
	}
	return orb.Point{*l.Lon, *l.Lat}, true
}

// line is the whole geometry; false where a part is missing.
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
	dec := json.NewDecoder(geojson.WithoutMark(r))
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
		return bad(errors.New("something stands behind the object"))
	}
	return nil
}

// checkMember passes over a member beside the list; a remark about an error means that the list is not complete.
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
		return bad(errors.New("elements is not a list"))
	}
	for n := 1; dec.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return bad(fmt.Errorf("behind element %d: %w", n-1, err))
		}
		c.out.Read(1)
		where := fmt.Sprintf("%s element %d", c.file, n)
		var e entry
		if !utf8.Valid(raw) {
			c.out.Issue(source.Uncoded(source.Rejected, "not UTF-8"), where)
		} else if json.Unmarshal(raw, &e) != nil {
			c.out.Issue(source.Uncoded(source.Rejected, "not an element"), where)
		} else {
			c.addElement(&e, where)
		}
	}
	if _, err := dec.Token(); err != nil {
		return bad(err)
	}
	return nil
}

// addElement takes an element in.
func (c *collection) addElement(e *entry, where string) {
	id, ok := newID(e.Type, e.ID)
	if !ok {
		c.out.Issue(source.Uncoded(source.Rejected, "no type and id of OpenStreetMap"), where)
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

// center is the point that the file gives for an object; nil where there is none.
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
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ends in the middle")
	}
	return fmt.Errorf("%w: not an Overpass export: %w", source.ErrBadFile, err)
}
