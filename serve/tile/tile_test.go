package tile

import (
	"bytes"
	"compress/gzip"
	"testing"

	"quartier/internal/pmtiles"
)

// TestPlain: a tile that is too large is an error, and never the beginning of one.
func TestPlain(t *testing.T) {
	for size, ok := range map[int]bool{0: true, maxPlain: true, maxPlain + 1: false} {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		if _, err := zip.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		if err := zip.Close(); err != nil {
			t.Fatal(err)
		}
		if plain, err := Plain(b.Bytes()); (err == nil) != ok || ok && len(plain) != size {
			t.Errorf("%d bytes of %d, %v", len(plain), size, err)
		}
	}
	if _, err := Plain([]byte("plain")); err == nil {
		t.Error("what is not compressed is decompressed")
	}
}

// TestParse: a tile has one path.
func TestParse(t *testing.T) {
	if z, x, y, ok := Parse("12/1205/1540.mvt"); !ok || z != 12 || x != 1205 || y != 1540 {
		t.Error(z, x, y, ok)
	}
	if z, x, y, ok := Parse("0/0/0.mvt"); !ok || z != 0 || x != 0 || y != 0 {
		t.Error(z, x, y, ok)
	}
	if _, _, _, ok := Parse("26/0/0.mvt"); ok != (pmtiles.MaxZoom >= 26) {
		t.Error("a zoom that no archive has")
	}
	for _, text := range []string{"", ".mvt", "1/2.mvt", "1/2/3", "1/2/3.pbf", "01/2/3.mvt", "1/+2/3.mvt", "1/-2/3.mvt", "1/2/ 3.mvt",
		"1/2/3/4.mvt", "1//3.mvt", "256/0/0.mvt", "1/4294967296/0.mvt", "1/0x1/0.mvt", "１/0/0.mvt"} {
		if z, x, y, ok := Parse(text); ok {
			t.Errorf("%q is a tile: %d/%d/%d", text, z, x, y)
		}
	}
}
