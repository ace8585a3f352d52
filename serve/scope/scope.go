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
	"quartier/internal/pack/names"
	"quartier/internal/pack/people"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/profiles"
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
	ErrRegion      = errors.New("this place is outside the regions of the agreement")
	ErrNoListings  = errors.New("no market statistics: they are of the states of the United States of which the release has listings")
	ErrDamaged     = errors.New("the market statistics are damaged and not served until there are new ones")
)

// Release is a release as one client may see it. Endpoints read a release through its methods only.
type Release struct {
	All     *release.Release // unfiltered: to be used only for records that a method returned
	Regions []string         // of the agreement, such as "CA" and "US_OR"; nil: everywhere

	codes []string // region codes of the place that CheckPlace checked last
}

// Reset empties r and keeps its memory.
func (r *Release) Reset() { *r = Release{codes: r.codes[:0]} }

// allows reports whether any of the region codes is in the agreement.
func (r *Release) allows(codes []string) bool {
	if r.Regions == nil {
		return true
	}
	for _, code := range codes {
		for _, allowed := range r.Regions {
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
	return r.Regions == nil || r.allows(r.All.Regions(i))
}

// CheckPlace checks the place that a request is about: ErrOutside where the release has no coverage, ErrRegion where
// the agreement does not include it.
func (r *Release) CheckPlace(lng, lat float64) error {
	r.codes = r.All.Geographies.RegionsAt(r.codes[:0], lng, lat)
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
	r.codes = r.All.Geographies.RegionsAt(r.codes[:0], lng, lat)
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

// Geography finds a geography by its id: ErrNoGeography, or ErrRegion where the client may not see it.
func (r *Release) Geography(id string) (int, error) {
	i, ok := r.All.Geographies.ByID(id)
	if !ok {
		return 0, ErrNoGeography
	}
	if !r.shows(i) {
		return 0, ErrRegion
	}
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

// GeographiesAt appends the geographies that contain a point, smallest level first.
func (r *Release) GeographiesAt(dst []int, lng, lat float64, levels schemas.LevelSet) []int {
	first := len(dst)
	dst = r.All.Geographies.At(dst, lng, lat, levels)
	if r.Regions == nil {
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

// GeographiesNamed finds geographies by name.
func (r *Release) GeographiesNamed(q *names.Query, result *names.Result) {
	if r.Regions != nil {
		q.Admit = r.shows
	}
	r.All.Names.Search(q, result)
}

// POIs finds POIs of the enhanced endpoints.
func (r *Release) POIs(q *pois.Query, result *pois.Result) {
	q.Regions = r.Regions
	r.All.POIs.Search(q, result)
}

// BasePOIs finds POIs of /v3/pois.
func (r *Release) BasePOIs(q *pois.BaseQuery, result *pois.BaseResult) {
	q.Regions = r.Regions
	r.All.POIs.SearchBase(q, result)
}

// Schools finds schools.
func (r *Release) Schools(q *schools.Query, result *schools.Result) {
	q.Regions = r.Regions
	r.All.Schools.Search(q, result)
}

// ValuesAt interpolates the measures and scores at a point; false where no street is near.
func (r *Release) ValuesAt(lng, lat float64, values *[schemas.ChannelCount]uint16) bool {
	spot, ok := r.All.Access.Locate(lng, lat)
	if ok {
		r.All.Access.Values(spot, values)
	}
	return ok
}

// GeographyScores returns the scores of geography i, schemas.AbsentValue where one is not known.
func (r *Release) GeographyScores(i int) [access.ScoreCount]uint16 {
	values, ok := r.All.Access.Geography(r.All.Geographies.ID(i))
	if !ok {
		for s := range values {
			values[s] = schemas.AbsentValue
		}
	}
	return values
}

// People adds up the small areas in a shape, in the country of the place that CheckPlace checked last, and returns that
// country, "CA" or "US".
func (r *Release) People(shape *areal.Shape, out *smallareas.Estimates) (country string) {
	country = r.codes[0][:len("CA")]
	r.All.SmallAreas.Estimate(shape, smallareas.Scope{Country: country, Regions: r.Regions}, out)
	return country
}

// Coverage is the share of the ground in the shape that small areas cover, of the country of the place that CheckPlace
// checked last and the regions of the agreement.
func (r *Release) Coverage(shape *areal.Shape) float64 {
	return r.All.SmallAreas.Coverage(shape, smallareas.Scope{Country: r.codes[0][:len("CA")], Regions: r.Regions})
}

// GeographyPeople returns the demographics of geography i; false where there are none.
func (r *Release) GeographyPeople(i int) (people.Record, bool) {
	return r.All.People.Find(r.All.Geographies.ID(i))
}

// Profile returns the texts about geography i in a language; false where there are none.
func (r *Release) Profile(i int, language string) (profiles.Text, bool) {
	return r.All.Profiles.Find(r.All.Geographies.ID(i), language)
}

// Market returns the market statistics: ErrNoListings where the release has none.
func (r *Release) Market() (*release.Market, error) {
	switch {
	case r.All.Market != nil:
		return r.All.Market, nil
	case r.All.Withdrawn(schemas.Market):
		return nil, ErrDamaged
	}
	return nil, ErrNoListings
}

// MarketGeography is Geography for a geography that has market statistics: ErrNoListings where there are no listings of its
// state.
func (r *Release) MarketGeography(id string) (int, error) {
	i, err := r.Geography(id)
	if err != nil {
		return 0, err
	}
	table := r.All.Market.Table
	if table.Zone(i) == "" || !slices.ContainsFunc(r.All.Geographies.Regions(i), table.HasState) {
		return 0, ErrNoListings
	}
	return i, nil
}

// LevelType is the name of the level of geography i, which depends on its country and state.
func (r *Release) LevelType(i int) schemas.Text {
	table, state := r.All.Geographies, ""
	if regions := table.Regions(i); len(regions) > 0 {
		state = regions[0][len("CA_"):]
	}
	return table.Level(i).Label(table.Country(i), state)
}

// Typology is that of a geohash-7 cell; false where it has none.
func (r *Release) Typology(cell string) (access.Typology, bool) {
	return r.All.Access.Typology(cell)
}

// Deprecation is the note in answers about geography i where its boundary version is superseded; else nil.
func (r *Release) Deprecation(i int) *schemas.Deprecation {
	replacedBy, superseded := r.All.Geographies.Superseded(i)
	if !superseded {
		return nil
	}
	if replacedBy == "" {
		return &schemas.Deprecation{}
	}
	return &schemas.Deprecation{ReplacedBy: &schemas.GeogRef{GeogID: replacedBy}}
}
