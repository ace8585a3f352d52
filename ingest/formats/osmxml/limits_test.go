package osmxml_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/osmxml"
	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// endless repeats a text for a gigabyte.
func endless(text string) io.Reader { return io.LimitReader(testenv.Endless(text), 1<<30) }

// TestMemoryIsBounded reads documents that are without end or nearly so. Each is refused with the position before it takes
// more memory than the largest element may.
func TestMemoryIsBounded(t *testing.T) {
	small := source.Limits{FeatureBytes: 4 << 20}
	for _, tt := range []struct {
		name, begin, rest, says string
		mb                      uint64
	}{
		{"attribute", `<osm><node id="`, "x", "a tag, text or comment has more than 1048576 bytes", 8},
		{"attributes", `<osm><node `, `a="" `, "a tag, text or comment has more than 1048576 bytes", 64},
		{"tag name", `<osm><`, "x", "a tag, text or comment has more than 1048576 bytes", 8},
		{"text", `<osm>`, "x", "a tag, text or comment has more than 1048576 bytes", 8},
		{"comment", `<osm><!-- `, "x<", "a tag, text or comment has more than 1048576 bytes", 8},
		{"CDATA", `<osm><![CDATA[`, "x<", "a tag, text or comment has more than 1048576 bytes", 8},
		{"instruction", `<?xml `, "x", "a tag, text or comment has more than 1048576 bytes", 8},
		{"nesting", `<osm>`, "<a>", "the nesting has more than 64 elements", 2},
		{"nesting in a node", `<osm><node id="1" lat="1" lon="1">`, "<a>", "the nesting has more than 64 elements", 2},
		{"tags", `<osm><node id="7" lat="1" lon="1">`, `<tag k="a" v="b"/>`,
			"element 7 has more than 4194304 bytes, which limits: {feature_bytes: …}", 400},
		{"members", `<osm><relation id="7">`, `<member type="way" ref="1" role=""/>`, "element 7 has more than 4194304 bytes", 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			used := testenv.Allocated(func() {
				r := io.MultiReader(strings.NewReader(tt.begin), endless(tt.rest))
				err = osmxml.Parse(context.Background(), r, everything, small, func(*element.Batch) error { return nil })
			})
			if !errors.Is(err, source.ErrTooLarge) || !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), tt.says) ||
				!strings.Contains(err.Error(), "line 1 (byte ") {
				t.Errorf("error %v, want one with %q and the position", err, tt.says)
			}
			if used > tt.mb<<20 {
				t.Errorf("%d MB were allocated, at most %d are expected", used>>20, tt.mb)
			}
		})
	}
}

// TestBatchesAreBounded reads many elements with long texts: no batch has more than some megabytes of them.
func TestBatchesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	text := "<osm>" + strings.Repeat(`<node id="1" lat="1" lon="1"><tag k="a" v="`+long+`"/></node>`, 400) + "</osm>"
	read := 0
	err := osmxml.Parse(context.Background(), strings.NewReader(text), everything, source.Limits{}, func(b *element.Batch) error {
		read += len(b.Nodes)
		if len(b.Nodes) > 100 {
			t.Errorf("a batch has %d nodes with %d MB of text", len(b.Nodes), len(b.Nodes)/10)
		}
		return nil
	})
	if err != nil || read != 400 {
		t.Errorf("%d nodes: %v", read, err)
	}
}

// TestExpansionIsBounded reads a small file that expands to a large one, of which every part is small.
func TestExpansionIsBounded(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, "<osm>")
	const node, nodes = `<node id="1" lat="1" lon="1"/>`, 1_400_000
	io.Copy(w, io.LimitReader(testenv.Endless(node), nodes*int64(len(node))))
	fmt.Fprint(w, "</osm>")
	w.Close()
	path := filepath.Join(t.TempDir(), "bomb.osm.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(limits source.Limits) (nodes int, err error) {
		file, err := osmxml.Open(path, limits)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		err = file.Read(context.Background(), element.Want{Kinds: element.All}, func(b *element.Batch) error {
			nodes += len(b.Nodes)
			return nil
		})
		return nodes, err
	}
	_, err := read(source.Limits{})
	if !errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), "compressed bytes expand to has more than") ||
		!strings.Contains(err.Error(), "limits: {expansion: …}") {
		t.Errorf("%d bytes expand to 40 MB: error %v", packed.Len(), err)
	}
	if n, err := read(source.Limits{Expansion: 2000}); err != nil || n != nodes {
		t.Errorf("with a higher limit: %d nodes, %v", n, err)
	}
}
