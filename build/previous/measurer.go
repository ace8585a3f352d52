package previous

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/build/identity"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/schemas/calibration"
)

// Lived is where people live in a release.
type Lived struct {
	Homes *homes.Index
	Hulls assembly.Hulls // outside of them homes are not known
}

// leastCounted is the minimum share of the homes in an outline that have counts of households, for these to be known there.
// The others are residential streets without counts around.
const leastCounted = 0.9

// measurer implements identity.Measurer: areas with GEOS, households by homes. It keeps one earlier outline in memory,
// because identity compares one after the other.
type measurer struct {
	lived   Lived
	earlier func(id string) (orb.MultiPolygon, error)
	outline func(new int) (orb.MultiPolygon, error)
	kernel  *spatialite.Kernel
	id      string // of the earlier outline in memory, "" where there is none
	old     orb.MultiPolygon
	near    []int32
}

// newMeasurer returns a measurer; the caller closes it.
func newMeasurer(lived Lived, earlier func(id string) (orb.MultiPolygon, error),
	outline func(new int) (orb.MultiPolygon, error)) (*measurer, error) {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	return &measurer{lived: lived, earlier: earlier, outline: outline, kernel: kernel}, nil
}

func (m *measurer) close() error { return m.kernel.Close() }

// before returns an earlier outline.
func (m *measurer) before(ctx context.Context, id string) (orb.MultiPolygon, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.id == id {
		return m.old, nil
	}
	old, err := m.earlier(id)
	if err == nil {
		m.id, m.old = id, old
	}
	return old, err
}

func (m *measurer) pair(ctx context.Context, id string, new int) (before, after orb.MultiPolygon, err error) {
	if before, err = m.before(ctx, id); err != nil {
		return nil, nil, err
	}
	after, err = m.outline(new)
	return before, after, err
}

// SharedM2 implements identity.Measurer.
func (m *measurer) SharedM2(ctx context.Context, id string, new int) (float64, error) {
	before, after, err := m.pair(ctx, id, new)
	if err != nil {
		return 0, err
	}
	both, err := m.kernel.Intersection(before, after)
	return geo.Area(both), err
}

// PerimeterM implements identity.Measurer.
func (m *measurer) PerimeterM(ctx context.Context, id string, new int) (length float64, err error) {
	before, after, err := m.pair(ctx, id, new)
	for _, outline := range []orb.MultiPolygon{before, after} {
		for _, polygon := range outline {
			for _, ring := range polygon {
				length += geo.Length(orb.LineString(ring)) / 2
			}
		}
	}
	return length, err
}

// Within implements identity.Measurer.
func (m *measurer) Within(ctx context.Context, id string, new int, metres float64) (bool, error) {
	before, after, err := m.pair(ctx, id, new)
	return err == nil && spatialite.Within(before, after, metres), err
}

// MovedHomes implements identity.Measurer.
func (m *measurer) MovedHomes(ctx context.Context, id string, new int, beyondM float64) (identity.Homes, float64, error) {
	before, after, err := m.pair(ctx, id, new)
	if err != nil {
		return identity.Homes{}, 0, err
	}
	was, found := m.count(before)
	weight := m.outside(found, after, beyondM)
	is, found := m.count(after)
	weight += m.outside(found, before, beyondM)
	was.Known = was.Known && is.Known
	return was, float64(weight) / homes.WeightUnit, nil
}

// outside sums the households of the given homes that are more than beyondM metres outside an outline.
func (m *measurer) outside(list []int32, outline orb.MultiPolygon, beyondM float64) (weight uint64) {
	prepared := geo.Prepare(outline)
	for _, i := range list {
		if h := &m.lived.Homes.Homes[i]; !prepared.Holds(h.Point) && geo.DistanceTo(outline, h.Point) > beyondM {
			weight += h.Weight
		}
	}
	return weight
}

// MovedM2 implements identity.Measurer.
func (m *measurer) MovedM2(ctx context.Context, id string, new int, beyondM float64) (area float64, err error) {
	before, after, err := m.pair(ctx, id, new)
	if err != nil || spatialite.Within(before, after, beyondM) {
		return 0, err
	}
	for _, pair := range [][2]orb.MultiPolygon{{before, after}, {after, before}} {
		alone, err := m.kernel.Difference(pair[0], pair[1])
		if err != nil {
			return 0, err
		}
		wider, err := m.kernel.WiderM2(alone, before.Bound().Center(), beyondM)
		if err != nil {
			return 0, err
		}
		area += wider
	}
	return area, nil
}

// Homes implements identity.Measurer.
func (m *measurer) Homes(ctx context.Context, id string, in []int) (identity.Homes, []float64, error) {
	before, err := m.before(ctx, id)
	if err != nil {
		return identity.Homes{}, nil, err
	}
	whole, found := m.count(before)
	shared := make([]float64, len(in))
	for k, j := range in {
		if !whole.Known || len(found) == 0 {
			break
		}
		after, err := m.outline(j)
		if err != nil {
			return whole, nil, err
		}
		prepared, weight := geo.Prepare(after), uint64(0)
		for _, i := range found {
			if h := &m.lived.Homes.Homes[i]; prepared.Holds(h.Point) {
				weight += h.Weight
			}
		}
		shared[k] = float64(weight) / homes.WeightUnit
	}
	return whole, shared, ctx.Err()
}

// NewHomes implements identity.Measurer.
func (m *measurer) NewHomes(ctx context.Context, new int) (identity.Homes, error) {
	outline, err := m.outline(new)
	if err != nil {
		return identity.Homes{}, err
	}
	whole, _ := m.count(outline)
	return whole, ctx.Err()
}

// count counts the households in an outline. It returns the homes that have them, until the next call.
func (m *measurer) count(outline orb.MultiPolygon) (identity.Homes, []int32) {
	index := m.lived.Homes
	if index == nil {
		return identity.Homes{}, nil
	}
	prepared := geo.Prepare(outline)
	m.near = index.InBox(m.near[:0], prepared.Bound())
	found := m.near[:0]
	streets, weight := 0, uint64(0)
	for _, i := range m.near {
		h := &index.Homes[i]
		switch {
		case !prepared.Holds(h.Point):
		case h.Street:
			streets++
		default:
			found = append(found, i)
			weight += h.Weight
		}
	}
	known := float64(len(found)) >= leastCounted*float64(len(found)+streets) &&
		m.lived.Hulls.Share(prepared, len(outline), prepared.Bound().Center()) >= calibration.Standard().Homes.MinCoverage
	return identity.Homes{Households: float64(weight) / homes.WeightUnit, Known: known}, found
}
