package schools

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
)

// pair is two groups that may be one school. The smallest pairs are taken first.
type pair struct {
	kept, other   int // in the lists of matcher
	rule          int // index in ruleReasons
	folded, plain float64
	metres        float64 // +Inf: one is not placed
}

// ruleReasons are the reasons of the rules in the order in which they are applied.
var ruleReasons = []string{schemas.SchoolName, schemas.SchoolSimilarName, schemas.SchoolAddress, schemas.SchoolMovedName}

const (
	byName = iota
	bySimilarName
	byAddress
	byMovedName
)

func (a pair) compare(b pair) int {
	return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(b.plain, a.plain), cmp.Compare(b.folded, a.folded), cmp.Compare(a.metres, b.metres),
		cmp.Compare(a.kept, b.kept), cmp.Compare(a.other, b.other))
}

// merge merges the groups of one school: those of the first source with those of the second, what results with those of the
// third and so on. A source lists a school once, so that of the groups of a source at most one is merged into another, the
// most similar pair first. groups are in the order of their first records.
//
// For example, a city lists "St. Peter High School", and a directory has "St Peter High School" of grades 9–12 and "St Peter
// Intermediate School" of 7 and 8 in the building. All are "saint peter". The first two have the more similar names and are
// one; the third stays a school of its own.
func merge(groups []*group, c *calibration.Schools, issues *issue.Counter) (kept []*group) {
	sources := 0
	for len(groups) > 0 {
		source := groups[0].first().SourceID
		end := 1
		for end < len(groups) && groups[end].first().SourceID == source {
			end++
		}
		m := &matcher{c: c, kept: kept, others: groups[:end]}
		kept, groups = m.merge(), groups[end:]
		sources++
	}
	for _, g := range kept {
		if sources > 1 && len(g.members) == 1 {
			issues.Add(unmergedReasons[g.why].With(g.first().SourceID), g.first().label())
		}
	}
	return kept
}

// matcher merges the groups of a source into those of the sources before.
type matcher struct {
	c            *calibration.Schools
	kept, others []*group
	pairs        []pair
}

// merge returns the kept groups and those of the others that are merged into none.
func (m *matcher) merge() []*group {
	m.near()
	m.named()
	slices.SortFunc(m.pairs, pair.compare)
	merged, taken := make([]bool, len(m.others)), make([]bool, len(m.kept))
	for _, p := range m.pairs {
		kept, other := m.kept[p.kept], m.others[p.other]
		if merged[p.other] || taken[p.kept] {
			kept.why.note(unmergedOther)
			other.why.note(unmergedOther)
			continue
		}
		merged[p.other], taken[p.kept] = true, true
		kept.absorb(other, ruleReasons[p.rule])
	}
	all := slices.Clone(m.kept)
	for i, g := range m.others {
		if !merged[i] {
			all = append(all, g)
		}
	}
	return all
}

// near finds the pairs of groups that are near each other.
func (m *matcher) near() {
	var points []coord.Point
	var places []int
	for i, g := range m.kept {
		if p, ok := coord.NewPoint(g.at[0], g.at[1]); ok && g.placed {
			points, places = append(points, p), append(places, i)
		}
	}
	index, order := pointindex.New(points, m.c.SameNameM)
	for j, other := range m.others {
		p, ok := coord.NewPoint(other.at[0], other.at[1])
		if !ok || !other.placed {
			continue
		}
		index.Search(p, m.c.SameNameM, func(lo, hi int) {
			for _, item := range order[lo:hi] {
				m.compareNear(places[item], j)
			}
		})
	}
}

func (m *matcher) compareNear(i, j int) {
	kept, other := m.kept[i], m.others[j]
	p := pair{kept: i, other: j, metres: geo.Distance(kept.at, other.at)}
	if p.metres > m.c.SameNameM || kept.apart(other) {
		return
	}
	a, b := kept.names(), other.names()
	equal := equalNames(a, b)
	if !equal && p.metres > m.c.SimilarM {
		return
	}
	p.folded, p.plain = similarity(a, b)
	switch {
	case !equal && p.folded < m.c.Similar:
		kept.why.note(unmergedName)
		other.why.note(unmergedName)
	case kept.grades().contradicts(other.grades()):
		kept.why.note(unmergedGrades)
		other.why.note(unmergedGrades)
	case equal:
		m.pairs = append(m.pairs, p)
	default:
		p.rule = bySimilarName
		m.pairs = append(m.pairs, p)
	}
}
