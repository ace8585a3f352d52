package identity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestSuccession runs the cases of testdata/succession.txt. A case is the command "first-release", which starts a new
// history, and then releases. The input of both is a line "key west south east north" in kilometres for each geography.
func TestSuccession(t *testing.T) {
	var c chain
	datadriven.RunTest(t, "testdata/succession.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "first-release" {
			c = chain{}
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
				fmt.Fprintf(&lines, ", %s %s %.2f", b.Kind, name[b.New], b.Share)
			}
		}
		lines.WriteString("\n")
	}
	return lines.String()
}

func inNameOrder(list []Superseded) []Superseded {
	return slices.SortedFunc(slices.Values(list), func(a, b Superseded) int {
		return cmp.Or(cmp.Compare(a.IDKey, b.IDKey), cmp.Compare(a.Number, b.Number))
	})
}
