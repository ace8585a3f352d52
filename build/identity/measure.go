package identity

import (
	"context"
	"fmt"
)

// Measure is what shares of geographies are of.
type Measure string

// The measures, as table geog_bridge has them.
const (
	ByArea       Measure = "area"
	ByHouseholds Measure = "households"
)

// leastHouseholds is the minimum number of households in an old outline whose succession is by households: the counts of
// single blocks are rounded or have noise.
const leastHouseholds = 20

// Homes is what is known of the households in an outline, by the homes of the new release.
type Homes struct {
	Households float64
	Known      bool // there are counts for all of it; an outline where nobody lives has 0, known
}

// Measurer compares outlines of earlier releases, given by geog_id, with new ones, given by index.
type Measurer interface {
	// SharedM2 returns the area in m² that both cover.
	SharedM2(ctx context.Context, id string, new int) (float64, error)
	// PerimeterM returns the mean length of both boundaries in metres.
	PerimeterM(ctx context.Context, id string, new int) (float64, error)
	// Within reports whether no point of one boundary is more than m metres from the other one.
	Within(ctx context.Context, id string, new int, m float64) (bool, error)
	// MovedHomes counts the households in an earlier outline, and those in one of both that are over beyondM metres outside
	// the other one; the second number is 0 where the first one is not known.
	MovedHomes(ctx context.Context, id string, new int, beyondM float64) (Homes, float64, error)
	// MovedM2 returns the area in m² that one of both covers alone, without what is narrower than beyondM metres.
	MovedM2(ctx context.Context, id string, new int, beyondM float64) (float64, error)
	// Homes counts the households in an earlier outline, and those of them that are in each of the given new ones. A home
	// on a border counts on one side alone.
	Homes(ctx context.Context, id string, in []int) (Homes, []float64, error)
	// NewHomes counts the households in a new outline.
	NewHomes(ctx context.Context, new int) (Homes, error)
}

// shares is how much of each other two outlines cover, 0–1.
type shares struct {
	old float64 // of the old one
	new float64 // of the new one
	iou float64 // intersection over union
}

// newShares returns the shares of what is common to an old and a new outline.
func newShares(shared, old, new float64) (s shares) {
	if shared > 0 {
		s = shares{old: min(1, shared/old), new: min(1, shared/new), iou: min(1, shared/(old+new-shared))}
	}
	return s
}

// overlap is how much of each other an old and a new outline cover.
type overlap struct {
	old, new            int
	area, homes         shares  // of area, and of households where they are known
	by                  Measure // the one that decides
	sameKey, sameScheme bool    // of their source keys
}

// deciding returns the shares that decide.
func (p *overlap) deciding() shares {
	if p.by == ByHouseholds {
		return p.homes
	}
	return p.area
}

// countHomes sets the shares of households of the overlaps of an earlier outline, and returns the measure that decides and
// whether its households are known. Households decide if there are counts for all of the old outline and for all of the new
// ones that cover a part of it, and enough of them.
func (s *succession) countHomes(ctx context.Context, id string, overlaps []overlap, m Measurer) (by Measure, counted bool, err error) {
	in := make([]int, len(overlaps))
	for k, p := range overlaps {
		in[k] = p.new
	}
	whole, shared, err := m.Homes(ctx, id, in)
	if err != nil {
		return "", false, fmt.Errorf("count the homes of %s of the previous release: %w", id, err)
	}
	if !whole.Known || whole.Households == 0 {
		return ByArea, false, nil
	}
	by = ByHouseholds
	if whole.Households < leastHouseholds {
		by = ByArea
	}
	for k := range overlaps {
		p := &overlaps[k]
		new, err := s.newHomes(ctx, p.new, m)
		if err != nil {
			return "", false, err
		}
		if p.area.old >= partShare && !new.Known {
			by = ByArea
		}
		p.homes = newShares(shared[k], whole.Households, new.Households)
	}
	for k := range overlaps {
		overlaps[k].by = by
	}
	return by, true, nil
}

// newHomes returns the homes of a new outline, which are counted once.
func (s *succession) newHomes(ctx context.Context, new int, m Measurer) (Homes, error) {
	if homes, counted := s.homes[new]; counted {
		return homes, nil
	}
	homes, err := m.NewHomes(ctx, new)
	if err != nil {
		return homes, fmt.Errorf("count the homes of %s: %w", s.new[new].Key, err)
	}
	s.homes[new] = homes
	return homes, nil
}
