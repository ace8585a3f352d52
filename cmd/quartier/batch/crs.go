package batch

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/paulmach/orb"

	"quartier/internal/arrowfile"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
)

// Errors of coordinates in another reference system.
var (
	errSystem  = errors.New("a geometry that says another reference system than --crs, or than WGS 84")
	errNoArea  = errors.New("outside of where the reference system is defined")
	errDegrees = errors.New("look like degrees, but the reference system is projected; is --crs right?")
)

// isWGS84 reports whether a text names WGS 84 in degrees.
func isWGS84(crs string) bool {
	name := strings.ToUpper(strings.ReplaceAll(crs, " ", ""))
	return slices.Contains([]string{"", "4326", "EPSG:4326", "WGS84", "OGC:CRS84", "CRS84"}, name)
}

// reference finds the reference system of the points or shapes: that of --crs, else of the column of geometries.
func (j *job) reference(schema *arrow.Schema) error {
	crs := j.CRS
	primary, of, err := arrowfile.PrimaryGeometry(schema)
	if err != nil {
		return err
	}
	if crs == "" && primary == j.points.names[0] && (j.points.kind == geometry || j.points.kind == polygons) {
		crs = of
	}
	if isWGS84(crs) {
		j.points.system = 4326
		return nil
	}
	if j.points.kind == geohash || j.points.kind == written || j.points.grid != "" {
		return fmt.Errorf("%w: --crs is of coordinates; geohashes, grids and addresses are those of WGS 84", ErrInput)
	}
	if strings.Trim(crs, "0123456789") == "" {
		crs = "EPSG:" + crs
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return fmt.Errorf("reference system %s: %w", crs, err)
	}
	defer kernel.Close()
	if j.crs, err = kernel.Resolve(crs); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if j.crs == spatialite.WGS84 {
		j.crs, j.points.system = "", 4326
		return nil
	}
	fmt.Sscanf(strings.ToUpper(crs), "EPSG:%d", &j.points.system)
	step := []orb.Point{{-75, 45}, {-74, 45}} // one unit is one degree in a geographic system, nearly nothing in metres
	lost, err := kernel.Transform(step, j.crs, spatialite.WGS84)
	j.points.projected = lost > 0 || !(math.Abs(step[1][0]-step[0][0]) > 0.5)
	j.points.foreign = true
	return err
}

// toWGS84 converts points; those that cannot be become nowhere.
func (w *worker) toWGS84(points []orb.Point) error {
	if w.job.crs == "" || len(points) == 0 {
		return nil
	}
	if w.kernel == nil {
		kernel, err := spatialite.NewKernel()
		if err != nil {
			return err
		}
		w.kernel = kernel
	}
	if w.job.points.projected && !slices.ContainsFunc(points, func(p orb.Point) bool { return !geo.Valid(p) && known(p[0]) && known(p[1]) }) &&
		slices.ContainsFunc(points, func(p orb.Point) bool { return geo.Valid(p) && p != orb.Point{} }) {
		return fmt.Errorf("%w: coordinates %w", ErrInput, errDegrees)
	}
	_, err := w.kernel.Transform(points, w.job.crs, spatialite.WGS84)
	return err
}

// close ends what the worker began.
func (w *worker) close() error {
	if w.kernel == nil {
		return nil
	}
	return w.kernel.Close()
}

// withoutSystem is a well-known text without the reference system of EWKT, "SRID=4326;POINT (…)"; false if that is another.
func withoutSystem(text string, system int) (string, bool) {
	rest, found := strings.CutPrefix(strings.ToUpper(text), "SRID=")
	if !found {
		return text, true
	}
	var srid int
	number, wkt, cut := strings.Cut(rest, ";")
	if _, err := fmt.Sscanf(number, "%d", &srid); err != nil || !cut {
		return text, true
	}
	return wkt, srid == system || srid == 0
}
