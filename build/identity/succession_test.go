package identity

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestSuccession runs the cases of testdata/succession.txt. A case is the command "first-release", which starts a new
// history, and then releases. The input of both is a line "key west south east north" in kilometres for each geography; keys
// have levels as boxes says. The argument homes=(N,WEST,EAST,…)
// spreads N households evenly from WEST to EAST along the line y = 0.5, unknown=(WEST,EAST) is a strip without counts.
func TestSuccession(t *testing.T) {
	var c chain
	datadriven.RunTest(t, "testdata/succession.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "first-release" {
			c = chain{}
		}
		c.homes, c.unknown = nil, nil
		for _, arg := range d.CmdArgs {
			var v []float64
			for _, text := range arg.Vals {
				n, err := strconv.ParseFloat(text, 64)
				if err != nil {
					d.Fatalf(t, "%s: %v", arg.Key, err)
				}
				v = append(v, n)
			}
			switch arg.Key {
			case "homes":
				for ; len(v) >= 3; v = v[3:] {
					for i := range int(v[0]) {
						c.homes = append(c.homes, household{1000 * (v[1] + (v[2]-v[1])*(float64(i)+0.5)/v[0]), 500})
					}
				}
			case "unknown":
				c.unknown = append(c.unknown, box{1000 * v[0], 0, 1000 * v[1], 1e6})
			default:
				d.Fatalf(t, "unknown argument %s", arg.Key)
			}
		}
		r := boxes{}
		for line := range strings.Lines(d.Input) {
			var key string
			var b box
			if _, err := fmt.Sscan(line, &key, &b.west, &b.south, &b.east, &b.north); err != nil {
				d.Fatalf(t, "%q: %v", line, err)
			}
			r[key] = box{b.west * 1000, b.south * 1000, b.east * 1000, b.north * 1000}
		}
		before := c.past
		ids, err := c.next(r)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return result(before, ids)
	})
}

// result lists the ids of a release by key, then all superseded ids with their successors, and where an id was
// superseded in this release, how, and which share of it the new geographies cover. Ids are given as key.version.
func result(before History, ids *Assignment) string {
	name := map[string]string{"": "none"}
	for _, v := range ids.Versions {
		name[v.ID] = fmt.Sprintf("%s.%d", v.IDKey, v.Number)
	}
	for _, s := range ids.Superseded {
		name[s.ID] = fmt.Sprintf("%s.%d", s.IDKey, s.Number)
	}
	kept := map[string]bool{}
	for _, o := range before.Current {
		kept[o.ID] = true
	}
	var lines strings.Builder
	for _, v := range ids.Versions {
		status := "new"
		if kept[v.ID] {
			status = "kept"
		}
		fmt.Fprintf(&lines, "%s is %s, %s\n", v.Key, name[v.ID], status)
	}
	for _, s := range inNameOrder(ids.Superseded) {
		fmt.Fprintf(&lines, "%s replaced by %s", name[s.ID], name[s.ReplacedBy])
		for _, b := range ids.Bridges {
			if b.Old == s.ID && kept[s.ID] {
				fmt.Fprintf(&lines, ", %s %s %s", b.Kind, name[b.New], sharesOf(b))
			}
		}
		lines.WriteString("\n")
	}
	return lines.String()
}

// sharesOf is the share of area; where households are known, both shares with the measure that decided.
func sharesOf(b Bridge) string {
	if b.HouseholdShare == nil {
		return fmt.Sprintf("%.2f", b.AreaShare)
	}
	return fmt.Sprintf("(area %.2f, households %.2f, by %s)", b.AreaShare, *b.HouseholdShare, b.Measure)
}

func inNameOrder(list []Superseded) []Superseded {
	return slices.SortedFunc(slices.Values(list), func(a, b Superseded) int {
		return cmp.Or(cmp.Compare(a.IDKey, b.IDKey), cmp.Compare(a.Number, b.Number))
	})
}
