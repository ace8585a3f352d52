package compare

import (
	"cmp"
	"slices"

	"quartier/schemas"
	"quartier/schemas/reason"
)

// SourceChange is what became of a source.
type SourceChange struct {
	Source       string     // region/source
	Older, Newer SourceRows // zero where the release does not have it
}

// SourceRows counts the rows of a source.
type SourceRows struct{ Read, Taken, Rejected int64 }

// RejectedShare is the share of the rows read that were rejected; 0 where none were read.
func (r SourceRows) RejectedShare() float64 {
	if r.Read == 0 {
		return 0
	}
	return float64(r.Rejected) / float64(r.Read)
}

// compareSources lists the sources of both releases by region and id.
func compareSources(older, newer *schemas.Manifest) []SourceChange {
	changes := map[string]*SourceChange{}
	for i, m := range []*schemas.Manifest{older, newer} {
		for _, s := range m.Sources {
			name := s.Region + "/" + s.ID
			c := changes[name]
			if c == nil {
				c = &SourceChange{Source: name}
				changes[name] = c
			}
			rows := SourceRows{Read: s.RowsRead, Taken: s.RowsStaged}
			for _, issue := range s.Issues {
				if issue.Severity == reason.Rejected {
					rows.Rejected += issue.Rows
				}
			}
			*[]*SourceRows{&c.Older, &c.Newer}[i] = rows
		}
	}
	list := make([]SourceChange, 0, len(changes))
	for _, c := range changes {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b SourceChange) int { return cmp.Compare(a.Source, b.Source) })
	return list
}

// licencesLost are the licence and attribution lines of the older release that the newer one does not have.
func licencesLost(older, newer *schemas.Manifest) (lost []string) {
	line := func(s *schemas.ReleaseSource) string { return s.Licence + ": " + s.Attribution }
	has := map[string]bool{}
	for i := range newer.Sources {
		has[line(&newer.Sources[i])] = true
	}
	for i := range older.Sources {
		if l := line(&older.Sources[i]); !has[l] {
			has[l] = true
			lost = append(lost, l)
		}
	}
	slices.Sort(lost)
	return lost
}
