package serve

import (
	"quartier/internal/areal"
	"quartier/internal/pack/access"
	"quartier/internal/pack/names"
	"quartier/internal/pack/people"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/serve/release"
)

// view is a release as one credential may see it. Every product asks it, and nothing else reads a release: what a
// credential must not see is left out here, before anything is counted.
type view struct {
	release *release.Release
	regions []string // codes such as "CA" and "US_OR"; nil: everywhere
	codes   []string // memory for the codes at a point
}

// done gives the release back.
func (v *view) done() {
	if v.release != nil {
		v.release.Done()
	}
}

// allows reports whether any of the region codes is the credential's to see.
func (v *view) allows(codes []string) bool {
	if v.regions == nil {
		return true
	}
	for _, code := range codes {
		for _, allowance := range v.regions {
			if schemas.RegionMatches(code, allowance) {
				return true
			}
		}
	}
	return false
}

// shows reports whether a geography is the credential's to see, which goes by its place. Look-ups by point, by name and
// by id all ask here.
func (v *view) shows(i int) bool {
	return v.regions == nil || v.allows(v.release.Home(i))
}

// place judges the point that a request is about: errOutside where the release covers no such place, errRegion where
// the credential may not ask about it.
func (v *view) place(lng, lat float64) error {
	v.codes = v.release.Geographies.RegionsAt(v.codes[:0], lng, lat)
	if len(v.codes) == 0 {
		return errOutside
	}
	if !v.allows(v.codes) {
		return errRegion
	}
	return nil
}

// geography finds a geography by its id; errRegion where the credential may not see it.
func (v *view) geography(id string) (int, error) {
	i, ok := v.release.Geographies.ByID(id)
	if !ok {
		return 0, errNoGeography
	}
	if !v.shows(i) {
		return 0, errRegion
	}
	return i, nil
}

// geographiesAt appends the geographies around a point, smallest level first.
func (v *view) geographiesAt(dst []int, lng, lat float64, levels schemas.LevelSet) []int {
	table := v.release.Geographies
	dst = table.At(dst, lng, lat, levels)
	if v.regions == nil {
		return dst
	}
	kept := dst[:0]
	for _, i := range dst {
		if v.shows(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// geographiesNamed finds geographies by name.
func (v *view) geographiesNamed(q *names.Query, r *names.Result) {
	if v.regions != nil {
		q.Admit = v.shows
	}
	v.release.Names.Search(q, r)
}

// pois finds enhanced POIs.
func (v *view) pois(q *pois.Query, r *pois.Result) {
	q.Regions = v.regions
	v.release.POIs.Search(q, r)
}

// basePOIs finds base POIs.
func (v *view) basePOIs(q *pois.BaseQuery, r *pois.BaseResult) {
	q.Regions = v.regions
	v.release.POIs.SearchBase(q, r)
}

// valuesAt fills the measures and scores at a point; false where no street is near.
func (v *view) valuesAt(lng, lat float64, values *[schemas.ChannelCount]uint16) bool {
	spot, ok := v.release.Access.Locate(lng, lat)
	if ok {
		v.release.Access.Values(spot, values)
	}
	return ok
}

// geographyValues are the scores of a geography that the credential may see, absent where there are none.
func (v *view) geographyValues(i int) [schemas.ChannelCount - int(schemas.FirstScore)]uint16 {
	values, ok := v.release.Access.Geography(v.release.Geographies.ID(i))
	if !ok {
		for s := range values {
			values[s] = schemas.AbsentValue
		}
	}
	return values
}

// people adds up the small areas in a shape, of the country of the place that was judged last, and tells the country.
func (v *view) people(shape *areal.Shape, out *smallareas.Estimates) (country string) {
	country = v.codes[0][:len("CA")]
	v.release.SmallAreas.Estimate(shape, smallareas.Scope{Country: country, Regions: v.regions}, out)
	return country
}

// geographyPeople are the variables of a geography that the credential may see; false where there are none.
func (v *view) geographyPeople(i int) (people.Record, bool) {
	return v.release.People.Find(v.release.Geographies.ID(i))
}

// levelType is what a geography is called by its level.
func (v *view) levelType(i int) schemas.Text {
	table, state := v.release.Geographies, ""
	if regions := table.Regions(i); len(regions) > 0 {
		state = regions[0][len("CA_"):]
	}
	return table.Level(i).Label(table.Country(i), state)
}

// typology is the built environment of a cell of geohash-7; errNothing where there is none.
func (v *view) typology(cell string) (access.Typology, error) {
	typology, ok := v.release.Access.Typology(cell)
	if !ok {
		return typology, errNothing
	}
	return typology, nil
}

// deprecation is what /{geog_id} answers of a geography say where its boundary version was superseded; nil elsewhere.
func (v *view) deprecation(i int) *schemas.Deprecation {
	replacedBy, superseded := v.release.Geographies.Superseded(i)
	if !superseded {
		return nil
	}
	if replacedBy == "" {
		return &schemas.Deprecation{}
	}
	return &schemas.Deprecation{ReplacedBy: &schemas.GeogRef{GeogID: replacedBy}}
}
