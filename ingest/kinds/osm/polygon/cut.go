package polygon

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
)

// AssembleCut is Assemble of an outline of which some lines are missing: of lines that are connected the two open ends are
// joined by a straight line. Lines with more open ends are left out. It returns ErrEmpty where nothing was joined: an island
// would be taken for the lake whose shore is missing.
//
// For example, of a lake that an extract cuts in two, the shore in the file and a straight line along the cut remain.
func AssembleCut(lines []orb.LineString) (orb.MultiPolygon, error) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line orb.LineString) bool { return len(line) < 2 })
	var whole []orb.LineString
	joined := false
	for _, part := range connected(lines) {
		ends := openEnds(part)
		if len(ends) == 2 {
			part, joined = append(part, orb.LineString(ends)), true
		}
		if len(ends) <= 2 {
			whole = append(whole, part...)
		}
	}
	if !joined {
		return nil, ErrEmpty
	}
	return Assemble(whole)
}

// connected groups lines that share ends, in the order of their first lines.
func connected(lines []orb.LineString) (groups [][]orb.LineString) {
	at := map[orb.Point][]int{} // lines by their ends
	for i, line := range lines {
		at[line[0]] = append(at[line[0]], i)
		at[line[len(line)-1]] = append(at[line[len(line)-1]], i)
	}
	seen := make([]bool, len(lines))
	for first := range lines {
		var group []orb.LineString
		for rest := []int{first}; len(rest) > 0; rest = rest[1:] {
			i := rest[0]
			if seen[i] {
				continue
			}
			seen[i] = true
			group = append(group, lines[i])
			rest = append(rest, at[lines[i][0]]...)
			rest = append(rest, at[lines[i][len(lines[i])-1]]...)
		}
		if group != nil {
			groups = append(groups, group)
		}
	}
	return groups
}

// openEnds are the points at which an odd number of lines end, sorted.
func openEnds(lines []orb.LineString) (open []orb.Point) {
	count := map[orb.Point]int{}
	for _, line := range lines {
		count[line[0]]++
		count[line[len(line)-1]]++
	}
	for p, n := range count {
		if n%2 != 0 {
			open = append(open, p)
		}
	}
	slices.SortFunc(open, func(a, b orb.Point) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return open
}
