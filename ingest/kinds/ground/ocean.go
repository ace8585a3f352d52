package ground

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// ocean stages what is not land in the box of each file of land, of the largest one in that of the options. The boxes of smaller
// files are left to these. Outlines that cannot be repaired are issues.
func ocean(o *settings, out source.Sink) error {
	lands := slices.DeleteFunc(o.lands, func(land orb.MultiPolygon) bool { return land == nil })
	if len(lands) == 0 {
		return nil
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return err
	}
	defer kernel.Close()
	size := func(box orb.Bound) float64 { return (box.Max[0] - box.Min[0]) * (box.Max[1] - box.Min[1]) }
	slices.SortStableFunc(lands, func(a, b orb.MultiPolygon) int { return cmp.Compare(size(a.Bound()), size(b.Bound())) })
	var dry orb.MultiPolygon // the boxes of smaller files
	next := 1
	for i, land := range lands {
		box := land.Bound()
		if b := o.BBox; b != nil && i == len(lands)-1 {
			box = orb.Bound{Min: orb.Point{b[0], b[1]}, Max: orb.Point{b[2], b[3]}}
		}
		valid, _, err := kernel.MakeValid(slices.Concat(land, dry))
		if errors.Is(err, spatialite.ErrZeroArea) || errors.Is(err, spatialite.ErrNotFinite) || errors.Is(err, spatialite.ErrUnrepairable) {
			out.Issue(source.UnrepairableGeometry, fmt.Sprintf("land in %v", box))
			continue
		}
		sea := orb.MultiPolygon(nil)
		if err == nil {
			sea, err = kernel.Difference(orb.MultiPolygon{{box.ToRing()}}, valid)
		}
		if err == nil {
			err = groundtags.StageOcean(sea, next, new(int32(0)), out)
		}
		if err != nil {
			return err
		}
		next += len(sea)
		dry = append(dry, orb.Polygon{box.ToRing()})
	}
	return nil
}
