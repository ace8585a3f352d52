package pack

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"

	"pgregory.net/rapid"
)

// TestDeflatedTextsStandBesideEachOther joins texts, of which some repeat each other, with a last block of none.
func TestDeflatedTextsStandBesideEachOther(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var stream, want []byte
		for range rapid.IntRange(0, 5).Draw(r, "texts") {
			text := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(r, "text"), rapid.IntRange(1, 200).Draw(r, "times"))
			deflated, err := Deflate(text)
			if err != nil {
				r.Fatal(err)
			}
			stream, want = append(stream, deflated...), append(want, text...)
		}
		got, err := io.ReadAll(flate.NewReader(bytes.NewReader(append(stream, 3, 0))))
		if err != nil || !bytes.Equal(got, want) {
			r.Fatalf("%d bytes, want %d: %v", len(got), len(want), err)
		}
	})
}
