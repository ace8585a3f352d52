package vector

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"golang.org/x/text/encoding/charmap"

	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/schemas/reason"
)

// kml reads the placemarks of a KML file (OGC 12-007r2), in whichever folders they are, with the attributes name, description
// and those of ExtendedData. Links to other files are not followed, and nothing else of a file is read.
type kml struct {
	files  []io.Closer
	in     *xml.Decoder
	bound  *boundReader
	layer  *Layer
	row    int
	depth  int
	linked bool // it links to other files
	limits source.Limits
}

// Limits of elements in elements, in the file and of geometries.
const (
	maxKMLDepth  = 200
	maxKMLNested = 8
)

// openKML opens a .kml file, or that of a .kmz archive.
func (l *Layer) openKML(extension string, limits source.Limits) error {
	k := &kml{layer: l, limits: limits}
	err := k.open(l.path, extension)
	if err != nil {
		k.close()
		return l.named(err)
	}
	l.reader, l.seen, l.CRS = k, map[string]bool{}, spatialite.WGS84
	return nil
}

func (k *kml) open(path, extension string) error {
	var in io.Reader
	if extension == ".kmz" {
		archive, err := source.OpenZip(path, k.limits)
		if err != nil {
			return err
		}
		k.files = append(k.files, archive)
		at := -1
		for i, f := range archive.File {
			if strings.EqualFold(f.Name, "doc.kml") || at < 0 && strings.HasSuffix(strings.ToLower(f.Name), ".kml") {
				at = i
			}
		}
		if at < 0 {
			return errors.New("it has no .kml file")
		}
		member, err := archive.File[at].Open()
		if err != nil {
			return err
		}
		k.files, in = append(k.files, member), member
	} else {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		k.files, in = append(k.files, file), file
	}
	k.begin(in)
	return nil
}

func (k *kml) begin(in io.Reader) {
	k.bound = &boundReader{in: in, most: k.limits.Feature()}
	k.in = xml.NewDecoder(k.bound)
	k.in.Entity = xml.HTMLEntity
	k.in.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		switch strings.ToLower(name) {
		case "iso-8859-1", "windows-1252", "latin1":
			return charmap.Windows1252.NewDecoder().Reader(in), nil
		}
		return nil, fmt.Errorf("encoding %q is not read", name)
	}
}

// boundReader ends with an error where more bytes are read than a feature may have, since the last one.
type boundReader struct {
	in    io.Reader
	most  int64
	since int64
}

// Read implements io.Reader.
func (b *boundReader) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.since += int64(n); b.since > b.most+int64(len(p)) {
		return n, source.TooLarge("a placemark", b.most, "bytes")
	}
	return n, err
}

// next finds the next placemark.
func (k *kml) next() (Feature, error) {
	for {
		token, err := k.in.Token()
		if err == io.EOF {
			if k.row == 0 && k.linked {
				return Feature{}, bad("it has no placemarks, only links to other files (NetworkLink); fetch those")
			}
			return Feature{}, io.EOF
		}
		if err != nil {
			return Feature{}, bad("after placemark %d: not KML: %w", k.row, err)
		}
		k.bound.since = 0
		switch t := token.(type) {
		case xml.StartElement:
			if k.depth++; k.depth > maxKMLDepth {
				return Feature{}, source.TooLarge("elements in elements", maxKMLDepth, "")
			}
			if k.depth == 1 && t.Name.Local != "kml" {
				return Feature{}, bad("not KML: its first element is %s", t.Name.Local)
			}
			k.linked = k.linked || t.Name.Local == "NetworkLink"
			if t.Name.Local == "Placemark" {
				k.row++
				f, err := k.placemark(t)
				k.depth--
				if err != nil {
					return f, bad("placemark %d: %w", k.row, err)
				}
				return f, nil
			}
		case xml.EndElement:
			k.depth--
		}
	}
}

// placemark reads a placemark whose start was read.
func (k *kml) placemark(start xml.StartElement) (Feature, error) {
	f := Feature{Row: k.row, ID: attributeOf(start, "id"), Attributes: map[string]string{}}
	err := k.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "name", "description", "address", "phoneNumber":
			return k.attribute(f.Attributes, e.Name.Local)
		case "ExtendedData":
			return k.extended(f.Attributes)
		case "Point", "LineString", "LinearRing", "Polygon", "MultiGeometry":
			g, why, err := k.geometry(e.Name.Local, 0)
			f.Geometry, f.Fault = g, why
			return err
		case "Model", "Track", "MultiTrack":
			f.Fault = source.UnsupportedGeometryType.With(e.Name.Local)
		}
		return k.in.Skip()
	})
	return f, err
}

func attributeOf(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// children visits the elements in the one whose start was read, up to its end. visit reads each to its end.
func (k *kml) children(visit func(e xml.StartElement) error) error {
	for {
		token, err := k.in.Token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := visit(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// text is the text of the element whose start was read.
func (k *kml) text() (string, error) {
	var text strings.Builder
	for {
		token, err := k.in.Token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			if err := k.in.Skip(); err != nil {
				return "", err
			}
		case xml.EndElement:
			return text.String(), nil
		}
	}
}

func (k *kml) attribute(into map[string]string, name string) error {
	text, err := k.text()
	setText(into, name, text)
	if name != "" && !k.layer.seen[name] {
		k.layer.seen[name] = true
		k.layer.Fields = append(k.layer.Fields, name)
	}
	return err
}

// extended reads Data with a value each, and SchemaData.
func (k *kml) extended(into map[string]string) error {
	return k.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Data":
			name := attributeOf(e, "name")
			return k.children(func(e xml.StartElement) error {
				if e.Name.Local != "value" {
					return k.in.Skip()
				}
				return k.attribute(into, name)
			})
		case "SchemaData":
			return k.children(func(e xml.StartElement) error {
				if e.Name.Local != "SimpleData" {
					return k.in.Skip()
				}
				return k.attribute(into, attributeOf(e, "name"))
			})
		}
		return k.in.Skip()
	})
}

// geometry reads a geometry of a kind, whose start was read. It is nil without a fault where it has no coordinates.
func (k *kml) geometry(kind string, depth int) (g orb.Geometry, why reason.Reason, err error) {
	if depth > maxKMLNested {
		return nil, source.UnsupportedGeometryType.With("nested"), k.in.Skip()
	}
	var points []orb.Point
	var rings orb.Polygon
	var members []orb.Geometry
	err = k.children(func(e xml.StartElement) error {
		switch name := e.Name.Local; {
		case name == "coordinates" && kind != "Polygon" && kind != "MultiGeometry":
			text, err := k.text()
			if err != nil {
				return err
			}
			var fault reason.Reason
			if points, fault = coordinates(text); !fault.OK() {
				why = fault
			}
			return nil
		case kind == "Polygon" && (name == "outerBoundaryIs" || name == "innerBoundaryIs"):
			return k.children(func(e xml.StartElement) error {
				if e.Name.Local != "LinearRing" {
					return k.in.Skip()
				}
				line, fault, err := k.geometry("LinearRing", depth+1)
				if ring, ok := line.(orb.LineString); ok && name == "outerBoundaryIs" {
					rings = slices.Insert(rings, 0, orb.Ring(ring))
				} else if ok {
					rings = append(rings, orb.Ring(ring))
				}
				if !fault.OK() {
					why = fault
				}
				return err
			})
		case kind == "MultiGeometry" && slices.Contains([]string{"Point", "LineString", "LinearRing", "Polygon", "MultiGeometry"}, name):
			member, fault, err := k.geometry(name, depth+1)
			if member != nil {
				members = append(members, member)
			}
			if !fault.OK() {
				why = fault
			}
			return err
		}
		return k.in.Skip()
	})
	if err != nil || !why.OK() {
		return nil, why, err
	}
	switch {
	case kind == "Point" && len(points) == 1:
		g = points[0]
	case kind == "Point" && len(points) > 1:
		why = source.UnreadableGeometry
	case kind == "Polygon" && len(rings) > 0:
		g = rings
	case kind == "MultiGeometry":
		g, why = together(members)
	case len(points) > 0 && kind != "Point":
		g = orb.LineString(points)
	}
	return g, why, nil
}

// coordinates reads "-75.7,45.4,60 -75.6,45.4"; heights are dropped.
func coordinates(text string) (points []orb.Point, why reason.Reason) {
	for _, tuple := range strings.Fields(text) {
		parts := strings.Split(tuple, ",")
		if len(parts) < 2 || len(parts) > 3 {
			return nil, source.CoordinateFault(tuple)
		}
		var p orb.Point
		for i := range p {
			number, err := strconv.ParseFloat(parts[i], 64)
			if err != nil {
				return nil, source.CoordinateFault(tuple)
			}
			p[i] = number
		}
		points = append(points, p)
	}
	return points, why
}

// together is a geometry of several of one dimension.
func together(members []orb.Geometry) (orb.Geometry, reason.Reason) {
	var points orb.MultiPoint
	var lines orb.MultiLineString
	var polygons orb.MultiPolygon
	for _, member := range members {
		switch g := member.(type) {
		case orb.Point:
			points = append(points, g)
		case orb.MultiPoint:
			points = append(points, g...)
		case orb.LineString:
			lines = append(lines, g)
		case orb.MultiLineString:
			lines = append(lines, g...)
		case orb.Polygon:
			polygons = append(polygons, g)
		case orb.MultiPolygon:
			polygons = append(polygons, g...)
		}
	}
	switch {
	case len(points) > 0 && lines == nil && polygons == nil:
		return points, reason.Reason{}
	case points == nil && len(lines) > 0 && polygons == nil:
		return lines, reason.Reason{}
	case points == nil && lines == nil && len(polygons) > 0:
		return polygons, reason.Reason{}
	case len(members) == 0:
		return nil, reason.Reason{}
	}
	return nil, source.UnsupportedGeometryType.With("a mixture")
}

func (k *kml) close() error {
	var err error
	for _, file := range slices.Backward(k.files) {
		err = errors.Join(err, file.Close())
	}
	return err
}
