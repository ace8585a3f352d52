package compare

import (
	"cmp"
	"slices"

	"quartier/schemas"
	"quartier/schemas/reason"
)

// IssueChange is the number of rows that both releases rejected, repaired or skipped for one reason, in all regions.
type IssueChange struct {
	Severity     reason.Severity
	Code         string
	Older, Newer int64
}

// compareIssues counts the issues of sources and steps by reason, ordered by severity and code.
func compareIssues(older, newer *schemas.Manifest) []IssueChange {
	changes := map[IssueChange]*IssueChange{} // by severity and code
	count := func(m *schemas.Manifest, rows func(*IssueChange) *int64) {
		add := func(i schemas.ReleaseIssue) {
			key := IssueChange{Severity: i.Severity, Code: i.Code}
			if changes[key] == nil {
				changes[key] = &IssueChange{Severity: i.Severity, Code: i.Code}
			}
			*rows(changes[key]) += i.Rows
		}
		for _, s := range m.Sources {
			for _, i := range s.Issues {
				add(i)
			}
		}
		for _, s := range m.Steps {
			add(s.ReleaseIssue)
		}
	}
	count(older, func(c *IssueChange) *int64 { return &c.Older })
	count(newer, func(c *IssueChange) *int64 { return &c.Newer })
	list := make([]IssueChange, 0, len(changes))
	for _, c := range changes {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b IssueChange) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code))
	})
	return list
}
