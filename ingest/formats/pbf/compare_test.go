package pbf_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
)

// TestAgainstOsmium compares every element of the real files, including metadata, with osmium-tool.
func TestAgainstOsmium(t *testing.T) {
	for _, path := range append(extracts(t), delaware(t)) {
		t.Run(filepath.Base(path), func(t *testing.T) { compareWithOsmium(t, path) })
	}
}

// compareWithOsmium compares the elements of a file with the lines of `osmium cat`.
func compareWithOsmium(t *testing.T, path string) {
	t.Helper()
	osmium(t)
	cmd := exec.Command("osmium", "cat", "-f", "opl", "--no-progress", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer out.Close()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	compared := 0
	check := func(got string) {
		if !lines.Scan() {
			t.Fatalf("osmium ends before %s", got)
		}
		if want := unescape(lines.Text()); got != want {
			t.Fatalf("element %d differs\ngot  %s\nwant %s", compared, got, want)
		}
		compared++
	}
	all := element.Want{Kinds: element.All, Tags: true, Info: true}
	read(t, path, all, func(b *element.Batch) error {
		for i := range b.Nodes {
			check(nodeLine(&b.Nodes[i], editOf(b, b.NodeInfo, i)))
		}
		for i := range b.Ways {
			check(wayLine(&b.Ways[i], editOf(b, b.WayInfo, i)))
		}
		for i := range b.Relations {
			check(relationLine(&b.Relations[i], editOf(b, b.RelationInfo, i)))
		}
		return nil
	})
	if lines.Scan() {
		t.Fatalf("osmium goes on with %s", lines.Text())
	}
	if compared == 0 {
		t.Fatal("nothing was compared")
	}
}

func read(tb testing.TB, path string, want element.Want, visit func(*element.Batch) error) {
	tb.Helper()
	file, err := pbf.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	if err := file.Read(context.Background(), want, visit); err != nil {
		tb.Fatal(err)
	}
}

var escaped = regexp.MustCompile(`%([0-9a-f]+)%`)

// unescape decodes OPL's %hex% escapes.
func unescape(line string) string {
	return escaped.ReplaceAllStringFunc(line, func(s string) string {
		r, _ := strconv.ParseInt(s[1:len(s)-1], 16, 32)
		return string(rune(r))
	})
}

// edit is the metadata of an element with the name of its user.
type edit struct {
	element.Info
	user string
}

func editOf(b *element.Batch, infos []element.Info, i int) edit {
	if len(infos) == 0 {
		return edit{}
	}
	return edit{infos[i], b.User(infos[i])}
}

func nodeLine(n *element.Node, e edit) string {
	return fmt.Sprintf("n%d %s x%s y%s", n.ID, commonLine(e, n.Tags), degrees(n.Point.X()), degrees(n.Point.Y()))
}

func wayLine(w *element.Way, e edit) string {
	refs := make([]string, len(w.Refs))
	for i, ref := range w.Refs {
		refs[i] = fmt.Sprintf("n%d", ref)
		if w.Points != nil {
			refs[i] += location(w.Points[i])
		}
	}
	return fmt.Sprintf("w%d %s N%s", w.ID, commonLine(e, w.Tags), strings.Join(refs, ","))
}

func location(p orb.Point) string {
	return fmt.Sprintf("x%sy%s", degrees(p.X()), degrees(p.Y()))
}

func relationLine(r *element.Relation, e edit) string {
	members := make([]string, len(r.Members))
	for i, m := range r.Members {
		members[i] = fmt.Sprintf("%c%d@%s", m.Kind.String()[0], m.Ref, m.Role)
	}
	return fmt.Sprintf("r%d %s M%s", r.ID, commonLine(e, r.Tags), strings.Join(members, ","))
}

func commonLine(e edit, tags element.Tags) string {
	edited := ""
	if e.Time != 0 {
		edited = time.UnixMilli(e.Time).UTC().Format(time.RFC3339)
	}
	pairs := []string{}
	for key, value := range tags.All() {
		pairs = append(pairs, key+"="+value)
	}
	uid := max(e.UID, 0) // osmium reads an unknown user, -1, as 0
	return fmt.Sprintf("v%d dV c%d t%s i%d u%s T%s",
		e.Version, e.Changeset, edited, uid, e.user, strings.Join(pairs, ","))
}

func degrees(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e7)/1e7, 'f', -1, 64)
}
