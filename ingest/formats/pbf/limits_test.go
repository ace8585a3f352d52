package pbf_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// TestMemoryIsBounded reads blocks that are small as they are packed and have as many parts as the format's 32 MB allow.
func TestMemoryIsBounded(t *testing.T) {
	const most = 31 << 20
	repeated := func(text string) []byte { return bytes.Repeat([]byte(text), most/len(text)) }
	content := func(group message) []byte { return message{}.bytes(1, table("a")).bytes(2, group) }
	for name, tt := range map[string]struct {
		content []byte
		says    string
	}{
		"texts": {message{}.bytes(1, repeated("\x0a\x00")).bytes(2, message{}.bytes(3, message{}.varint(1, 1))),
			"more than 4194304 texts or numbers"},
		"nodes": {content(repeated("\x0a\x00")), "more than 2097152 elements"},
		"ways":  {content(repeated("\x1a\x00")), "more than 2097152 elements"},
		"nodes of a way": {content(message{}.bytes(3, message{}.varint(1, 1).bytes(8, repeated("\x02")))),
			"more than 4194304 texts or numbers"},
		"dense ids": {content(message{}.bytes(2, message{}.bytes(1, repeated("\x02")))), "more than 4194304 texts or numbers"},
		"tags of dense nodes": {content(message{}.bytes(2, message{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).bytes(10, repeated("\x01\x01")))),
			"more than 4194304 texts or numbers"},
		"members": {content(message{}.bytes(4, message{}.varint(1, 1).bytes(8, repeated("\x00")[:most/3]).bytes(9,
			repeated("\x02")[:most/3]).bytes(10, repeated("\x01")[:most/3]))), "more than 4194304 texts or numbers"},
		"tags of a way": {content(message{}.bytes(3,
			message{}.varint(1, 1).bytes(2, repeated("\x01")[:most/2]).bytes(3, repeated("\x01")[:most/2]))), "more than 4194304 texts or numbers"},
		"larger than declared": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			packed := block("OSMData", zlibBlob, tt.content)
			if tt.content == nil { // says 33 MB
				packed, tt.says = frame("OSMData", message{}.varint(2, 33<<20).bytes(zlibBlob, []byte("x"))), "33554432"
			}
			path := filepath.Join(t.TempDir(), "a.osm.pbf")
			if err := os.WriteFile(path, file(header(), packed), 0o600); err != nil {
				t.Fatal(err)
			}
			var err error
			used := testenv.Allocated(func() {
				var f *pbf.File
				if f, err = pbf.Open(path); err != nil {
					return
				}
				defer f.Close()
				err = f.Read(context.Background(), element.Want{Kinds: element.All, Tags: true, Info: true}, func(*element.Batch) error { return nil })
			})
			if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "block at byte ") {
				t.Errorf("error %v, want one with %q and the position", err, tt.says)
			}
			if used > 512<<20 {
				t.Errorf("%d MB were allocated for %d bytes", used>>20, len(packed))
			}
			t.Logf("%d MB were allocated for %d bytes", used>>20, len(packed))
		})
	}
}
