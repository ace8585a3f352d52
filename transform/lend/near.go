package lend

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/staged"
)

// mayLend reports whether a neighbour may lend something, by its bounds alone. Without bounds it may.
func (l *lender) mayLend(n Neighbour) (bool, error) {
	if n.Bounds == "" {
		return true, nil
	}
	data, err := os.ReadFile(n.Bounds)
	if err != nil {
		return false, err
	}
	var of staged.Bounds
	if err := json.Unmarshal(data, &of); err != nil {
		return false, fmt.Errorf("read %s: %w", n.Bounds, err)
	}
	return len(l.own.All()) > 0 && (meets(of.Coverage, l.box) || meets(of.Jobs, l.jobsBox())), nil
}

// jobsBox is the box of all extents, with the margins of what is lent around them and of jobs.
func (l *lender) jobsBox() orb.Bound {
	return geo.CircleBound(l.box.Min, jobsReachM).Union(geo.CircleBound(l.box.Max, jobsReachM))
}

func meets(list []staged.Box, box orb.Bound) bool {
	return slices.ContainsFunc(list, func(b staged.Box) bool {
		return orb.Bound{Min: orb.Point{b[0], b[1]}, Max: orb.Point{b[2], b[3]}}.Intersects(box)
	})
}
