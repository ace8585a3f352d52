// Package scope limits a release to what one client may see. Input: an open release and the regions of an agreement.
// Output: look-ups from which everything outside of these regions was removed before it was counted.
package scope

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/outline"
	"quartier/internal/pack/access"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/serve/release"
)

// Why a place or a geography cannot be answered. The texts are shown to callers.
var (
	ErrNoGeography = errors.New("no such geography")
	ErrLevel       = errors.New("a geography of a level that this endpoint does not take")
	ErrNoLevel     = errors.New("no geography of this level at this place")
	ErrOutside     = errors.New("no data for this place: it is outside the covered parts of Canada and the United States")
	ErrAbroad      = errors.New("this place is outside Canada and the United States")
	ErrUncovered   = errors.New("no source of the release covers this place")
	ErrRegion      = errors.New("this place is outside the regions of the agreement")
	ErrNoListings  = errors.New("no market statistics: they are of the states of the United States of which the release has listings")
	ErrNoTravel    = errors.New("no travel times: the release has no streets or no timetables for this mode")
	ErrDamaged     = errors.New("a component of the release is damaged and not served until there is another one")
)

// Release is a release as one client may see it. Endpoints read a release through its methods only.
//
// A geography is a number: first those of the component places, as in its packs, then those of the component private. A
// client gets numbers of private geographies of its customer alone, so that no other method has to ask whose they are.
type Release struct {
	all     *release.Release
	regions []string     // of the agreement, such as "CA" and "US_OR"; nil: everywhere
	own     *release.Own // private geographies of the customer; nil: none
	public  int          // number of geographies of the component places

	// Stop says that nobody waits for the answer any more, or that it takes too long: searches then end early, with any result.
	Stop func() bool

	private bool     // the answer may depend on private geographies
	asked   int      // one more than the geography that Geography found last; 0: none
	codes   []string // region codes of the place that CheckPlace checked last

	inAddresses []bool // of addressRegions; empty: not known yet
}

// Open gives r a release as a client of a customer, with the regions of its agreement, may see it. The release is closed by
// its own Done.
func (r *Release) Open(all *release.Release, customer string, regions []string) {
	r.OpenPublic(all, regions)
	r.own = all.Own(customer)
}

// OpenPublic is Open for callers who are no customer: there are no private geographies.
func (r *Release) OpenPublic(all *release.Release, regions []string) {
	r.all, r.regions, r.own, r.inAddresses = all, regions, nil, r.inAddresses[:0]
	r.public = all.Geographies.Len()
}

// Reset empties r and keeps its memory.
func (r *Release) Reset() { *r = Release{codes: r.codes[:0], inAddresses: r.inAddresses[:0]} }

// Unfiltered is the whole release, for the server itself; nil before Open.
func (r *Release) Unfiltered() *release.Release { return r.all }

// Manifest is that of the component places.
func (r *Release) Manifest() *schemas.Manifest { return r.all.Manifest }

// Private reports whether the answer may depend on private geographies. Its ETag is then made from its content: the digest of
// the component private depends on what other customers have.
func (r *Release) Private() bool { return r.private }

// allows reports whether any of the region codes is in the agreement.
func (r *Release) allows(codes []string) bool {
	if r.regions == nil {
		return true
	}
	for _, code := range codes {
		for _, allowed := range r.regions {
			if schemas.RegionMatches(code, allowed) {
				return true
			}
		}
	}
	return false
}

// shows reports whether the client may see geography i, which depends on the regions of its centroid. Look-ups by
// point, by name and by id all ask here.
func (r *Release) shows(i int) bool {
	switch {
	case r.regions == nil:
		return true
	case i < r.public:
		return r.allows(r.all.Regions(i))
	}
	return r.allows(r.own.Regions(i - r.public))
}

// CheckPlace checks the place that a request is about: ErrOutside where the release has no coverage, ErrRegion where
// the agreement does not include it.
func (r *Release) CheckPlace(lng, lat float64) error {
	r.codes = r.all.Geographies.RegionsAt(r.codes[:0], lng, lat)
	if len(r.codes) == 0 {
		return ErrOutside
	}
	if !r.allows(r.codes) {
		return ErrRegion
	}
	return nil
}

// CheckCountry checks a place that need not be covered by the release: ErrAbroad outside of Canada and the United States,
// ErrRegion where the agreement does not include it. Where the release has no outlines, those that come with the program are
// right to about 500 m, and reach 10 km out to sea.
func (r *Release) CheckCountry(lng, lat float64) error {
	r.codes = r.all.Geographies.RegionsAt(r.codes[:0], lng, lat)
	if len(r.codes) == 0 {
		code := outline.At(orb.Point{lng, lat})
		if code == "" {
			return ErrAbroad
		}
		r.codes = append(r.codes, code)
	}
	if !r.allows(r.codes) {
		return ErrRegion
	}
	return nil
}

// CheckCovered checks an outline with a centroid that CheckCountry has found in a country: ErrUncovered where the release has
// nothing of that state or, as far as its ground is known, no land in the outline. Of one that crosses the antimeridian the
// state alone is judged.
func (r *Release) CheckCovered(outline orb.Ring, lng, lat float64) error {
	codes := r.all.Geographies.RegionsAt(nil, lng, lat)
	if len(codes) == 0 {
		return fmt.Errorf("%w: it has no data of %s", ErrUncovered, r.codes[0])
	}
	bound := outline.Bound()
	if bound.Min[0] < -180 || bound.Max[0] > 180 || !slices.ContainsFunc(codes, r.all.SmallAreas.KnowsGround) {
		return nil
	}
	if shape := areal.Polygons(orb.MultiPolygon{{outline}}); !r.all.SmallAreas.HasGround(shape, r.Stop) {
		return fmt.Errorf("%w: there is no land of %s", ErrUncovered, strings.Join(codes, ", "))
	}
	return nil
}

// POIs finds POIs of the enhanced endpoints.
func (r *Release) POIs(q *pois.Query, result *pois.Result) {
	q.Regions, q.Stop = r.regions, r.Stop
	r.all.POIs.Search(q, result)
}

// BasePOIs finds POIs of /v3/pois.
func (r *Release) BasePOIs(q *pois.BaseQuery, result *pois.BaseResult) {
	q.Regions, q.Stop = r.regions, r.Stop
	r.all.POIs.SearchBase(q, result)
}

// POIsNamed finds POIs by name.
func (r *Release) POIsNamed(q *pois.NameQuery, result *pois.NameResult) {
	q.Regions, q.Stop = r.regions, r.Stop
	r.all.POIs.SearchNames(q, result)
}

// Schools finds schools.
func (r *Release) Schools(q *schools.Query, result *schools.Result) {
	q.Regions, q.Stop = r.regions, r.Stop
	r.all.Schools.Search(q, result)
}

// ValuesAt interpolates the measures and scores at a point; false where no street is near.
func (r *Release) ValuesAt(lng, lat float64, values *[schemas.ChannelCount]uint16) bool {
	spot, ok := r.all.Access.Locate(lng, lat)
	if ok {
		r.all.Access.Values(spot, values)
	}
	return ok
}

// People adds up the small areas in a shape, in the country of the place that CheckPlace checked last, and returns that
// country, "CA" or "US".
func (r *Release) People(shape *areal.Shape, out *smallareas.Estimates) (country string) {
	country = r.codes[0][:len("CA")]
	r.all.SmallAreas.Estimate(shape, smallareas.Scope{Country: country, Regions: r.regions, Stop: r.Stop}, out)
	return country
}

// Coverage is the share of the ground in the shape that small areas cover, of the country of the place that CheckPlace
// checked last and the regions of the agreement.
func (r *Release) Coverage(shape *areal.Shape) float64 {
	return r.all.SmallAreas.Coverage(shape, smallareas.Scope{Country: r.codes[0][:len("CA")], Regions: r.regions, Stop: r.Stop})
}

// Typology is that of a geohash-7 cell; false where it has none.
func (r *Release) Typology(cell string) (access.Typology, bool) {
	return r.all.Access.Typology(cell)
}

// POITable has the records of the POIs that were found.
func (r *Release) POITable() *pois.Table { return r.all.POIs }

// SchoolTable has the records of the schools that were found.
func (r *Release) SchoolTable() *schools.Table { return r.all.Schools }
