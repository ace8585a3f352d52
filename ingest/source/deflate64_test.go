package source

import (
	"bytes"
	"io"
	"os"
	"testing"
)

// An archive of 7-Zip with the method Deflate64, of 9,000 rows like those of the publisher of school memberships, is opened, alone
// and in another archive.
func TestDeflate64(t *testing.T) {
	const path = "testdata/deflate64.zip"
	archive, err := OpenZip(path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := ReadZip(bytes.NewReader(data), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(archive.File, inner.File...) {
		if f.Method != 9 {
			t.Errorf("method %d", f.Method)
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in) // compares the checksum
		if err != nil || bytes.Count(text, []byte("\n")) != 9001 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
}
