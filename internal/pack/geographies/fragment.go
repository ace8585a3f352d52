package geographies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"quartier/internal/coord"
	"quartier/schemas"
)

// geometryGap is the position of the geometry in an encoded entry. In encoded JSON a quote inside a string has a backslash
// before it, so that the gap cannot be inside a name.
var geometryGap = []byte(`,"geometry":[]`)

// member encodes the JSON member of a geography with an empty geometry: its quoted id, a colon and its entry. The
// geometry is at gap.
func member(r *Record) (text []byte, gap int, err error) {
	var buffer bytes.Buffer
	enc := json.NewEncoder(&buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r.ID); err != nil {
		return nil, 0, err
	}
	buffer.Truncate(buffer.Len() - 1) // Encode ends a line
	buffer.WriteByte(':')
	if err := enc.Encode(Entry(r)); err != nil {
		return nil, 0, err
	}
	text = buffer.Bytes()[:buffer.Len()-1]
	at := bytes.Index(text, geometryGap)
	if at < 0 {
		return nil, 0, fmt.Errorf("no geometry in %s", text)
	}
	return text, at + len(geometryGap) - len("[]"), nil
}

// Entry is the API's description of a geography, without its geometry.
func Entry(r *Record) schemas.Geography {
	g := schemas.Geography{
		Name:      r.Name,
		LevelType: r.Level.Label(r.CountryCode, mainState(r)),
		Level:     r.Level,
		Country:   schemas.CountryName(r.CountryCode),
		City:      named(r.City),
		MetroArea: named(r.Metro),
		AreaM2:    math.Round(r.AreaM2*10) / 10,
		BoundingBox: &schemas.BoundingBox{
			East: degrees(r.BBox.Max[0]), North: degrees(r.BBox.Max[1]),
			South: degrees(r.BBox.Min[1]), West: degrees(r.BBox.Min[0]),
		},
		Centroid: &schemas.Coordinates{Lat: degrees(r.Centroid[1]), Lng: degrees(r.Centroid[0])},
		Geometry: schemas.MultiPolygon{},
	}
	if name, ok := schemas.StateName(r.CountryCode, mainState(r)); ok {
		g.SubCountry = &name
	}
	if r.Superseded {
		g.Meta = &schemas.DeprecationMeta{}
		if r.ReplacedBy != "" {
			g.Meta.Deprecation.ReplacedBy = &schemas.GeogRef{GeogID: r.ReplacedBy}
		}
	}
	return g
}

// mainState is the state code, such as "QC", with the largest share of a geography; "" if it has none.
func mainState(r *Record) string {
	if len(r.StateCodes) == 0 {
		return ""
	}
	_, state, _ := strings.Cut(r.StateCodes[0], "_")
	return state
}

func named(r *Ref) *schemas.NamedGeogRef {
	if r == nil {
		return nil
	}
	return &schemas.NamedGeogRef{EN: r.Name.EN, FR: r.Name.FR, GeogID: r.ID}
}

// degrees rounds to the seven decimals of answers.
func degrees(v float64) float64 { return math.Round(v*coord.Scale) / coord.Scale }
