package pointindex

import "quartier/internal/coord"

// Values is an index of points with a value each.
type Values[T any] struct {
	index *Index
	items []item[T]
}

type item[T any] struct {
	at    coord.Point
	value T
}

// NewValues indexes values by their points, in strips of the given height in metres.
func NewValues[T any](points []coord.Point, values []T, heightM float64) *Values[T] {
	index, order := New(points, heightM)
	v := &Values[T]{index, make([]item[T], len(points))}
	for i, from := range order {
		v.items[i] = item[T]{points[from], values[from]}
	}
	return v
}

// Within visits the values within the radius in metres of p, with the squares of their distances, in a fixed order.
func (v *Values[T]) Within(p coord.Point, radius float64, visit func(value *T, square float64)) {
	plane := coord.NewPlane(p)
	v.index.Search(p, radius, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if square := plane.Square(v.items[i].at); square <= radius*radius {
				visit(&v.items[i].value, square)
			}
		}
	})
}
