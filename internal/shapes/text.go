package shapes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/wellknown"
)

func readText(text string, system uint32) (orb.MultiPolygon, error) {
	r := wellknown.Text{Text: text, Reason: ErrFormat}
	if prefix := fmt.Sprintf("SRID=%d;", system); len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
		r.At = len(prefix)
	}
	word := r.Word()
	switch dimensions := r.Word(); dimensions {
	case "Z", "M":
		r.Numbers = 3
	case "ZM":
		r.Numbers = 4
	case "EMPTY":
		return nil, empty(&r, word)
	case "":
	default:
		return nil, r.Unexpected("a parenthesis")
	}
	if r.Numbers > 0 && r.Word() == "EMPTY" {
		return nil, empty(&r, word)
	}
	var m orb.MultiPolygon
	polygon := func() error {
		polygon, err := polygonOrEmpty(&r)
		if len(polygon) > 0 {
			m = append(m, polygon)
		}
		return err
	}
	var err error
	switch word {
	case "POLYGON":
		err = polygon()
	case "MULTIPOLYGON":
		err = r.List(polygon)
	default:
		return nil, other(word)
	}
	if err == nil {
		err = r.End()
	}
	if err == nil && len(m) == 0 {
		err = ErrMissing
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// others are the words of geometries that are not polygons.
var others = []string{"POINT", "LINESTRING", "MULTIPOINT", "MULTILINESTRING", "GEOMETRYCOLLECTION",
	"CIRCULARSTRING", "CURVEPOLYGON", "MULTISURFACE", "TRIANGLE"}

// other is the error of a text that begins with a word that is not that of a polygon.
func other(word string) error {
	if slices.Contains(others, word) {
		return ErrKind
	}
	return wrong(ErrFormat, "it begins with neither POLYGON nor MULTIPOLYGON")
}

// empty is the error of an empty geometry of a kind.
func empty(r *wellknown.Text, word string) error {
	if err := r.End(); err != nil {
		return err
	}
	if word != "POLYGON" && word != "MULTIPOLYGON" {
		return other(word)
	}
	return ErrMissing
}

// polygonOrEmpty reads a list of rings, or EMPTY.
func polygonOrEmpty(r *wellknown.Text) (orb.Polygon, error) {
	at := r.At
	if r.Word() == "EMPTY" {
		return nil, nil
	}
	r.At = at
	return r.Polygon()
}
