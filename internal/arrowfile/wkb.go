package arrowfile

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/wellknown"
)

// box is an extent: least and largest longitude and latitude, as minX, minY, maxX, maxY.
type box [4]float64

func noBox() box { return box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)} }

func (b *box) empty() bool { return b[0] > b[2] }

// extend makes a box contain a point. A point without coordinates, which is how empty points are written, has NaN.
func (b *box) extend(x, y float64) {
	if math.IsNaN(x) || math.IsNaN(y) {
		return
	}
	b[0], b[1], b[2], b[3] = min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)
}

// boundsOf is the extent of a geometry in ISO well-known binary and the name of its type, such as "MultiPolygon Z".
func boundsOf(data []byte) (box, string, error) {
	b := noBox()
	g, name, err := wellknown.Binary{ISO: true}.Read(data)
	if err != nil {
		return b, name, binaryError(err, name)
	}
	geo.Each(g, func(p orb.Point) orb.Point {
		b.extend(p[0], p[1])
		return p
	})
	return b, name, nil
}

func binaryError(err error, name string) error {
	var fault *wellknown.Error
	switch errors.As(err, &fault); fault.What {
	case wellknown.Type:
		return fmt.Errorf("well-known binary of type %d, which is no ISO type of points, lines, polygons and their collections", fault.Number)
	case wellknown.More:
		return fmt.Errorf("well-known binary of a %s has %d more bytes", name, fault.Number)
	case wellknown.Member:
		return fmt.Errorf("well-known binary of a %s has a %s", name, fault)
	}
	return fmt.Errorf("well-known binary is cut short or not valid (%d bytes left)", fault.Number)
}
