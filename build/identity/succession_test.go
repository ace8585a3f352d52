package identity

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata from the results")

// TestSuccession runs the cases of testdata/succession.txt. A case starts with a line "# description" and is a sequence
// of releases. A release is the line "release", a line "key west south east north" in kilometres for each geography, a
// line "----" and the expected result.
func TestSuccession(t *testing.T) {
	const path = "testdata/succession.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	var c chain
	for block := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		if strings.HasPrefix(block, "#") {
			c = chain{}
			fmt.Fprintf(&got, "%s\n\n", block)
			continue
		}
		input, _, _ := strings.Cut(block, "----")
		r := boxes{}
		for _, line := range strings.Split(strings.TrimSpace(input), "\n")[1:] {
			var key string
			var b box
			if _, err := fmt.Sscan(line, &key, &b.west, &b.south, &b.east, &b.north); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			r[key] = box{b.west * 1000, b.south * 1000, b.east * 1000, b.north * 1000}
		}
		before := c.past
		ids, err := c.next(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s----\n%s\n", input, result(before, ids))
	}
	text := strings.TrimSpace(got.String()) + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(strings.Split(string(data), "\n"), strings.Split(text, "\n")); diff != "" && !*update {
		t.Error(diff)
	}
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
