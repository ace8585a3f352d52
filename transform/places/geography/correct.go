package geography

import (
	"fmt"

	"quartier/schemas"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

var correctionOfOutline = Reasons.Rejected("correction_of_outline",
	"An outline can be dropped and renamed, but neither moved nor put in a category.")

// Correct applies the corrections whose key is that of an outline, in their order. It returns the outlines that are left, and
// by index in corrections those that were of an outline, also of one that was dropped before.
func Correct(boundaries []Boundary, corrections []staged.Correction) (kept []Boundary, of map[int]bool, issues []issue.Issue) {
	of = map[int]bool{}
	byKey := map[string][]int{} // several sources may have a key
	for i, b := range boundaries {
		byKey[b.Key] = append(byKey[b.Key], i)
	}
	count := issue.NewCounter("geography")
	dropped := map[int]bool{}
	for i, fix := range corrections {
		list := byKey[fix.PlaceKey]
		if fix.PlaceKey == "" || len(list) == 0 {
			continue
		}
		of[i] = true
		where := fmt.Sprintf("%s line %d: %s", fix.SourceID, fix.Line, fix.PlaceKey)
		switch {
		case dropped[list[0]]:
			count.Add(issue.CorrectionWithoutPlace.With(fix.Action), where)
			continue
		case fix.Action == schemas.DropPlace:
			for _, b := range list {
				dropped[b] = true
			}
		case fix.Action == schemas.RenamePlace:
			for _, b := range list {
				boundaries[b].rename(fix.NewName, fix.SourceID)
			}
		default:
			count.Add(correctionOfOutline.With(fix.Action), where)
			continue
		}
		count.Add(issue.CorrectionApplied.With(fix.Action), where)
	}
	for i, b := range boundaries {
		if !dropped[i] {
			kept = append(kept, b)
		}
	}
	return kept, of, count.Issues()
}

// rename gives a boundary another name in both languages. The old ones still find it.
func (b *Boundary) rename(name, source string) {
	for _, old := range []string{b.NameEN, b.NameFR} {
		if old != "" && old != name {
			b.Names = append(b.Names, Name{Name: old, Kind: "old", Source: source})
		}
	}
	b.NameEN, b.NameFR = name, name
}
