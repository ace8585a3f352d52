package scope

import (
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/people"
	"quartier/internal/pack/profiles"
	"quartier/schemas"
	"quartier/serve/release"
)

// tables are those that have geography i, and its number there.
func (r *Release) tables(i int) (*release.Tables, int) {
	if i < r.public {
		return &r.all.Tables, i
	}
	r.private = true
	return &r.own.Tables, i - r.public
}

// AppendID appends the geog_id of geography i in quotes.
func (r *Release) AppendID(dst []byte, i int) []byte {
	t, i := r.tables(i)
	return t.Geographies.AppendID(dst, i)
}

// AppendMember appends the JSON member of geography i: its quoted id, a colon and its entry, a schemas.Geography. The
// geometry is empty unless it is requested and the geography is Canadian. A large one is not appended but returned.
func (r *Release) AppendMember(dst []byte, i int, withGeometry bool) (out []byte, large pack.Insert) {
	t, i := r.tables(i)
	return t.Geographies.AppendMember(dst, i, withGeometry)
}

// Name is the name of geography i in both languages.
func (r *Release) Name(i int) schemas.Text {
	t, i := r.tables(i)
	return t.Geographies.Name(i)
}

// Country is the country code of geography i, "CA" or "US".
func (r *Release) Country(i int) string {
	t, i := r.tables(i)
	return t.Geographies.Country(i)
}

// BBox is the bounding box of geography i in degrees.
func (r *Release) BBox(i int) orb.Bound {
	t, i := r.tables(i)
	return t.Geographies.BBox(i)
}

// Centroid is a point inside geography i in degrees.
func (r *Release) Centroid(i int) orb.Point {
	t, i := r.tables(i)
	return t.Geographies.Centroid(i)
}

// Area is the outline of geography i.
func (r *Release) Area(i int) coord.Area {
	t, i := r.tables(i)
	return t.Geographies.Area(i)
}

// Level is the level of geography i.
func (r *Release) Level(i int) schemas.Level {
	t, i := r.tables(i)
	return t.Geographies.Level(i)
}

// LevelType is the name of the level of geography i, which depends on its country and state.
func (r *Release) LevelType(i int) schemas.Text {
	t, i := r.tables(i)
	state := ""
	if regions := t.Geographies.Regions(i); len(regions) > 0 {
		_, state, _ = strings.Cut(regions[0], "_")
	}
	return t.Geographies.Level(i).Label(t.Geographies.Country(i), state)
}

// Scores returns the scores of geography i, schemas.AbsentValue where one is not known.
func (r *Release) Scores(i int) [access.ScoreCount]uint16 {
	t, i := r.tables(i)
	values, ok := t.Access.Geography(t.Geographies.ID(i))
	if !ok {
		for s := range values {
			values[s] = schemas.AbsentValue
		}
	}
	return values
}

// Demographics returns the demographics of geography i; false where there are none.
func (r *Release) Demographics(i int) (people.Record, bool) {
	t, i := r.tables(i)
	return t.People.Find(t.Geographies.ID(i))
}

// Profile returns the texts about geography i in a language; false where there are none.
func (r *Release) Profile(i int, language string) (profiles.Text, bool) {
	t, i := r.tables(i)
	return t.Profiles.Find(t.Geographies.ID(i), language)
}

// Deprecation is the note in answers about geography i where its boundary version is superseded, or it is a private one that
// its customer had deprecated; else nil.
func (r *Release) Deprecation(i int) *schemas.Deprecation {
	t, n := r.tables(i)
	replacedBy, superseded := t.Geographies.Superseded(n)
	switch {
	case replacedBy != "":
		return &schemas.Deprecation{ReplacedBy: &schemas.GeogRef{GeogID: replacedBy}}
	case superseded, i >= r.public && r.own.Owners.Deprecated(n):
		return &schemas.Deprecation{}
	}
	return nil
}

// Market returns the market statistics that a geography of an id would be in: those of the customer's private geographies for
// one of them, else those of places, "" included; and the name of these statistics in ETags, "" where Private is true. It fails
// with ErrNoListings where the release has none.
func (r *Release) Market(id string) (m *release.Market, version string, err error) {
	if i, err := r.Geography(id); err == nil && i >= r.public {
		r.private = true
		m, err = r.market(r.all.PrivateMarket, schemas.PrivateMarket)
		return m, "", err
	}
	if m, err = r.market(r.all.Market, schemas.Market); err == nil {
		version = m.Manifest.Digest
	}
	return m, version, err
}

func (r *Release) market(m *release.Market, name string) (*release.Market, error) {
	switch {
	case m != nil:
		return m, nil
	case r.all.Withdrawn(name):
		return nil, ErrDamaged
	}
	return nil, ErrNoListings
}

// MarketGeography finds the geography of an id in the market statistics that Market returned for it: ErrNoListings where there
// are no listings of its state.
func (r *Release) MarketGeography(id string, m *release.Market) (i, inTable int, err error) {
	i, err = r.Geography(id)
	if err != nil {
		return 0, 0, err
	}
	t, n := r.tables(i)
	if m.Table.Zone(n) == "" || !slices.ContainsFunc(t.Geographies.Regions(n), m.Table.HasState) {
		return 0, 0, ErrNoListings
	}
	return i, n, nil
}

// Deprecated reports whether the geography that Geography found last has a note of Deprecation: since when, the zero
// time where that is not known, and the geog_id of the current version, "" where there is none.
func (r *Release) Deprecated() (since time.Time, replacedBy string, ok bool) {
	if r.asked == 0 {
		return since, "", false
	}
	note := r.Deprecation(r.asked - 1)
	if note == nil {
		return since, "", false
	}
	if note.ReplacedBy != nil {
		replacedBy = note.ReplacedBy.GeogID
	}
	t, n := r.tables(r.asked - 1)
	return t.Geographies.SupersededSince(n), replacedBy, true
}
