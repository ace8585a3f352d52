package scope

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/pack/names"
	"quartier/internal/pmtiles"
	"quartier/schemas"
)

// Geography finds a geography by its id: ErrNoGeography, also for one of another customer, or ErrRegion where the client may
// not see it. Superseded and deprecated ones are found.
func (r *Release) Geography(id string) (int, error) {
	i, ok := r.all.Geographies.ByID(id)
	if !ok && r.own != nil {
		i, ok = r.own.ByID(id)
		i += r.public
	}
	switch {
	case !ok && r.all.Withdrawn(schemas.Private):
		return 0, ErrDamaged // it may be one of those
	case !ok:
		return 0, ErrNoGeography
	case !r.shows(i):
		return 0, ErrRegion
	}
	r.asked = i + 1
	return i, nil
}

// CheckLevel explains why an endpoint that takes geographies of some levels does not take an id: ErrLevel for a
// geography of another level that the client may see, ErrNoGeography for any other id that is not of these levels, so
// that the answer reveals nothing. nil where the id is of one of the levels.
func (r *Release) CheckLevel(id string, levels []schemas.Level) error {
	level, ok := schemas.LevelOfGeogID(id)
	switch {
	case !ok:
		return ErrNoGeography
	case slices.Contains(levels, level):
		return nil
	}
	if _, err := r.Geography(id); err != nil {
		return ErrNoGeography
	}
	return fmt.Errorf("%w: %s is of level %d, the levels taken are %s", ErrLevel, id, level, strings.Join(schemas.LevelNumbers(levels), ", "))
}

// Archive is an archive of map tiles by its name, nil where the release has none, and whether the client may see all regions of the
// release, which tiles have.
func (r *Release) Archive(name string) (archive *pmtiles.Archive, allRegions bool) {
	return r.all.Archives[name], r.regions == nil || r.all.AllRegions(r.allows)
}

// GeographiesAt appends the geographies that contain a point, smallest level first, then by area and id.
func (r *Release) GeographiesAt(dst []int, lng, lat float64, levels schemas.LevelSet) []int {
	first := len(dst)
	dst = r.all.Geographies.At(dst, lng, lat, levels)
	if r.own != nil {
		dst = r.addOwn(dst, first, lng, lat, levels)
	}
	if r.regions == nil {
		return dst
	}
	kept := dst[:first]
	for _, i := range dst[first:] {
		if r.shows(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// addOwn adds the customer's geographies at a point to the others, which begin at first.
func (r *Release) addOwn(dst []int, first int, lng, lat float64, levels schemas.LevelSet) []int {
	public := len(dst)
	dst = r.own.At(dst, lng, lat, levels)
	if len(dst) == public {
		return dst
	}
	for n := range dst[public:] {
		dst[public+n] += r.public
	}
	slices.SortFunc(dst[first:], func(i, j int) int { // as geographies.pack is sorted
		a, i := r.tables(i)
		b, j := r.tables(j)
		return cmp.Or(cmp.Compare(a.Geographies.Level(i), b.Geographies.Level(j)), cmp.Compare(a.Geographies.AreaM2(i), b.Geographies.AreaM2(j)),
			cmp.Compare(a.Geographies.ID(i), b.Geographies.ID(j)))
	})
	return dst
}

// GeographiesNamed finds geographies by name, of which q.Admit may leave out some.
func (r *Release) GeographiesNamed(q *names.Query, result *names.Result) {
	if wanted := q.Admit; r.regions != nil {
		q.Admit = func(i int) bool { return r.shows(i) && (wanted == nil || wanted(i)) }
	}
	if r.own != nil {
		r.private = true
		q.Beside, q.Within = r.own.NamesBeside(r.besideNames), r.containing
	}
	q.Stop = r.Stop
	r.all.Names.Search(q, result)
}

// besideNames prepares the names of the customer's geographies that are found.
func (r *Release) besideNames(found []uint32) *names.Beside {
	sees := func(j int) bool { _, ok := slices.BinarySearch(found, uint32(j)); return ok }
	places, own := &r.all.Tables, &r.own.Tables
	beside := names.NewBeside(places.Names, own.Names, sees, func(j, i int) bool { // as package names sorts
		return cmp.Or(cmp.Compare(own.Population(j), places.Population(i)), cmp.Compare(own.Geographies.Level(j), places.Geographies.Level(i)),
			cmp.Compare(places.Geographies.ID(i), own.Geographies.ID(j))) > 0
	})
	beside.From = r.public
	return beside
}

// containing are the geographies of larger levels that contain the centroid of geography i.
func (r *Release) containing(i int) []int {
	t, n := r.tables(i)
	centroid, level := t.Geographies.Centroid(n), t.Geographies.Level(n)
	return slices.DeleteFunc(r.GeographiesAt(nil, centroid[0], centroid[1], 0), func(j int) bool {
		t, n := r.tables(j)
		return t.Geographies.Level(n) <= level
	})
}
