package osmxml

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

// parser converts tokens to elements of a batch.
type parser struct {
	xml    *xml.Decoder
	input  *tokenInput
	depth  int  // open elements
	inside bool // the <osm> element
	want   element.Want
	limits source.Limits
	bound  *orb.Bound
	from   int64 // byte of the document at which the batch begins

	batch   element.Batch
	held    int // elements in the batch
	table   element.Table
	refs    []int64
	points  []orb.Point
	members []element.Member
}

func newParser(r io.Reader, want element.Want, limits source.Limits) *parser {
	input := &tokenInput{in: bufio.NewReaderSize(r, 64<<10)}
	return &parser{xml: xml.NewDecoder(input), input: input, want: want, limits: limits}
}

func (p *parser) reset() {
	b := &p.batch
	b.Nodes, b.Ways, b.Relations = b.Nodes[:0], b.Ways[:0], b.Relations[:0]
	b.NodeInfo, b.WayInfo, b.RelationInfo = b.NodeInfo[:0], b.WayInfo[:0], b.RelationInfo[:0]
	p.table.Names, p.table.Pairs = p.table.Names[:0], p.table.Pairs[:0]
	p.refs, p.points, p.members = p.refs[:0], p.points[:0], p.members[:0]
	p.held, p.from = 0, p.xml.InputOffset()
}

// next appends the next requested element to the batch and returns its kind, or io.EOF at the end of the document.
func (p *parser) next() (element.Kinds, error) {
	for {
		token, err := p.token()
		if err == io.EOF && p.inside {
			return 0, io.EOF
		}
		if err == io.EOF {
			err = errors.New("no <osm> element in the file")
		}
		if err != nil {
			return 0, p.fileError(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		kind, err := p.element(start)
		if err != nil {
			return 0, p.fileError(err)
		}
		if kind != 0 {
			p.held++
			return kind, nil
		}
	}
}

var names = map[string]element.Kinds{"node": element.Nodes, "way": element.Ways, "relation": element.Relations}

// element reads one child of <osm>; the kind is 0 if it is not a requested element.
func (p *parser) element(start xml.StartElement) (element.Kinds, error) {
	name := start.Name.Local
	if !p.inside {
		if name != "osm" {
			return 0, fmt.Errorf("not OSM XML: it starts with <%s>", name)
		}
		p.inside = true
		return 0, nil
	}
	if name == "bounds" {
		return 0, p.readBound(start)
	}
	kind := names[name]
	if kind&p.want.Kinds == 0 {
		return 0, p.skip()
	}
	if attribute(start, "action") == "delete" || attribute(start, "visible") == "false" {
		return 0, p.skip()
	}
	id, err := strconv.ParseInt(attribute(start, "id"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("<%s> with id %q", name, attribute(start, "id"))
	}
	if err := p.read(kind, id, start); err != nil {
		return 0, fmt.Errorf("%s %d: %w", name, id, err)
	}
	return kind, nil
}

func (p *parser) read(kind element.Kinds, id int64, start xml.StartElement) error {
	var info element.Info
	if p.want.Info {
		var err error
		if info, err = p.readInfo(start); err != nil {
			return err
		}
	}
	switch kind {
	case element.Nodes:
		point, err := readPoint(start)
		if err != nil {
			return err
		}
		tags, err := p.children(id, p.ignore)
		p.batch.Nodes = append(p.batch.Nodes, element.Node{ID: id, Point: point, Tags: tags})
		p.batch.NodeInfo = p.keep(p.batch.NodeInfo, info)
		return err
	case element.Ways:
		refs, points := len(p.refs), len(p.points)
		tags, err := p.children(id, p.ref)
		way := element.Way{ID: id, Refs: p.refs[refs:len(p.refs):len(p.refs)], Tags: tags}
		if located := p.points[points:len(p.points):len(p.points)]; len(located) > 0 && len(located) == len(way.Refs) {
			way.Points = located
		}
		p.batch.Ways = append(p.batch.Ways, way)
		p.batch.WayInfo = p.keep(p.batch.WayInfo, info)
		return err
	default:
		members := len(p.members)
		tags, err := p.children(id, p.member)
		p.batch.Relations = append(p.batch.Relations, element.Relation{
			ID: id, Members: p.members[members:len(p.members):len(p.members)], Tags: tags,
		})
		p.batch.RelationInfo = p.keep(p.batch.RelationInfo, info)
		return err
	}
}

func (p *parser) keep(infos []element.Info, info element.Info) []element.Info {
	if !p.want.Info {
		return infos
	}
	return append(infos, info)
}

// children reads the tags of an element and calls part for its other children.
func (p *parser) children(id int64, part func(xml.StartElement) error) (element.Tags, error) {
	from, begin := len(p.table.Pairs), p.xml.InputOffset()
	for parts := 0; ; {
		token, err := p.token()
		if err != nil {
			return element.Tags{}, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return p.table.TagsFrom(from), nil
		case xml.StartElement:
			if parts++; parts > source.MaxParts {
				return element.Tags{}, source.TooLarge(fmt.Sprintf("element %d", id), source.MaxParts, "tags, nodes or members")
			}
			if p.xml.InputOffset()-begin > p.limits.Feature() {
				return element.Tags{}, p.limits.FeatureTooLarge(fmt.Sprintf("element %d", id))
			}
			if t.Name.Local != "tag" {
				err = part(t)
			} else if p.want.Tags {
				p.table.Add(attribute(t, "k"), attribute(t, "v"))
			}
			if err == nil {
				err = p.skip()
			}
			if err != nil {
				return element.Tags{}, err
			}
		}
	}
}

func (p *parser) ignore(xml.StartElement) error { return nil }

// ref reads one <nd> of a way, with its location if Overpass wrote it.
func (p *parser) ref(t xml.StartElement) error {
	if t.Name.Local != "nd" {
		return nil
	}
	ref, err := strconv.ParseInt(attribute(t, "ref"), 10, 64)
	if err != nil {
		return fmt.Errorf("<nd> with ref %q", attribute(t, "ref"))
	}
	p.refs = append(p.refs, ref)
	if attribute(t, "lat") == "" {
		return nil
	}
	point, err := readPoint(t)
	p.points = append(p.points, point)
	return err
}

func (p *parser) member(t xml.StartElement) error {
	if t.Name.Local != "member" {
		return nil
	}
	kind := names[attribute(t, "type")]
	ref, err := strconv.ParseInt(attribute(t, "ref"), 10, 64)
	if err != nil || kind == 0 {
		return fmt.Errorf("<member> with type %q and ref %q", attribute(t, "type"), attribute(t, "ref"))
	}
	p.members = append(p.members, element.Member{Kind: kind, Ref: ref, Role: attribute(t, "role")})
	return nil
}

func (p *parser) readBound(t xml.StartElement) error {
	var v [4]float64
	for i, name := range []string{"minlon", "minlat", "maxlon", "maxlat"} {
		var err error
		if v[i], err = strconv.ParseFloat(attribute(t, name), 64); err != nil {
			return fmt.Errorf("<bounds> with %s %q", name, attribute(t, name))
		}
	}
	p.bound = &orb.Bound{Min: orb.Point{v[0], v[1]}, Max: orb.Point{v[2], v[3]}}
	return p.skip()
}

func readPoint(t xml.StartElement) (orb.Point, error) {
	lon, err1 := strconv.ParseFloat(attribute(t, "lon"), 64)
	lat, err2 := strconv.ParseFloat(attribute(t, "lat"), 64)
	if err1 != nil || err2 != nil {
		return orb.Point{}, fmt.Errorf("<%s> at lat %q, lon %q", t.Name.Local, attribute(t, "lat"), attribute(t, "lon"))
	}
	return orb.Point{lon, lat}, nil
}

// readInfo reads the last edit. Missing and invalid numbers, which are not used, are zero.
func (p *parser) readInfo(t xml.StartElement) (element.Info, error) {
	version, _ := strconv.ParseInt(attribute(t, "version"), 10, 32)
	changeset, _ := strconv.ParseInt(attribute(t, "changeset"), 10, 64)
	uid, _ := strconv.ParseInt(attribute(t, "uid"), 10, 32)
	info := element.Info{Version: int32(version), Changeset: changeset, UID: int32(uid), User: uint32(len(p.table.Names))}
	p.table.Names = append(p.table.Names, attribute(t, "user"))
	if text := attribute(t, "timestamp"); text != "" {
		edited, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return info, fmt.Errorf("timestamp %q", text)
		}
		info.Time = edited.UnixMilli()
	}
	return info, nil
}

func attribute(t xml.StartElement, name string) string {
	for i := range t.Attr {
		if t.Attr[i].Name.Local == name {
			return t.Attr[i].Value
		}
	}
	return ""
}
