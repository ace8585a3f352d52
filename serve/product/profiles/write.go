package profiles

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas"
	"quartier/serve/endpoint"
)

// metas are the JSON of the meta without its closing brace, by the language of the texts.
var metas = map[string]string{"en": metaIn("en"), "fr": metaIn("fr")}

func metaIn(language string) string {
	return string(endpoint.AppendEncoded([]byte(endpoint.OpenMeta("profiles")+`,"geometry":[],"sections":`),
		schemas.ProfileTitlesIn(language)))
}

// write appends a schemas.ProfileAnswer about geography i to the body.
func write(r *endpoint.Request, i int, locale string) error {
	of, language := &r.Release, locale
	if of.Country(i) != "CA" {
		language = "en"
	}
	text, ok := r.Release.Profile(i, language)
	if !ok {
		return endpoint.ErrNothing
	}
	b := append(r.Body, `{"data":{"id":`...)
	b = of.AppendID(b, i)
	b = append(b, `,"name":`...)
	b = endpoint.AppendText(b, of.Name(i).In(locale))
	b = append(b, `,"intro":`...)
	b = append(b, text.Intro...)
	b = append(b, `,"type":"profiles","bounding_box":`...)
	b = appendBox(b, of.BBox(i))
	b = append(b, `,"centroid":`...)
	b = appendPoint(b, of.Centroid(i))
	b = append(b, `,"profiles":`...)
	b = append(b, text.Sections...)
	b = endpoint.Append(b, `},"meta":`, metas[language])
	b = endpoint.AppendDeprecation(b, r.Release.Deprecation(i))
	r.Body = append(b, `}}`...)
	return nil
}

// appendBox appends a schemas.BoundingBox.
func appendBox(b []byte, box orb.Bound) []byte {
	b = coord.AppendDegrees(append(b, `{"east":`...), box.Max[0])
	b = coord.AppendDegrees(append(b, `,"north":`...), box.Max[1])
	b = coord.AppendDegrees(append(b, `,"south":`...), box.Min[1])
	b = coord.AppendDegrees(append(b, `,"west":`...), box.Min[0])
	return append(b, '}')
}

// appendPoint appends a schemas.Coordinates.
func appendPoint(b []byte, at orb.Point) []byte {
	b = coord.AppendDegrees(append(b, `{"lat":`...), at[1])
	b = coord.AppendDegrees(append(b, `,"lng":`...), at[0])
	return append(b, '}')
}
