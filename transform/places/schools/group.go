package schools

import (
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
)

// sameSpotM is the distance in metres of two rows of a source that are one school, if they have one name and the same grades.
const sameSpotM = 50.0

// group is the records of one school in their order; the first is kept.
type group struct {
	c       *calibration.Schools
	members []member
	at      orb.Point // where it is
	placed  bool
	geocode bool // at is the place of an address

	why unmerged // why it is not merged with another, if it is not
}

// member is a record of a school and why it is one.
type member struct {
	*record
	reason string
}

func (g *group) first() *record { return g.members[0].record }

// add adds a record, and places the school: where its first record places it, but where another one has the site if the
// first has an address alone and is more than 250 m off.
func (g *group) add(r *record, reason string) {
	g.members = append(g.members, member{r, reason})
	if !r.placed() {
		return
	}
	if !g.placed || g.geocode && !r.Geocoded && geo.Distance(g.at, r.at()) > g.c.SameNameM {
		g.at, g.placed, g.geocode = r.at(), true, r.Geocoded
	}
}

// absorb adds the records of another group, the first of which is merged for a reason.
func (g *group) absorb(other *group, reason string) {
	for i, m := range other.members {
		if i == 0 {
			m.reason = reason
		}
		g.add(m.record, m.reason)
	}
}

// names are those of all records.
func (g *group) names() (all []name) {
	for _, m := range g.members {
		all = append(all, m.names...)
	}
	return all
}

// grades are those of the first record that has them.
func (g *group) grades() span {
	for _, m := range g.members {
		if m.record.grades.known {
			return m.record.grades
		}
	}
	return span{}
}

func (g *group) postalCode() string {
	for _, m := range g.members {
		if m.PostalCode != "" {
			return m.PostalCode
		}
	}
	return ""
}

// apart reports whether two groups are two schools whatever their names: a source has both, or an authority gives them
// different numbers.
func (g *group) apart(other *group) bool {
	for _, a := range g.members {
		for _, b := range other.members {
			if a.SourceID == b.SourceID || a.AuthorityID != b.AuthorityID && scheme(a.AuthorityID) == scheme(b.AuthorityID) && a.AuthorityID != "" {
				return true
			}
		}
	}
	return false
}

// scheme is the part of an id before its first colon.
func scheme(id string) string {
	before, _, _ := strings.Cut(id, ":")
	return before
}

// groups joins the records of one authority id or key, and rows that a source has twice. records are in their order.
func groups(records []*record, c *calibration.Schools, issues *issue.Counter) (list []*group) {
	byID := map[string]*group{}
	twice := map[string]*group{}
	for _, r := range records {
		key := "key " + r.SourceKey
		id := r.AuthorityID
		g := byID[key]
		if g == nil && id != "" {
			g = byID[id]
		}
		if g != nil && id != "" && twoSchools(g, r) {
			issues.Add(idOfTwoSchools, r.label())
			r.AuthorityID, id, g = "", "", nil
		}
		reason := schemas.SchoolAuthority
		if g == nil {
			g, reason = twice[r.spot()], schemas.SchoolName
			if g != nil && (!sameSpot(g.first(), r) || id != "" && g.first().AuthorityID != "" && id != g.first().AuthorityID) {
				g = nil
			}
		}
		if g == nil {
			g, reason = &group{c: c}, schemas.SchoolKept
			list = append(list, g)
		}
		g.add(r, reason)
		for _, k := range []string{key, id} {
			if k != "" && byID[k] == nil {
				byID[k] = g
			}
		}
		if k := r.spot(); k != "" && twice[k] == nil {
			twice[k] = g
		}
	}
	return list
}

// spot is common to the rows of a source that may be one school that it has twice; "" where that is unknown.
func (r *record) spot() string {
	if len(r.names) == 0 || !r.placed() {
		return ""
	}
	return r.SourceID + "\x00" + r.names[0].plain + "\x00" + r.Grades + "\x00" + r.Levels
}

// sameSpot reports whether two rows of a source are at one place.
func sameSpot(a, b *record) bool {
	return a.placed() && b.placed() && geo.Distance(a.at(), b.at()) <= sameSpotM
}

// twoSchools reports whether a source gives two schools one id: others have the name, and it is elsewhere.
func twoSchools(g *group, r *record) bool {
	for _, m := range g.members {
		if m.SourceID == r.SourceID && m.placed() && r.placed() && !equalNames(m.names, r.names) && geo.Distance(m.at(), r.at()) > g.c.SameNameM {
			return true
		}
	}
	return false
}
