package geography

import (
	"cmp"
	"slices"

	"quartier/schemas"
	"quartier/transform/issue"
	"quartier/transform/places/normalize"
)

var (
	noSuchGeography = Reasons.Skipped("no_such_geography", "No geography of this place's name and level contains it.")
	sameNameAsNamed = Reasons.Skipped("named_already",
		"Another place of the gazetteers with the same name is in the same geography, which has its names.")
	settlementLevels = []schemas.Level{schemas.Municipality, schemas.CountySubdivision, schemas.Borough, schemas.Neighbourhood}
)

// nameByGazetteer gives the names of each gazetteer place to the geography that contains it and has one of its names. A
// settlement may be of several levels; it is the first of them that has its name. Of several places in one geography the
// first one by its own name, else by another name, counts.
//
// For example, the settlement Saint-Aubin (names Saint-Aubin, St-Aubin) is the municipality Saint-Aubin; if that has another
// name, it may be the borough or the neighbourhood Saint-Aubin at its point.
func nameByGazetteer(list []Geography, gazetteer []GazetteerPlace, issues *issue.Counter) {
	if len(gazetteer) == 0 {
		return
	}
	levels := map[schemas.Level]*containers{}
	for _, level := range schemas.Levels {
		levels[level] = newContainers(list, level)
	}
	named := map[string]string{} // name of the place by geography
	for _, p := range gazetteer {
		candidates := []schemas.Level{p.Level}
		if p.Level == schemas.Municipality {
			candidates = settlementLevels
		}
		var found *Geography
		for _, level := range candidates {
			if found = levels[level].named(&p); found != nil {
				break
			}
		}
		switch {
		case found == nil:
			issues.Add(noSuchGeography, p.Key+" "+p.Names[0].Name)
		case named[found.Key] != "":
			issues.Add(sameNameAsNamed, p.Key+" "+p.Names[0].Name)
		default:
			named[found.Key] = p.Key
			found.Names = append(found.Names, p.Names...)
		}
	}
}

// named is the smallest geography that contains a place and has one of its names, its own name before another; nil if there
// is none.
func (h *containers) named(p *GazetteerPlace) *Geography {
	var best *Geography
	rank := 0
	h.index.At(p.Point, func(i int) bool {
		g := h.list[i]
		n := slices.IndexFunc(p.Names, func(name Name) bool { return sameName(name.Name, g.NameEN) || sameName(name.Name, g.NameFR) })
		if n >= 0 && h.outlines[i].Contains(p.Point) &&
			(best == nil || cmp.Or(cmp.Compare(min(n, 1), rank), cmp.Compare(g.AreaM2, best.AreaM2)) < 0) {
			best, rank = g, min(n, 1)
		}
		return true
	})
	return best
}

// furtherNames are the names of a geography that differ from the two that it shows, each once.
func furtherNames(g *Geography) []Name {
	seen := map[string]bool{"": true, g.NameEN: true, g.NameFR: true}
	var kept []Name
	for _, n := range g.Names {
		if normalize.Name(n.Name) != "" && !seen[n.Name] {
			seen[n.Name] = true
			kept = append(kept, n)
		}
	}
	return kept
}
