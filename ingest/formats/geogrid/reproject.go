package geogrid

import (
	"errors"
	"math"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/tiff"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
)

// warp samples a raster on a grid of longitude and latitude.
type warp struct {
	raster *tiff.Raster
	kernel *spatialite.Kernel
	crs    string
	sample Sampling
	*Grid
}

// reproject returns the grid of longitude and latitude over a raster, whose cells have the same size.
func reproject(r *tiff.Raster, path string, sample Sampling) (*Grid, error) {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	w := &warp{raster: r, kernel: kernel, sample: sample}
	if w.crs, err = kernel.Resolve(r.CRS); errors.Is(err, spatialite.ErrCRS) {
		err = source.BadFile(path, "%v; set the option crs", err)
	}
	if err == nil {
		w.Grid, err = w.cover(path)
	}
	if err != nil {
		kernel.Close()
		return nil, err
	}
	w.Window = w.interpolate
	w.Close = func() error { return errors.Join(kernel.Close(), r.Close()) }
	return w.Grid, nil
}

// cover returns the grid over the box of the raster's edge, without its window.
func (w *warp) cover(path string) (*Grid, error) {
	const along = 64 // points of each side
	right, bottom := float64(w.raster.Columns-1), float64(w.raster.Rows-1)
	var edge []orb.Point
	for i := range along + 1 {
		f := float64(i) / along
		for _, p := range []orb.Point{{f * right, 0}, {f * right, bottom}, {0, f * bottom}, {right, f * bottom}} {
			x, y := w.raster.Cells.At(p[0], p[1])
			edge = append(edge, orb.Point{x, y})
		}
	}
	// a cell in the middle, for the size
	for _, p := range []orb.Point{{0, 0}, {1, 0}, {0, 1}} {
		x, y := w.raster.Cells.At(math.Floor(right/2)+p[0], math.Floor(bottom/2)+p[1])
		edge = append(edge, orb.Point{x, y})
	}
	if lost, err := w.kernel.Transform(edge, w.crs, spatialite.WGS84); err != nil {
		return nil, err
	} else if lost > 0 {
		return nil, source.BadFile(path, "%d of %d points of its edge are not on the Earth in %s; set the option crs", lost, len(edge),
			w.raster.CRS)
	}
	n := len(edge) - 3
	bound := orb.MultiPoint(edge[:n]).Bound()
	width := bound.Max[0] - bound.Min[0]
	if !geo.Valid(bound.Min) || !geo.Valid(bound.Max) || width > 180 {
		return nil, source.BadFile(path, "its cells extend over %v in %s; is the option crs wrong, or does it cross the antimeridian?", bound,
			w.raster.CRS)
	}
	o, a, b := edge[n], edge[n+1], edge[n+2]
	squeeze := math.Cos(o[1] * math.Pi / 180)
	area := math.Abs((a[0]-o[0])*(b[1]-o[1])-(a[1]-o[1])*(b[0]-o[0])) * squeeze // of a cell, in square degrees of latitude
	g := &Grid{West: bound.Min[0], North: bound.Max[1], StepLat: math.Sqrt(area), CRS: w.raster.CRS, Reprojected: true}
	g.StepLng = g.StepLat / squeeze
	g.Columns, g.Rows = int(width/g.StepLng)+1, int((bound.Max[1]-bound.Min[1])/g.StepLat)+1
	const most = 1 << 18 // cells along a side
	if !(area > 0) || g.Columns > most || g.Rows > most {
		return nil, source.BadFile(path, "its cells of %v by %v degrees would make a grid of %d by %d", g.StepLng, g.StepLat, g.Columns, g.Rows)
	}
	return g, nil
}

// lattice is the number of cells between points that are projected; those between are interpolated. With cells of 10 km
// it is a fiftieth of a cell off.
const lattice = 8

// interpolate is the window of the grid.
func (w *warp) interpolate(column, row, columns, rows int, into []float32) error {
	across, down := (columns+lattice-1)/lattice+1, (rows+lattice-1)/lattice+1
	nodes := make([]orb.Point, 0, across*down)
	for r := range down {
		for c := range across {
			nodes = append(nodes, orb.Point{w.West + float64(column+c*lattice)*w.StepLng, w.North - float64(row+r*lattice)*w.StepLat})
		}
	}
	if _, err := w.kernel.Transform(nodes, spatialite.WGS84, w.crs); err != nil {
		return err
	}
	at := make([]orb.Point, 0, columns*rows) // columns and rows of the raster
	bound := orb.Bound{Min: orb.Point{math.Inf(1), math.Inf(1)}, Max: orb.Point{math.Inf(-1), math.Inf(-1)}}
	for r := range rows {
		for c := range columns {
			p := between(nodes, across, c, r)
			p[0], p[1] = w.raster.Cells.Inverse(p[0], p[1])
			if w.inside(p) {
				bound = bound.Extend(p)
			}
			at = append(at, p)
		}
	}
	for i := range into {
		into[i] = float32(math.NaN())
	}
	if bound.IsEmpty() {
		return nil
	}
	west, north := int(max(bound.Min[0], 0)), int(max(bound.Min[1], 0))
	east, south := min(int(bound.Max[0])+2, w.raster.Columns), min(int(bound.Max[1])+2, w.raster.Rows)
	cells := make([]float32, (east-west)*(south-north))
	if err := w.raster.Window(west, north, east-west, south-north, cells); err != nil {
		return err
	}
	for i, p := range at {
		if w.inside(p) {
			into[i] = w.sample(cells, east-west, south-north, p[0]-float64(west), p[1]-float64(north))
		}
	}
	return nil
}

// inside reports whether a column and row are in one of the raster's cells.
func (w *warp) inside(p orb.Point) bool {
	return p[0] >= -0.5 && p[0] < float64(w.raster.Columns)-0.5 && p[1] >= -0.5 && p[1] < float64(w.raster.Rows)-0.5
}

// between interpolates the position of a cell between the four nodes around it.
func between(nodes []orb.Point, across, column, row int) orb.Point {
	i := row/lattice*across + column/lattice
	fx, fy := float64(column%lattice)/lattice, float64(row%lattice)/lattice
	a, b, c, d := nodes[i], nodes[i+1], nodes[i+across], nodes[i+across+1]
	var p orb.Point
	for k := range p {
		p[k] = (1-fy)*((1-fx)*a[k]+fx*b[k]) + fy*((1-fx)*c[k]+fx*d[k])
	}
	return p
}
